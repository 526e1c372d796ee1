// Reads the indicators of countries as series of years, for the checks that compare years with each other.

import type { Diagnostic } from '../../messages/fault.ts';
import type { Staging } from '../../staging/database/staging.ts';
import { stagingTable } from '../../staging/database/stagingTables.ts';
import { figureOrNull, RATES_SINCE } from '../exchangeRates/rateSeries.ts';
import { PLACE_SQL, queryStaging } from '../stagedPlaces.ts';
import { seriesIn, type YearsFault } from '../yearFaults.ts';

/** The indicators of one year; null where the source is empty. */
export interface YearOfIndicators {
  readonly year: number;
  /** The place of the row, as `PLACE_SQL` gives it. */
  readonly place: bigint;
  readonly gdpUsd: number | null;
  readonly gdpLocal: number | null;
  readonly adults: number | null;
  readonly inflation: number | null;
  /** The USD for one unit of the local currency; null when fx has no rate, or rates of several currencies. */
  readonly rate: number | null;
}

/** The indicators of a country or of a state. */
export interface IndicatorSeries {
  readonly country: string;
  readonly state: string;
  /** The indicators of each year, in the order of years. */
  readonly years: readonly YearOfIndicators[];
}

/** A fault of an indicator in some years of a country, or of all countries. */
export interface IndicatorFault extends Diagnostic, YearsFault<YearOfIndicators> {
  /** The country; '' when the fault concerns all countries. */
  readonly country: string;
  readonly column: string;
  /**
   * Whether only later months report the fault. In a first load, other checks report it, or it may be right in old years.
   */
  readonly isOfLaterMonths?: boolean;
  /** Whether only a first load reports the fault. In later months guards compare the figures. */
  readonly isOfFirstLoad?: boolean;
}

/** Finds the faults in the indicators of a country or state. */
export type IndicatorRule = (series: IndicatorSeries) => readonly IndicatorFault[];

/** The indicators of all countries and states. `hasFx` is whether the month has the dataset fx, which has the rates. */
export async function indicatorsOf(staging: Staging, hasFx: boolean): Promise<readonly IndicatorSeries[]> {
  const rates = hasFx
    ? `SELECT country_code, year, max(fx_current_usd) AS rate FROM ${stagingTable('fx')} WHERE state_code = ${staging.code('')}
        GROUP BY country_code, year HAVING count(DISTINCT fx_local_currency_code) = 1`
    : 'SELECT NULL::INTEGER AS country_code, NULL::INTEGER AS year, NULL::DOUBLE AS rate WHERE false';
  const found = await queryStaging(
    staging,
    // Rows of wide form hold one metric each, so the rows of a year are merged.
    `WITH rates AS (${rates}),
      whole AS (SELECT country_code, state_code, year, min(${PLACE_SQL}) AS place, max(gdp_usd) AS usd, max(gdp_local_currency) AS local_gdp,
        max(adult_population) AS adults, max(inflation) AS inflation
        FROM ${stagingTable('country')} WHERE year >= ${RATES_SINCE} GROUP BY country_code, state_code, year, temporal_code, calculation_code, region_code)
    SELECT country_code, state_code, year, place, usd, local_gdp, adults, inflation, rate FROM whole
    LEFT JOIN rates USING (country_code, year) ORDER BY country_code, state_code, year, place`,
  );
  return seriesIn(found, 2).map((rows) => ({
    country: staging.text(rows[0]?.[0]),
    state: staging.text(rows[0]?.[1]),
    years: rows.map(yearOf),
  }));
}

const yearOf = ([
  ,
  ,
  year,
  place,
  usd,
  local,
  adults,
  inflation,
  rate,
]: readonly unknown[]): YearOfIndicators => ({
  year: Number(year),
  place: BigInt(String(place)),
  gdpUsd: figureOrNull(usd),
  gdpLocal: figureOrNull(local),
  adults: figureOrNull(adults),
  inflation: figureOrNull(inflation),
  rate: figureOrNull(rate),
});

/** The difference of logarithms between GDP in USD and GDP in local currency converted at the rate of fx. */
export const gdpDistance = ({ gdpUsd, gdpLocal, rate }: YearOfIndicators): number =>
  Math.log(gdpUsd ?? 1) - Math.log(gdpLocal ?? 1) - Math.log(rate ?? 1);

/** The country, and the state if there is one, as messages name them. */
export const nameOfPlace = ({ country, state }: IndicatorSeries): string =>
  state === '' ? country : `${state}, ${country},`;
