// Warns of years in a series that contradict each other: gaps, future years, copies, another unit, zeros.

import { type DatasetName, datasetOf } from '../../../src/catalog/datasets.ts';
import { firstOf, yearSpans } from '../../messages/numbers.ts';
import { stagingTable } from '../../staging/database/stagingTables.ts';
import type { CheckInput, SqlCheckInput } from '../checkInput.ts';
import {
  BESIDE_SERIES,
  columnsWithout,
  PLACE_SQL,
  rowCountText,
  warnOfCountries,
  warnOfEach,
} from '../stagedPlaces.ts';
import {
  FEWEST_CONSTANT_YEARS,
  FEWEST_COPIED_FIGURES,
  mayBeAfter,
  mayLackYears,
  possibleFaults,
} from './possibleFaults.ts';
import { checkLastFigures, checkSpikes } from './seriesLeaps.ts';
import { type MetricCheck, stepsSql } from './seriesSteps.ts';
import { checkSeriesUnits } from './seriesUnits.ts';
import { checkZeros } from './seriesZeros.ts';

/** Reports series that lack years, and rows with the temporal `Current` of years after that of the month. */
export async function checkYearsOfSeries(input: SqlCheckInput, dataset: DatasetName): Promise<void> {
  const rows = input.rowsInMemory.get(dataset);
  if (mayLackYears(rows)) await checkGaps(input, dataset);
  if (mayBeAfter(Number(input.month.slice(0, 4)), rows)) await checkFuture(input, dataset);
}

/** Reports values that contradict the other years of their series, for each metric that adds up. */
export async function checkSeries(input: CheckInput, dataset: DatasetName): Promise<void> {
  const { staging, problems } = input;
  const rows = input.rowsInMemory.get(dataset);
  const { metrics, dimensions } = datasetOf(dataset);
  for (const [metric, { addsUp }] of Object.entries(metrics)) {
    if (addsUp !== true) continue;
    const possible = possibleFaults(metric, rows);
    if (!possible.jumps && !possible.zeros && !possible.copies) continue;
    const check = { staging, dataset, metric, problems };
    await staging.connection.run(`CREATE OR REPLACE TEMP TABLE steps AS ${stepsSql(dataset, metric)}`);
    const reported = possible.jumps ? await checkSeriesUnits(check) : new Set<string>();
    if (possible.jumps && dimensions.includes('fx')) {
      await checkSpikes(check, reported);
      await checkLastFigures(check, reported);
    }
    if (dimensions.includes('fx')) {
      if (possible.zeros) await checkZeros(check);
      if (possible.copies) await checkConstant(check);
      if (possible.copies) await checkCopies(check);
    }
    await staging.connection.run('DROP TABLE steps');
  }
}

/** Reports years that are missing between the first and the last year of a series, once for each country. */
async function checkGaps({ staging, problems }: SqlCheckInput, dataset: DatasetName): Promise<void> {
  const key = columnsWithout(datasetOf(dataset).dimensions, ...BESIDE_SERIES);
  const withGaps = `WITH
      yearly AS (
        SELECT country_code, hash(${key.join(', ')}) AS series, year, min(${PLACE_SQL}) AS place
        FROM ${stagingTable(dataset)}
        GROUP BY country_code, series, year)
    SELECT country_code, min(place) AS place, to_json(list_sort(list(year)))::VARCHAR AS years
    FROM yearly
    GROUP BY country_code, series
    HAVING count(*) < max(year) - min(year) + 1`;
  await warnOfCountries(
    { staging, problems, column: 'year' },
    { sql: withGaps, columns: ['years'] },
    (country, { n, years }) => {
      const has = yearSpans((JSON.parse(String(years)) as unknown[]).map(Number));
      const [series, lack] = n === 1 ? ['a series', 'lacks'] : [`${n} series`, 'lack'];
      return {
        problem: `${series} of ${country} in ${dataset} ${lack} years in the middle: the first has ${has}`,
        remedy: 'add the years, or make sure that the source has none',
        kind: `${dataset} lacks years in the middle of a series`,
      };
    },
  );
}

/** Reports rows with the temporal `Current` of years after that of the month. Nobody can have reported them yet. */
async function checkFuture({ staging, month, problems }: SqlCheckInput, dataset: DatasetName): Promise<void> {
  await warnOfEach(
    { staging, problems, column: 'year' },
    `SELECT year, count(*)::INTEGER, min(${PLACE_SQL}) AS place
    FROM ${stagingTable(dataset)}
    WHERE temporal_code = ${staging.code('Current')} AND year > ${Number(month.slice(0, 4))}
    GROUP BY year
    ORDER BY place`,
    (year, n) => ({
      problem: `${rowCountText(n)} of ${year} ${Number(n) === 1 ? 'is' : 'are'} called Current in the month ${month}`,
      remedy: 'check the year, or call them Forecast',
      kind: `${dataset} has Current rows of years to come`,
    }),
  );
}

/** Reports years in which all series of a country repeat the year before, because one of the two years was copied. */
async function checkCopies({ staging, metric, problems }: MetricCheck): Promise<void> {
  await warnOfEach(
    { staging, problems, column: metric },
    // Forecasts are left out, because they often repeat a figure.
    `WITH
      reported AS (
        SELECT country_code, year, year_before, market, value, before, place
        FROM steps
        WHERE value <> 0 AND temporal_code <> ${staging.code('Forecast')}),
      same AS (
        SELECT country_code, year, year_before FROM reported GROUP BY ALL HAVING bool_and(value = before)),
      of_year AS (
        SELECT country_code, year, year_before, count(DISTINCT market)::INTEGER AS n, min(place) AS place
        FROM reported JOIN same USING (country_code, year, year_before)
        GROUP BY country_code, year, year_before
        HAVING count(DISTINCT market) > 2 AND count(DISTINCT value) >= ${FEWEST_COPIED_FIGURES} AND max(abs(value)) >= 10)
    SELECT country_code, year, year_before, n, place FROM of_year ORDER BY place`,
    (country, year, before, n) => ({
      problem: `${metric} of ${staging.text(country)} in ${year} is that of ${before} in all its ${n} series`,
      remedy: 'check the label of the year: one of the two was copied',
      kind: `${metric} of two years is the same`,
      country: staging.text(country),
    }),
  );
}

/** Reports markets with one figure in several years, because it was filled down or the years were not updated. */
async function checkConstant({ staging, metric, problems }: MetricCheck): Promise<void> {
  const constant = `SELECT country_code, market, min(year_before) AS first, max(year) AS last, min(place) AS place
    FROM steps
    WHERE value = before AND year - year_before = 1 AND temporal_code <> ${staging.code('Forecast')} AND value > 0
      AND round(value, ${MOST_DIGITS_OF_ESTIMATES - 1} - floor(log10(value))::INTEGER) <> value
    GROUP BY country_code, market, value
    HAVING count(*) >= ${FEWEST_CONSTANT_YEARS - 1}`;
  await warnOfCountries(
    { staging, problems, column: metric },
    { sql: constant, columns: ['first', 'last'], count: 'count(DISTINCT market)' },
    (country, { n, first, last }) => ({
      problem: `${metric} of a market of ${country} is one figure in all years from ${first} to ${last}${firstOf(Number(n))}`,
      remedy: 'check that each year has its own figure',
      kind: `${metric} is one figure for years`,
    }),
  );
}

/** The most digits of an estimate. An estimate may rightly be the same for years. */
const MOST_DIGITS_OF_ESTIMATES = 4;
