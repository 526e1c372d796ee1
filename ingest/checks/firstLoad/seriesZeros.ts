// Warns of zeros that probably stand for missing figures: in whole files, in whole years, and between other figures.

import { yearSpans } from '../../messages/numbers.ts';
import { CALCULATE_REMEDY } from '../../messages/remedies.ts';
import { stagingTable } from '../../staging/database/stagingTables.ts';
import { originOf, PLACE_SQL, rowCountText, warnOfEach } from '../stagedPlaces.ts';
import type { MetricCheck } from './seriesSteps.ts';

/** Reports zeros that probably stand for missing figures. It reads the table `steps` of `seriesSteps.ts`. */
export async function checkZeros(check: MetricCheck): Promise<void> {
  await checkAllZero(check);
  await checkZeroCountries(check);
  await checkZeroYears(check);
  await checkSingleZeros(check);
}

/** Reports files in which every figure is 0. For example, formulas that were never calculated are 0. */
async function checkAllZero({ staging, dataset, metric, problems }: MetricCheck): Promise<void> {
  await warnOfEach(
    { staging, problems, column: metric },
    `SELECT count(*)::INTEGER, min(${PLACE_SQL}) AS place
    FROM ${stagingTable(dataset)}
    WHERE ${metric} IS NOT NULL
    GROUP BY _source
    HAVING bool_and(${metric} = 0) AND count(*) > 3
    ORDER BY place`,
    (n, place) => ({
      problem: `${metric} is 0 in all ${rowCountText(n)}`,
      remedy:
        originOf(staging, place as bigint).format === 'parquet'
          ? 'write the figures, or null where they are missing'
          : `if they are formulas, ${CALCULATE_REMEDY}`,
      kind: `${metric} is 0 in all rows of a file`,
    }),
  );
}

/** Reports countries whose figures are all 0, unless all other figures of their file are 0, too. */
async function checkZeroCountries({ staging, dataset, metric, problems }: MetricCheck): Promise<void> {
  await warnOfEach(
    { staging, problems, column: metric },
    `WITH
      of_country AS (
        SELECT country_code, min(${PLACE_SQL}) AS place, min(_source) AS source, count(*)::INTEGER AS n
        FROM ${stagingTable(dataset)}
        WHERE ${metric} IS NOT NULL
        GROUP BY country_code
        HAVING bool_and(${metric} = 0) AND count(*) > 3),
      with_figures AS (SELECT DISTINCT _source AS source FROM ${stagingTable(dataset)} WHERE ${metric} <> 0)
    SELECT country_code, n, place FROM of_country SEMI JOIN with_figures USING (source) ORDER BY place`,
    (country, n) => ({
      problem: `${metric} of ${staging.text(country)} is 0 in all ${rowCountText(n)}`,
      remedy: 'write the figures, or delete the rows where they are missing',
      kind: `${metric} is 0 in all rows of a country`,
      country: staging.text(country),
    }),
  );
}

/**
 * Reports years before the first figure in which all rows are 0. Somebody probably filled years without data with zeros.
 */
async function checkZeroYears({ staging, dataset, metric, problems }: MetricCheck): Promise<void> {
  await warnOfEach(
    { staging, problems, column: metric },
    `WITH
      of_year AS (
        SELECT year, count(*)::INTEGER AS n, min(${PLACE_SQL}) AS place, bool_and(${metric} = 0) AS is_zero
        FROM ${stagingTable(dataset)}
        WHERE ${metric} IS NOT NULL
        GROUP BY year),
      first AS (SELECT min(year) AS year FROM of_year WHERE NOT is_zero)
    SELECT of_year.year, n, place
    FROM of_year, first
    WHERE is_zero AND n > 3 AND of_year.year < first.year
    ORDER BY of_year.year`,
    (year, n) => ({
      problem: `${metric} is 0 in all ${rowCountText(n)} of ${year}, and not in later years`,
      remedy: 'leave the cell empty where a figure is missing',
      kind: `${metric} is 0 where a figure may be missing`,
    }),
  );
}

/** Reports zeros after or between other figures, because a missing figure is often typed as 0. */
async function checkSingleZeros({ staging, metric, problems }: MetricCheck): Promise<void> {
  await warnOfEach(
    { staging, problems, column: metric },
    `WITH
      -- A market that closes ends in zeros, and one that has not begun starts with them. Zeros in all series of a year are neither.
      of_year AS (
        SELECT country_code, year, bool_and(value = 0) AS are_all_zero FROM steps GROUP BY country_code, year),
      odd AS (
        SELECT country_code, year, place, are_all_zero
        FROM steps JOIN of_year USING (country_code, year)
        WHERE value = 0 AND before <> 0 AND (are_all_zero OR after <> 0)),
      of_country AS (
        SELECT country_code, count(*)::INTEGER AS n, min(place) AS place, bool_or(are_all_zero) AS are_all_zero,
          list_sort(list(DISTINCT year)) AS years
        FROM odd
        GROUP BY country_code)
    SELECT country_code, n, are_all_zero, to_json(years)::VARCHAR, place FROM of_country ORDER BY place`,
    (country, n, areAllZero, years) => {
      const when = yearSpans((JSON.parse(String(years)) as unknown[]).map(Number));
      return {
        problem: `${metric} of ${staging.text(country)} is 0 in ${rowCountText(n)} of ${when}, ${areAllZero === true ? 'after years in which it is not' : 'between years in which it is not'}`,
        remedy: 'leave the cell empty where a figure is missing',
        kind: `${metric} is 0 where a figure may be missing`,
        country: staging.text(country),
      };
    },
  );
}
