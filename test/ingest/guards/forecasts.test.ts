// Guards warn of forecasts that no longer agree with each other, and of forecasts and indicators that repeat another year.

import { describe, expect, it } from '@jest/globals';
import { guarded } from '../../support/comparedSnapshots.ts';
import { aRow, type Row, type Rows } from '../../support/snapshot.ts';

const COUNTRIES = ['Chile', 'France', 'Ghana', 'Italy', 'Japan', 'Kenya', 'Malta', 'Norway', 'Peru', 'Spain'];
const LOCAL: Readonly<Record<string, string>> = { Chile: 'CLP', Ghana: 'GHS', Japan: 'JPY' };
const localOf = (country: string) => LOCAL[country] ?? 'EUR';
const YEARS = [2024, 2025, 2026, 2027, 2028];
const PRODUCTS = ['Bingo', 'Poker'];
const USD = 1.25;

type Change = (row: Row) => number;
const none: Change = () => 1;

/** The figure of a year. Poker is a twentieth of Bingo. */
const sizeOf = (country: string, product: string, year: number) =>
  (12_345_677 + 1_310_013 * (year - 2020) + 3_000_017 * COUNTRIES.indexOf(country)) *
  (product === 'Poker' ? 0.05 : 1);

const temporalOf = (year: number) => (year > 2025 ? 'Forecast' : 'Current');

/** Reported figures of 2024 and 2025 and forecasts of three years, in local currency and USD. */
const facts = (dataset: 'ggr' | 'turnover', change: Change = none, countries = COUNTRIES): Row[] =>
  countries.flatMap((country) =>
    YEARS.flatMap((year) =>
      PRODUCTS.flatMap((product) =>
        [localOf(country), 'USD'].map((fx) => {
          const row = aRow(dataset, {
            ...{ country, year, product, fx, state: '', category: 'Gaming' },
            temporal: temporalOf(year),
          });
          const value =
            sizeOf(country, product, year) * (dataset === 'ggr' ? 1 : 1.5) * (fx === 'USD' ? USD : 1);
          return { ...row, [dataset]: Math.round(value * change(row)) };
        }),
      ),
    ),
  );

const fx = (change: Change = none): Row[] =>
  COUNTRIES.flatMap((country) =>
    YEARS.map((year) => {
      const row = aRow('fx', {
        ...{ country, year, state: '', fx_local_currency: localOf(country), temporal: temporalOf(year) },
        calculation: 'Reported',
      });
      const rate = USD * change(row);
      return { ...row, fx_current_usd: rate, fx_constant_usd: rate, fx_current_eur: 1, fx_constant_eur: 1 };
    }),
  );

const of =
  (wanted: Row, factor = 1.06): Change =>
  (row) =>
    Object.entries({ temporal: 'Forecast', ...wanted }).every(([name, value]) => row[name] === value)
      ? factor
      : 1;

async function findingsOn(after: Rows, before: Rows): Promise<string[]> {
  const { findings } = await guarded(before, after);
  return findings
    .filter(({ rule }) => rule === 'relations' || rule === 'copies')
    .map(({ severity, dataset, message }) => `${severity} ${dataset}: ${message.replace(/ \(\d.*/, '')}`);
}

const ggrAndRates = (change: Change = none) => ({ ggr: facts('ggr', change), fx: fx() });

describe('relations of forecasts', () => {
  it('warn where a currency of all countries left the rates, once', async () => {
    expect(await findingsOn(ggrAndRates(of({ fx: 'USD' })), ggrAndRates())).toEqual([
      'warn ggr: 10 countries (Chile, France, Ghana and 7 more) (forecasts): figures in USD disagree with those in local currency at the rates of fx by up to 6 % in 2026–2028',
    ]);
  });

  it('warn where a currency of one country left them, with its years', async () => {
    const changed = ggrAndRates(of({ country: 'Kenya', fx: 'USD', year: 2027 }, 0.9));
    expect(await findingsOn(changed, ggrAndRates())).toEqual([
      'warn ggr: Kenya (forecasts): figures in USD disagree with those in local currency at the rates of fx by up to 10 % in 2027',
    ]);
  });

  it('warn where one small product left them', async () => {
    const changed = ggrAndRates(of({ country: 'Kenya', fx: 'USD', product: 'Poker' }, 1.3));
    expect(await findingsOn(changed, ggrAndRates())).toEqual([
      'warn ggr: Kenya, Poker (forecasts): figures in USD disagree with those in local currency at the rates of fx by up to 30 % in 2026–2028',
    ]);
  });

  it('warn where the rates moved and the figures did not follow', async () => {
    const changed = { ggr: facts('ggr'), fx: fx(of({ country: 'Kenya' })) };
    expect(await findingsOn(changed, ggrAndRates())).toEqual([
      'warn fx: Kenya (forecasts): figures in USD disagree with those in local currency at the rates of fx by up to 5.66 % in 2026–2028; these rates moved, and the figures did not move with them',
    ]);
  });

  it('warn where the current rates moved alone, though the constant ones are near', async () => {
    const moved = of({ country: 'Kenya' });
    const current = fx().map((row) => ({ ...row, fx_current_usd: Number(row.fx_current_usd) * moved(row) }));
    expect(await findingsOn({ ggr: facts('ggr'), fx: current }, ggrAndRates())).toEqual([
      expect.stringMatching(/^warn fx: Kenya \(forecasts\): .*; these rates moved, and the figures did not/),
    ]);
  });

  it('are kept by figures at constant rates, whatever the current ones do', async () => {
    const at = (current: number) => ({
      ggr: facts('ggr'),
      fx: fx().map((row) => ({ ...row, fx_current_usd: Number(row.fx_current_usd) * current })),
    });
    expect(await findingsOn(at(1.05), at(1.01))).toEqual([]);
  });

  it('are kept by forecasts that all moved, and by figures that follow moved rates', async () => {
    const moved = of({ country: 'Kenya' }, 1.0837);
    expect(await findingsOn({ ggr: facts('ggr', moved), fx: fx() }, ggrAndRates())).toEqual([]);
    const rates = of({ country: 'Chile' }, 1.08);
    const followed: Change = (row) => (row.fx === 'USD' ? rates(row) : 1);
    expect(await findingsOn({ ggr: facts('ggr', followed), fx: fx(rates) }, ggrAndRates())).toEqual([]);
  });

  it('warn where turnover fell below ggr', async () => {
    const both = (change: Change = none) => ({ ggr: facts('ggr'), turnover: facts('turnover', change) });
    expect(await findingsOn(both(of({ country: 'Peru', year: 2028 }, 0.6)), both())).toEqual([
      'warn turnover: Peru (forecasts): turnover is below ggr, at 90 % of it in 2028',
    ]);
  });

  it('warn where the states came to more than their nation', async () => {
    const withStates = (change: Change = none) => ({
      ggr: facts('ggr', none, ['Peru']).flatMap((row) => [
        row,
        ...['Lima', 'Cusco'].map((state) => {
          const part = { ...row, state };
          return { ...part, ggr: Math.round(0.45 * Number(row.ggr) * change(part)) };
        }),
      ]),
    });
    expect(await findingsOn(withStates(of({ state: 'Lima', year: 2027 }, 1.4)), withStates())).toEqual([
      'warn ggr: Peru (forecasts): its states come to more than the nation (+8 %) in 2027',
    ]);
  });

  it('leave out a country with another finding about its forecasts', async () => {
    const changed = ggrAndRates(of({ country: 'Kenya', fx: 'USD' }, 3));
    expect(await findingsOn(changed, ggrAndRates())).toEqual([]);
  });
});

describe('forecasts that repeat another year', () => {
  const series = { country: 'Spain', product: 'Poker', temporal: 'Forecast' };
  const yearsFrom = (source: (year: number) => number): Change => {
    const isIn = of(series, 0);
    return (row) => {
      const year = Number(row.year);
      return isIn(row) === 0 ? sizeOf('Spain', 'Poker', source(year)) / sizeOf('Spain', 'Poker', year) : 1;
    };
  };
  const ggr = (change: Change = none) => ({ ggr: facts('ggr', change) });

  it('are a warning where a product was held at one year, though it is a small part of the country', async () => {
    expect(await findingsOn(ggr(yearsFrom(() => 2026)), ggr())).toEqual([
      "warn ggr: Spain (forecasts): 4 changed values repeat another year's: 2027 those of 2026 and 2028 those of 2026",
    ]);
  });

  it('are a warning, too, where other forecasts of the country were revised', async () => {
    const [held, others] = [yearsFrom(() => 2026), of({ country: 'Spain', product: 'Bingo' }, 1.013)];
    expect(
      await findingsOn(
        ggr((row) => held(row) * others(row)),
        ggr(),
      ),
    ).toEqual([
      "warn ggr: Spain (forecasts): 4 of 8 changed values repeat another year's: 2027 those of 2026 and 2028 those of 2026",
    ]);
  });

  it('are a warning where the years were turned round', async () => {
    expect(await findingsOn(ggr(yearsFrom((year) => 4054 - year)), ggr())).toEqual([
      "warn ggr: Spain (forecasts): 4 changed values repeat another year's: 2026 those of 2028 and 2028 those of 2026",
    ]);
  });

  it('are not a finding where they were held at one year before', async () => {
    const held = yearsFrom(() => 2026);
    const raised: Change = (row) => held(row) * (of(series, 1.1)(row) || 1);
    expect(await findingsOn(ggr(raised), ggr(held))).toEqual([]);
  });

  it('are not a finding where they are rounded', async () => {
    const rounded = (change: Change = none) => ({
      ggr: facts('ggr', change).map((row) => ({ ...row, ggr: Number(Number(row.ggr).toPrecision(3)) })),
    });
    expect(await findingsOn(rounded(yearsFrom(() => 2026)), rounded())).toEqual([]);
  });
});

describe('indicators that repeat another figure', () => {
  const indicators = (change: (row: Row) => Row = (row) => row): Rows => ({
    country: COUNTRIES.flatMap((country, c) =>
      YEARS.map((year) => {
        const row = aRow('country', {
          ...{ country, year, state: '', temporal: temporalOf(year), calculation: 'Reported' },
          gdp_local_currency: 123_456_789_000 * (c + 1) + 1_234_567_000 * (year - 2020),
          gdp_usd: 98_765_432_111 * (c + 1) + 1_111_222_333 * (year - 2020),
          adult_population: 4_567_891 * (c + 1) + 12_345 * (year - 2020),
          inflation: 2,
        });
        return change(row);
      }),
    ),
  });
  const rowOf = (country: string, year: number): Row =>
    indicators().country?.find((row) => row.country === country && row.year === year) ?? {};

  it('are a warning where one reported year repeats another', async () => {
    const { gdp_usd = null } = rowOf('Italy', 2024);
    const changed = indicators((row) =>
      row.country === 'Italy' && row.year === 2025 ? { ...row, gdp_usd } : row,
    );
    expect(await findingsOn(changed, indicators())).toEqual([
      "warn country: gdp_usd, Italy: 1 changed reported value repeats another year's: 2025 that of 2024",
    ]);
  });

  it('are a warning where forecasts were held at one year', async () => {
    const { adult_population = null } = rowOf('Italy', 2025);
    const changed = indicators((row) =>
      row.country === 'Italy' && Number(row.year) > 2025 ? { ...row, adult_population } : row,
    );
    expect(await findingsOn(changed, indicators())).toEqual([
      "warn country: adult_population, Italy (forecasts): 3 changed values repeat another year's: 2026 those of 2025, 2027 those of 2025 and 2028 those of 2025",
    ]);
  });

  it('are a warning where two years have the figures of another country', async () => {
    const changed = indicators((row) =>
      row.country === 'Italy' && Number(row.year) <= 2025
        ? { ...row, gdp_usd: rowOf('Japan', Number(row.year)).gdp_usd ?? null }
        : row,
    );
    expect(await findingsOn(changed, indicators())).toEqual([
      "warn country: gdp_usd, Italy: 2 changed reported values repeat another country's: Italy those of Japan",
    ]);
  });

  it('are one finding where many countries have some', async () => {
    const changed = indicators((row) =>
      row.year === 2025 ? { ...row, gdp_usd: rowOf(String(row.country), 2024).gdp_usd ?? null } : row,
    );
    expect(await findingsOn(changed, indicators())).toEqual([
      "warn country: gdp_usd, all countries: 10 changed reported values repeat another year's: 2025 those of 2024",
    ]);
  });

  it('are not a finding where they repeated it before, or where percentages and rounded amounts do', async () => {
    const held = (factor: number) =>
      indicators((row) => {
        const year = Math.min(2026, Number(row.year));
        const gdp_usd = Number(rowOf(String(row.country), year).gdp_usd) * factor;
        return { ...row, gdp_usd };
      });
    expect(await findingsOn(held(1.001), held(1))).toEqual([]);
    const rounded = (by: number) =>
      indicators((row) => ({
        ...row,
        inflation: by,
        gdp_usd: by * (Number(row.year) === 2025 ? 1e12 : 2e12),
      }));
    expect(await findingsOn(rounded(2), rounded(4))).toEqual([]);
  });

  it('are not a finding where rounded forecasts equal those of another country', async () => {
    const withItaly = (billions: number) =>
      indicators((row) => {
        const year = Number(row.year);
        if (year <= 2025 || !['Italy', 'Japan'].includes(String(row.country))) return row;
        return { ...row, gdp_usd: ((row.country === 'Italy' ? billions : 2100) + 100 * (year - 2026)) * 1e9 };
      });
    expect(await findingsOn(withItaly(2100), withItaly(1800))).toEqual([]);
  });
});
