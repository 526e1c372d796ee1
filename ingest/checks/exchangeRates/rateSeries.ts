// Reads the exchange rates of the month as series, one for each country, state and currency, and computes the usual rates.

import { getOrInsert } from '../../../src/basics/maps.ts';
import { lowerMedian } from '../../../src/basics/medians.ts';
import type { Staging } from '../../staging/database/staging.ts';
import { stagingTable } from '../../staging/database/stagingTables.ts';
import { figureOrNull, PLACE_SQL, queryStaging } from '../stagedPlaces.ts';
import { seriesIn } from '../yearFaults.ts';

/** The first year whose rates and indicators are checked. Earlier years often have former currencies or hyperinflation. */
export const RATES_SINCE = 2000;

/** The two kinds of rates of fx. Current ones are of each year, and constant ones of one base year. */
export const RATE_TERMS = ['current', 'constant'] as const;
type RateTerms = (typeof RATE_TERMS)[number];

/** The rates of one year. They are null where the source is empty. */
export interface YearOfRates {
  readonly year: number;
  /** The code of the row's `temporal`. Forecasts of a year are not compared with reported rates. */
  readonly temporal: unknown;
  /** The place of the row, as `PLACE_SQL` gives it. */
  readonly place: bigint;
  readonly usd: Readonly<Record<RateTerms, number | null>>;
  readonly eur: Readonly<Record<RateTerms, number | null>>;
}

/** The rates of one currency in one country or state, in the order of years. */
export interface RateSeries {
  readonly country: string;
  readonly state: string;
  readonly currency: string;
  readonly years: readonly YearOfRates[];
}

/** The usual rates among all countries, for the year and the `temporal` of a rate. */
export interface CommonRates {
  /** The USD for one EUR: the median over all currencies. Undefined where fewer than three have rates in both. */
  usdPerEur(terms: RateTerms, year: YearOfRates): number | undefined;
  /** The rate of a currency in USD: the median over its countries. Undefined if no country has one. */
  rateOf(currency: string, terms: RateTerms, year: YearOfRates): number | undefined;
  /** The currencies whose current rate in USD is exactly that of `year`. */
  currenciesWith(year: YearOfRates): ReadonlySet<string>;
}

/** The series of the rates in the dataset `fx`, from the year `RATES_SINCE` on. */
export async function rateSeriesOf(staging: Staging): Promise<readonly RateSeries[]> {
  const found = await queryStaging(
    staging,
    // Rows of wide form hold one metric each, so the rows of a year are merged.
    `WITH whole AS (SELECT country_code, state_code, fx_local_currency_code AS currency_code, year, min(${PLACE_SQL}) AS place,
        temporal_code, max(fx_current_usd) AS current_usd, max(fx_current_eur) AS current_eur,
        max(fx_constant_usd) AS constant_usd, max(fx_constant_eur) AS constant_eur
        FROM ${stagingTable('fx')} WHERE year >= ${RATES_SINCE} GROUP BY country_code, state_code, fx_local_currency_code, year, temporal_code, calculation_code, region_code)
    SELECT country_code, state_code, currency_code, year, place, temporal_code, current_usd, current_eur, constant_usd, constant_eur
    FROM whole ORDER BY country_code, state_code, currency_code, year, place`,
  );
  return seriesIn(found, 3).map((rows) => {
    const [country = '', state = '', currency = ''] = (rows[0] ?? [])
      .slice(0, 3)
      .map((code) => staging.text(code));
    return { country, state, currency, years: rows.map(yearOf) };
  });
}

const yearOf = ([, , , year, place, temporal, ...rates]: readonly unknown[]): YearOfRates => {
  const [currentUsd = null, currentEur = null, constantUsd = null, constantEur = null] =
    rates.map(figureOrNull);
  return {
    year: Number(year),
    temporal,
    place: place as bigint,
    usd: { current: currentUsd, constant: constantUsd },
    eur: { current: currentEur, constant: constantEur },
  };
};

/** The fewest currencies whose median gives the usual rate. Among fewer, it is unknown which one is wrong. */
const FEWEST_CURRENCIES = 3;

/** The usual rates among these series, for each year and kind of rates. */
export function commonRatesOf(series: readonly RateSeries[]): CommonRates {
  const byYear = new Map<string, RatesOfYear>();
  for (const { currency, years } of series)
    for (const each of years) add(getOrInsert(byYear, keyOf(each), ratesOfYear), currency, each);
  for (const year of byYear.values())
    for (const terms of RATE_TERMS) {
      const { crosses, rates, typical } = year[terms];
      if (crosses.size >= FEWEST_CURRENCIES) year[terms].usdPerEur = lowerMedian([...crosses.values()]);
      for (const [currency, each] of rates) typical.set(currency, lowerMedian(each));
    }
  return {
    usdPerEur: (terms, year) => byYear.get(keyOf(year))?.[terms].usdPerEur,
    rateOf: (currency, terms, year) => byYear.get(keyOf(year))?.[terms].typical.get(currency),
    currenciesWith: (year) => byYear.get(keyOf(year))?.holders.get(year.usd.current ?? Number.NaN) ?? NONE,
  };
}

interface RatesOfYear extends Readonly<Record<RateTerms, RatesOfTerms>> {
  /** The currencies that have each current rate in USD. */
  readonly holders: Map<number, Set<string>>;
}

interface RatesOfTerms {
  /** The US dollars for one euro, by the rates of each currency in USD and in EUR. */
  readonly crosses: Map<string, number>;
  /** The rates in USD of each currency, one for each of its countries. */
  readonly rates: Map<string, number[]>;
  /** The median of the rates in USD of each currency. */
  readonly typical: Map<string, number>;
  usdPerEur?: number;
}

const ratesOfYear = (): RatesOfYear => ({
  current: { crosses: new Map(), rates: new Map(), typical: new Map() },
  constant: { crosses: new Map(), rates: new Map(), typical: new Map() },
  holders: new Map(),
});

const NONE: ReadonlySet<string> = new Set();

const keyOf = ({ year, temporal }: YearOfRates): string => `${year} ${temporal}`;

function add(to: RatesOfYear, currency: string, { usd, eur }: YearOfRates): void {
  for (const terms of RATE_TERMS) {
    const [inUsd, inEur] = [usd[terms], eur[terms]];
    if (inUsd === null) continue;
    getOrInsert(to[terms].rates, currency, () => [] as number[]).push(inUsd);
    // One value for each currency, so that the many countries of the euro count once.
    if (inEur !== null) to[terms].crosses.set(currency, inUsd / inEur);
  }
  if (usd.current !== null) getOrInsert(to.holders, usd.current, () => new Set<string>()).add(currency);
}
