// Correct first loads that look odd: hyperinflation, a new currency, a casino town, forecasts beside reported figures.

import { expect, it } from '@jest/globals';
import { filesOf, problemsOf } from '../../support/month.ts';
import { aRow, type Row, type Rows } from '../../support/snapshot.ts';

const warnings = async (rows: Rows): Promise<readonly string[]> =>
  (await problemsOf(filesOf(rows))).filter((text) => text.startsWith('warning'));

const YEARS = [2017, 2018, 2019, 2020, 2021, 2022, 2023, 2024];

/** Rates and GDPs of a country. Its GDP in USD grows steadily. */
function economy(country: string, rates: readonly number[], currencyOf: (year: number) => string) {
  const fx = YEARS.map((year, i) => {
    const rate = rates[i] ?? 1;
    const eur = Number((rate / (1.1 + i / 100)).toPrecision(6));
    return aRow('fx', {
      ...{ country, year, fx_local_currency: currencyOf(year), fx_current_usd: rate, fx_constant_usd: rate },
      ...{ fx_current_eur: eur, fx_constant_eur: eur },
    });
  });
  const indicators = YEARS.map((year, i) =>
    aRow('country', {
      ...{
        country,
        year,
        gdp_usd: 61e9 + 3.3e9 * i,
        gdp_local_currency: Math.round((61e9 + 3.3e9 * i) / (rates[i] ?? 1)),
      },
      ...{ adult_population: 3_200_000 + 11_000 * i, inflation: 2.1 + i / 10 },
    }),
  );
  return { fx, indicators };
}

const stepsOf = (problems: readonly string[]) =>
  problems.filter((text) => /check the unit of the figure|inverse/.test(text));

it('a country with another currency is not reported for a wrong unit, and a wrong unit is', async () => {
  const rates = [0.149, 0.152, 0.148, 0.151, 0.157, 0.139, 1.081, 1.082];
  const { fx, indicators } = economy('Croatia', rates, (year) => (year < 2023 ? 'HRK' : 'EUR'));
  expect(stepsOf(await warnings({ fx, country: indicators }))).toEqual([]);
  const wrong: Row[] = indicators.map((row) =>
    row.year === 2021 ? { ...row, gdp_local_currency: Number(row.gdp_local_currency) / 10 } : row,
  );
  expect(stepsOf(await warnings({ fx, country: wrong }))).toEqual([
    expect.stringMatching(/gdp_local_currency of Croatia is .* in 2021, and .* in 2020; check the unit/),
  ]);
});

it('a rate of hyperinflation that becomes its own inverse by chance is no inverted one', async () => {
  const { fx } = economy('Venezuela', [98.1, 41.3, 71.2, 3.33, 0.3125, 0.149, 0.0347, 0.0263], () => 'VES');
  expect(stepsOf(await warnings({ fx }))).toEqual([]);
});

it('ggr of Macau per adult is right, and that of another country is reported once for all currencies', async () => {
  const load = (name: string): Rows => {
    const countries = ['Malta', 'Spain', 'Norway', name];
    return {
      ggr: countries.flatMap((country, i) =>
        ['EUR', 'USD'].map((fx) =>
          aRow('ggr', {
            country,
            fx,
            ggr: (country === name ? 28e9 : 91e6 + 7e6 * i) * (fx === 'USD' ? 1.08 : 1),
          }),
        ),
      ),
      country: countries.map((country) =>
        aRow('country', { country, year: 2024, adult_population: 580_000, gdp_usd: null }),
      ),
    };
  };
  const perAdult = (problems: readonly string[]) => problems.filter((text) => text.includes('per adult,'));
  expect(perAdult(await warnings(load('Macau')))).toEqual([]);
  expect(perAdult(await warnings(load('Iceland')))).toHaveLength(1);
});

it('forecasts beside reported figures of all countries are one warning', async () => {
  const countries = [
    'Austria',
    'Belgium',
    'Chile',
    'Denmark',
    'Estonia',
    'Finland',
    'Greece',
    'Hungary',
    'Iceland',
    'Japan',
  ];
  const ggr = countries.flatMap((country, c) =>
    YEARS.flatMap((year, i) => {
      const row = aRow('ggr', { country, year, ggr: 7_654_321 * (c + 2) + 123_457 * i });
      return year < 2021 ? [row] : [row, { ...row, temporal: 'Forecast', ggr: Number(row.ggr) * 1.0371 }];
    }),
  );
  const beside = (await warnings({ ggr })).filter((text) => text.includes('before reported figures'));
  expect(beside).toEqual([
    expect.stringContaining('ggr of Austria, Belgium, Chile and 7 more has forecasts of 2021–2023 before'),
  ]);
});
