// Reads the exchange rates of the month as series, one for each country, state and currency, and what they have in common.

import type { DatasetName } from '../../src/catalog/datasets.ts';
import { type Staging, stagingTable } from '../staging/staging.ts';
import { PLACE, rowsOf } from './places.ts';

const FX: DatasetName = 'fx';

/** Earlier rates and indicators are not checked: many are in former currencies, or of years of war and hyperinflation. */
export const RATES_SINCE = 2000;

export const TERMS = ['current', 'constant'] as const;
export type Terms = (typeof TERMS)[number];

/** Rates that are null are empty in the source. */
export interface YearOfRates {
  readonly year: number;
  /** Of the row, as `PLACE` gives it. */
  readonly place: bigint;
  readonly usd: Readonly<Record<Terms, number | null>>;
  readonly eur: Readonly<Record<Terms, number | null>>;
}

/** The rates of one currency in one country or state, a year each, in the order of years. */
export interface RateSeries {
  readonly country: string;
  readonly state: string;
  readonly currency: string;
  readonly years: readonly YearOfRates[];
}

/** What the rates of all countries have in common. */
export interface CommonRates {
  /** USD for one EUR, from the rates of other currencies: their median. Undefined where fewer than three have it. */
  usdPerEur(terms: Terms, year: number): number | undefined;
  /** The median rate of a currency in USD over its countries. */
  rateOf(currency: string, terms: Terms, year: number): number | undefined;
  /** The other currencies that have this very rate in current terms. */
  currenciesAt(usd: number, year: number): ReadonlySet<string>;
}

/**
 * The series of fx. A year that is both Current and Forecast counts as what its first row is, because the other one differs by
 * right.
 */
export async function rateSeriesOf(staging: Staging): Promise<readonly RateSeries[]> {
  const found = await rowsOf(
    staging,
    // Rows of a wide sheet hold one metric each.
    `WITH whole AS (SELECT country_code, state_code, fx_local_currency_code AS currency_code, year, min(${PLACE}) AS place,
        max(fx_current_usd) AS current_usd, max(fx_current_eur) AS current_eur, max(fx_constant_usd) AS constant_usd,
        max(fx_constant_eur) AS constant_eur
        FROM ${stagingTable(FX)} WHERE year >= ${RATES_SINCE} GROUP BY country_code, state_code, fx_local_currency_code, year, temporal_code, calculation_code, region_code)
    SELECT country_code, state_code, currency_code, year, place, current_usd, current_eur, constant_usd, constant_eur FROM whole
    ORDER BY country_code, state_code, currency_code, year, place`,
  );
  const series: { country: string; state: string; currency: string; years: YearOfRates[] }[] = [];
  let before: readonly unknown[] = [];
  for (const row of found) {
    const isSame = [0, 1, 2].every((column) => row[column] === before[column]);
    if (!isSame)
      series.push({
        country: staging.text(row[0]),
        state: staging.text(row[1]),
        currency: staging.text(row[2]),
        years: [],
      });
    const [, , , year, place, currentUsd, currentEur, constantUsd, constantEur] = row;
    if (!isSame || year !== before[3])
      series.at(-1)?.years.push({
        year: Number(year),
        place: BigInt(String(place)),
        usd: { current: rate(currentUsd), constant: rate(constantUsd) },
        eur: { current: rate(currentEur), constant: rate(constantEur) },
      });
    before = row;
  }
  return series;
}

const rate = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** Fewer currencies cannot tell which of them is wrong. */
const FEWEST = 3;

export function commonRatesOf(series: readonly RateSeries[]): CommonRates {
  const crosses = new Map<string, Map<string, number>>();
  const rates = new Map<string, number[]>();
  const holders = new Map<string, Set<string>>();
  for (const { currency, years } of series)
    for (const { year, usd, eur } of years) {
      for (const terms of TERMS) {
        const [inUsd, inEur] = [usd[terms], eur[terms]];
        if (inUsd === null) continue;
        added(rates, `${currency} ${terms} ${year}`, () => [] as number[]).push(inUsd);
        // One value a currency, so that the many countries of the euro count once.
        if (inEur !== null)
          added(crosses, `${terms} ${year}`, () => new Map<string, number>()).set(currency, inUsd / inEur);
      }
      if (usd.current !== null)
        added(holders, `${usd.current} ${year}`, () => new Set<string>()).add(currency);
    }
  const usual = new Map(
    [...crosses]
      .filter(([, each]) => each.size >= FEWEST)
      .map(([key, each]) => [key, median([...each.values()])]),
  );
  const typical = new Map([...rates].map(([key, each]) => [key, median(each)]));
  return {
    usdPerEur: (terms, year) => usual.get(`${terms} ${year}`),
    rateOf: (currency, terms, year) => typical.get(`${currency} ${terms} ${year}`),
    currenciesAt: (usd, year) => holders.get(`${usd} ${year}`) ?? new Set(),
  };
}

function added<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  const value = map.get(key) ?? create();
  map.set(key, value);
  return value;
}

/** The lower of the two middle ones among an even number, so that it is a value that occurs. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

/** What the last digit of a rate may hide, as a share of it: 0.00004 may be 0.000045. A rate of 1 is exact. */
export function rounding(rate: number): number {
  if (rate === 1) return 0;
  const [mantissa = '1', exponent] = rate.toExponential().split('e');
  const places = mantissa.length > 1 ? mantissa.length - 2 : 0;
  return (0.5 * 10 ** (Number(exponent) - places)) / rate;
}
