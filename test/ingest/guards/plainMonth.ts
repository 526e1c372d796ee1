// A small month in which no two series have an equal figure, for tests of guards that warn of content.

import type { Acceptance } from '../../../ingest/guards/finding.ts';
import { guarded } from '../../support/comparedSnapshots.ts';
import { aRow, type Row, type Rows } from '../../support/snapshot.ts';

export const COUNTRIES = Array.from({ length: 12 }, (_, i) => `Country ${String.fromCharCode(65 + i)}`);
const YEARS = Array.from({ length: 15 }, (_, i) => 2016 + i);
const PRODUCTS = ['Bingo', 'Poker', 'Lotto'];
const USD = 0.0123;

export type Change = (row: Row) => Row;
const none: Change = (row) => row;
export const C = 'Country C';
export const isForecast = ({ temporal }: Row) => temporal === 'Forecast';

const temporalOf = (year: number) => (year > 2025 ? 'Forecast' : 'Current');

/** Figures in local currency and USD. No two series have an equal figure. */
export const ggr = (change: Change = none): Row[] =>
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

/** Rates of one currency, which all countries have. */
export const fx = (change: Change = none): Row[] =>
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

/** Indicators of all countries and years. GDP in USD agrees with the exchange rate. */
export const indicators = (change: Change = none): Row[] =>
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

/** The inflation of the country and the year with these indexes. */
export const inflationOf = (c: number, y: number) =>
  Number((2 + ((c * 7 + y * (c + 3)) % 31) / 10).toFixed(1));

/** The rows of the month, with a change for each dataset. */
export const month = (changes: Partial<Record<'ggr' | 'fx' | 'country', Change>> = {}): Rows => ({
  ggr: ggr(changes.ggr),
  fx: fx(changes.fx),
  country: indicators(changes.country),
});

/** The brackets at the end of a finding: its shares, or the first of its cells. */
const FIGURES = / \((?:\d|[^()]*: [\d.,]+ → |[^()]* \d{4} [^()]*: \d).*/;

/**
 * The findings of guards that nobody accepted, as `severity dataset: message` without the figures in brackets at the end.
 */
export async function findingsIn(
  after: Rows,
  before: Rows = month(),
  accepted: readonly Omit<Acceptance, 'reason'>[] = [],
): Promise<string[]> {
  const accept = accepted.map((one) => ({ ...one, reason: 'It is right' }));
  const { findings } = await guarded(before, after, { accept });
  return findings
    .filter((finding) => finding.accepted === null)
    .map(({ severity, dataset, message }) => `${severity} ${dataset}: ${message.replace(FIGURES, '')}`);
}

/** A change that multiplies a metric in a country's rows for which `isIn` is true; by default, in its forecasts. */
export const times =
  (metric: string, factor: number, country: string, isIn: (row: Row) => boolean = isForecast): Change =>
  (row) =>
    row.country === country && isIn(row) ? { ...row, [metric]: Number(row[metric]) * factor } : row;
