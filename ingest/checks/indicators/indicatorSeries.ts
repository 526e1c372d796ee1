// Reads the indicators of countries as series of years, for the checks that compare years with each other.

import type { Diagnostic } from '../../messages/fault.ts';
import type { Staging } from '../../staging/database/staging.ts';
import { stagingTable } from '../../staging/database/stagingTables.ts';
import { RATES_SINCE } from '../exchangeRates/rateSeries.ts';
import { figureOrNull, PLACE_SQL, queryStaging } from '../stagedPlaces.ts';
import { faultIn, seriesIn, type YearsFault } from '../yearFaults.ts';

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
}

/**
 * A list with one fault about all wrong years of an indicator; an empty list when there are none. `describe` receives the
 * first wrong year.
 */
export const faultOf = (
  { country }: Pick<IndicatorFault, 'country'>,
  column: string,
  years: readonly YearOfIndicators[],
  describe: (first: YearOfIndicators) => Omit<IndicatorFault, 'at' | 'lastYear' | 'country' | 'column'>,
): readonly IndicatorFault[] => faultIn(years, (first) => ({ country, column, ...describe(first) }));

/** In place of a country, for a fault of all countries together. */
export const ALL_COUNTRIES = { country: '' };

/** Finds the faults in the indicators of a country or state. */
export type IndicatorRule = (series: IndicatorSeries) => readonly IndicatorFault[];

/** The indicators of all countries and states. */
export async function indicatorsOf(staging: Staging): Promise<readonly IndicatorSeries[]> {
  const found = await queryStaging(
    staging,
    // Rows of wide form hold one metric each, so the rows of a year are merged.
    `WITH rates AS (SELECT country_code, year, max(fx_current_usd) AS rate FROM ${stagingTable('fx')}
        WHERE state_code = ${staging.code('')} GROUP BY country_code, year HAVING count(DISTINCT fx_local_currency_code) = 1),
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

const yearOf = ([, , year, place, ...figures]: readonly unknown[]): YearOfIndicators => {
  const [gdpUsd = null, gdpLocal = null, adults = null, inflation = null, rate = null] =
    figures.map(figureOrNull);
  return { year: Number(year), place: place as bigint, gdpUsd, gdpLocal, adults, inflation, rate };
};

/** The difference of logarithms between GDP in USD and GDP in local currency converted at the rate of fx. */
export const gdpDistance = ({ gdpUsd, gdpLocal, rate }: YearOfIndicators): number =>
  Math.log(gdpUsd ?? 1) - Math.log(gdpLocal ?? 1) - Math.log(rate ?? 1);
