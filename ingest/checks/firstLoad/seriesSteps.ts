// Makes the SQL of the table `steps`: the value of each series and year, and the values of the years beside it.

import { type DatasetName, datasetOf } from '../../../src/catalog/datasets.ts';
import type { Problems } from '../../messages/problems.ts';
import type { Staging } from '../../staging/database/staging.ts';
import { stagingTable } from '../../staging/database/stagingTables.ts';
import { BESIDE_SERIES, columnsWithout, PLACE_SQL } from '../stagedPlaces.ts';

/** The input of the checks that read the table `steps`. */
export interface MetricCheck {
  readonly staging: Staging;
  readonly dataset: DatasetName;
  readonly metric: string;
  readonly problems: Problems;
}

/**
 * The smallest figure of a market of which single years are checked. A smaller market may rightly move a hundredfold from
 * one year to the next.
 */
export const LEAST_FIGURE = 1_000_000;

/**
 * A SELECT of the values of each series, each with the values of the two years before it and of the year after it. Its
 * result becomes the table `steps`, because several checks use it.
 *
 * Hashes of 64 bits identify a series and its market, because they sort faster than the codes of all dimensions. In a month
 * with a million series, two series have the same hash with a probability of 1 in 40 million.
 */
export function stepsSql(dataset: DatasetName, metric: string): string {
  const { dimensions } = datasetOf(dataset);
  const key = columnsWithout(dimensions, ...BESIDE_SERIES).join(', ');
  const market = columnsWithout(dimensions, ...BESIDE_SERIES, 'fx').join(', ');
  // Markets of one kind may be of different countries, such as poker online.
  const kind = columnsWithout(dimensions, ...BESIDE_SERIES, 'country', 'state', 'fx').join(', ') || "''";
  return `WITH
      figures AS (
        SELECT country_code, state_code, hash(${kind}) AS kind, hash(${market}) AS market, hash(${key}) AS series, year,
          ${metric} AS value, temporal_code, ${PLACE_SQL} AS place
        FROM ${stagingTable(dataset)}
        WHERE ${metric} IS NOT NULL),
      yearly AS (
        SELECT country_code, state_code, kind, market, series, year, arg_min(value, place) AS value,
          arg_min(temporal_code, place) AS temporal_code, min(place) AS place
        FROM figures
        GROUP BY country_code, state_code, kind, market, series, year)
    SELECT country_code, state_code, kind, market, year, value, place, temporal_code,
      lag(value) OVER w AS before, lag(year) OVER w AS year_before, lead(value) OVER w AS after,
      lag(value, 2) OVER w AS two_before, lag(year, 2) OVER w AS year_two_before,
      count(*) OVER (w ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS years
    FROM yearly
    WINDOW w AS (PARTITION BY series ORDER BY year)`;
}
