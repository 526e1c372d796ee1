// Guards warn of content that is wrong though its form is right: relabelled, dragged, multiplied and exchanged figures.

import { describe, expect, it } from '@jest/globals';
import { guard } from '../../../ingest/guards/guards.ts';
import { readConfig } from '../../../src/config.ts';
import { aComparison } from '../../support/comparison.ts';
import { aRow, type Row, type Rows } from '../../support/snapshot.ts';

const { guards: LIMITS } = readConfig({});

const COUNTRIES = Array.from({ length: 12 }, (_, i) => `Country ${String.fromCharCode(65 + i)}`);
const YEARS = Array.from({ length: 15 }, (_, i) => 2016 + i);
const PRODUCTS = ['Bingo', 'Poker', 'Lotto'];
const USD = 0.0123;

type Change = (row: Row) => Row;
const none: Change = (row) => row;
const C = 'Country C';
const isForecast = ({ temporal }: Row) => temporal === 'Forecast';

const temporalOf = (year: number) => (year > 2025 ? 'Forecast' : 'Current');

/** Figures in local currency and USD, which no two series share. */
const ggr = (change: Change = none): Row[] =>
  COUNTRIES.flatMap((country, c) =>
    PRODUCTS.flatMap((product, p) =>
      ['XTS', 'USD'].flatMap((fx) =>
        YEARS.map((year) => {
          const size = 987_654_321 + 100_003_000 * c + 33_337_000 * p + 7_654_321 * (year - 2016);
          const figure = Math.round(fx === 'USD' ? size * USD : size);
          return change(aRow('ggr', { country, product, fx, year, temporal: temporalOf(year), ggr: figure }));
        }),
      ),
    ),
  );

const fx = (change: Change = none): Row[] =>
  COUNTRIES.flatMap((country) =>
    YEARS.map((year) =>
      change(
        aRow('fx', {
          ...{ country, year, temporal: temporalOf(year), fx_local_currency: 'XTS' },
          ...{ fx_current_usd: USD, fx_constant_usd: USD, fx_current_eur: 0.011, fx_constant_eur: 0.011 },
        }),
      ),
    ),
  );

const indicators = (change: Change = none): Row[] =>
  COUNTRIES.flatMap((country, c) =>
    YEARS.map((year, y) => {
      const gdp = 123_456_789_012 * (c + 2) + 2_345_678_901 * y;
      return change(
        aRow('country', {
          ...{ country, year, temporal: temporalOf(year), gdp_local_currency: gdp, gdp_usd: gdp * USD },
          ...{ adult_population: 4_567_891 * (c + 1) + 12_345 * y, inflation: inflationOf(c, y) },
        }),
      );
    }),
  );

const inflationOf = (c: number, y: number) => Number((2 + ((c * 7 + y * (c + 3)) % 31) / 10).toFixed(1));

const month = (changes: Partial<Record<'ggr' | 'fx' | 'country', Change>> = {}): Rows => ({
  ggr: ggr(changes.ggr),
  fx: fx(changes.fx),
  country: indicators(changes.country),
});

async function told(after: Rows, before: Rows = month()): Promise<string[]> {
  const { findings } = guard(await aComparison(before, after), LIMITS, []);
  return findings.map(
    ({ severity, dataset, message }) => `${severity} ${dataset}: ${message.replace(/ \(\d.*/, '')}`,
  );
}

/** The change of one metric in the rows of a country that pass a test. */
const times =
  (metric: string, factor: number, country: string, isIn: (row: Row) => boolean = isForecast): Change =>
  (row) =>
    row.country === country && isIn(row) ? { ...row, [metric]: Number(row[metric]) * factor } : row;

const dragged =
  (metric: string, isIn: (row: Row) => boolean, from: Row): Change =>
  (row) =>
    row.country === C && isIn(row) && Number(row.year) > 2026
      ? { ...row, [metric]: Number(from[metric]) + Number(row.year) - 2026 }
      : row;

describe('first reports that repeat their forecasts', () => {
  /** The month before: 2025 was a forecast. */
  const before = month({ ggr: (row) => (row.year === 2025 ? { ...row, temporal: 'Forecast' } : row) });
  /** Countries up to `last` report 2025, and those in `repeating` repeat the forecasts. */
  const reports = (last: string, repeating: readonly string[], currencies = ['XTS', 'USD']) =>
    month({
      ggr: (row) => {
        if (row.year !== 2025) return row;
        if (String(row.country) > last) return { ...row, temporal: 'Forecast' };
        const isRepeated = repeating.includes(String(row.country)) && currencies.includes(String(row.fx));
        return isRepeated ? row : { ...row, ggr: Math.round(Number(row.ggr) * 1.013) };
      },
    });

  it('are a warning where those of most other countries differ', async () => {
    expect(await told(reports('Country F', [C]), before)).toEqual([
      'warn ggr: Country C: 6 first reports equal their forecasts to the last digit, and those of most other countries differ',
    ]);
  });

  it('are a warning where rates moved the figures in other currencies', async () => {
    expect(await told(reports('Country F', [C], ['XTS']), before)).toEqual([
      'warn ggr: Country C: 3 first reports equal their forecasts to the last digit, and those of most other countries differ',
    ]);
  });

  it('are no finding where those of most countries repeat them, or hardly another country reports', async () => {
    expect(await told(reports('Country E', ['Country A', C, 'Country D']), before)).toEqual([]);
    expect(await told(reports(C, [C]), before)).toEqual([]);
  });
});

describe('values that count up by one', () => {
  const isSeries = (row: Row) => row.product === 'Poker' && row.fx === 'XTS';
  const rowOf = (rows: readonly Row[], isIn: (row: Row) => boolean): Row =>
    rows.find((row) => row.country === C && row.year === 2026 && isIn(row)) ?? {};

  it('are a warning in forecasts of a series, in units or in thousands', async () => {
    const from = rowOf(ggr(), isSeries);
    expect(await told(month({ ggr: dragged('ggr', isSeries, from) }))).toContain(
      'warn ggr: Country C (forecasts): 4 changed values count up by one from year to year, as cells do that are filled by dragging',
    );
    const inThousands = (change: Change) => ({
      ggr: ggr((row) => change({ ...row, ggr: Math.round(Number(row.ggr)) / 1000 })).map((row) => ({
        ...row,
        ggr: Math.round(Number(row.ggr) * 1e6),
      })),
    });
    const base = { ...from, ggr: Number(from.ggr) / 1000 };
    expect(await told(inThousands(dragged('ggr', isSeries, base)), inThousands(none))).toContain(
      'warn ggr: Country C (forecasts): 4 changed values count up by one from year to year, as cells do that are filled by dragging',
    );
  });

  it('are a warning in indicators, also in percentages', async () => {
    const from = rowOf(indicators(), () => true);
    for (const metric of ['gdp_local_currency', 'adult_population', 'inflation'])
      expect(await told(month({ country: dragged(metric, () => true, from) }))).toContain(
        `warn country: ${metric}, Country C (forecasts): 4 changed values count up by one from year to year, as cells do that are filled by dragging`,
      );
  });

  it('are no finding where three percentages rise by one', async () => {
    const country: Change = (row) =>
      row.country === C && Number(row.year) > 2027 ? { ...row, inflation: Number(row.year) - 2020.5 } : row;
    expect(await told(month({ country }))).toEqual([]);
  });
});

describe('forecasts that all moved by one factor', () => {
  it('are a warning in one country', async () => {
    expect(await told(month({ ggr: times('ggr', 1.2, C) }))).toEqual([
      'warn ggr: Country C (forecasts): all forecasts of 2026–2030 moved by +20 %, and reported figures did not',
    ]);
  });

  it('are no finding where reported figures moved too, where one market moved, or where the rates did', async () => {
    const rebased = times('ggr', 1.12, C, () => true);
    const raised = times('ggr', 1.12, C, (row) => isForecast(row) || Number(row.year) === 2025);
    const ofForecasts = async (change: Change) =>
      (await told(month({ ggr: change }))).filter((one) => one.includes('forecasts'));
    expect(await ofForecasts(rebased)).toEqual([]);
    expect(await ofForecasts(raised)).toEqual([]);
    const oneMarket = times('ggr', 1.2, C, (row) => isForecast(row) && row.product === 'Poker');
    expect(await told(month({ ggr: oneMarket }))).toEqual([]);
    const inUsd = times('ggr', 1.2, C, (row) => isForecast(row) && row.fx === 'USD');
    const rates = times('fx_current_usd', 1.2, C);
    expect(await told(month({ ggr: inUsd, fx: rates }))).toEqual([]);
  });
});

describe('GDP in USD', () => {
  const message = (years: string, kind: string) =>
    `warn country: Country C, GDP${kind}: figures in USD disagree with those in local currency at the rates of fx by up to 6 % in ${years}`;

  it('is a warning where it left that in local currency at the rates of fx', async () => {
    expect(await told(month({ country: times('gdp_usd', 1.06, C) }))).toEqual([
      message('2026–2030', ' (forecasts)'),
    ]);
    const reported = times('gdp_usd', 1.06, C, (row) => !isForecast(row));
    expect(await told(month({ country: reported }))).toContain(message('2016–2025', ''));
  });

  it('is no finding where both moved, where the rate moved alone, or where they disagreed before', async () => {
    const both = (row: Row) => times('gdp_local_currency', 1.06, C)(times('gdp_usd', 1.06, C)(row));
    expect(await told(month({ country: both }))).toEqual([]);
    expect(await told(month({ fx: times('fx_current_usd', 1.06, C) }))).not.toContain(
      message('2026–2030', ' (forecasts)'),
    );
    const others = (by: number) => month({ country: times('gdp_usd', by, C) });
    expect(await told(others(1.1), others(1.05))).toEqual([]);
  });
});

describe('labels that change', () => {
  const isClosed = ({ year }: Row) => Number(year) < 2025;
  const relabelled =
    (isIn: (row: Row) => boolean): Change =>
    (row) =>
      isIn(row) ? { ...row, calculation: 'Calculated' } : row;
  // The sources of a country calculate some figures, so that the label is known.
  const before = month({ fx: relabelled(({ country }) => country === 'Country A') });
  const changed = (isIn: (row: Row) => boolean) =>
    month({ fx: relabelled((row) => row.country === 'Country A' || isIn(row)) });

  it('are a warning where five closed years of a country are calculated otherwise with the same figures', async () => {
    expect(
      await told(
        changed((row) => row.country === C && isClosed(row)),
        before,
      ),
    ).toEqual(['warn fx: Country C: calculation "Reported" → "Calculated", with the same numbers in 9 rows']);
  });

  it('are one warning for many countries, which names each pair of labels once', async () => {
    expect(await told(changed(isClosed), before)).toEqual([
      'warn fx: all countries: calculation "Reported" → "Calculated", with the same numbers in 99 rows',
    ]);
  });

  it('are no finding in the last years, whose figures mature', async () => {
    expect(
      await told(
        changed(({ year }) => Number(year) > 2022 && Number(year) < 2026),
        before,
      ),
    ).toEqual([]);
  });

  it('are a warning where ten countries have another type', async () => {
    const lookup = (isIn: (i: number) => boolean): Rows => ({
      country_reference: COUNTRIES.map((country, i) =>
        aRow('country_reference', { country, country_type: isIn(i) ? 'Amalgamated' : 'Tracked' }),
      ),
    });
    const usual = lookup((i) => i === 11);
    expect(
      await told(
        lookup((i) => i < 10 || i === 11),
        usual,
      ),
    ).toEqual([
      expect.stringMatching(
        /^warn country_reference: 10 countries have another (region or )?type now: Country A, Country B/,
      ),
    ]);
    expect(
      await told(
        lookup((i) => i < 5 || i === 11),
        usual,
      ),
    ).toEqual([]);
  });
});

describe('inflation', () => {
  const of =
    (source: number, years: (year: number) => boolean): Change =>
    (row) =>
      row.country === C && years(Number(row.year))
        ? { ...row, inflation: inflationOf(source, Number(row.year) - 2016) }
        : row;

  it('is one warning where a country has the row of another one', async () => {
    expect(await told(month({ country: of(7, () => true) }))).toContainEqual(
      expect.stringMatching(
        /^warn country: inflation, Country C: \d+ changed values repeat another country's: Country C those of Country H$/,
      ),
    );
  });

  it('is no finding where a few years are equal by chance', async () => {
    expect(await told(month({ country: of(7, (year) => year > 2025) }))).toEqual([]);
  });
});
