// Warns of years in a series that contradict each other: another unit, zeros, copies, gaps, future years.

import { type DatasetName, datasetOf } from '../../../src/catalog/datasets.ts';
import { amount, spans } from '../../messages/numbers.ts';
import type { Problems } from '../../messages/problems.ts';
import { type Staging, stagingTable } from '../../staging/database/staging.ts';
import type { CheckedRows } from '../checkedRows.ts';
import {
  columnsWithout,
  originOf,
  PLACE,
  placeOf,
  ROW,
  rowCount,
  rowsOf,
  SOURCE,
  warnOfEach,
} from '../places.ts';
import { mayBeAfter, mayHold, mayLackYears } from './probes.ts';

/** Checks the series of a dataset. The rows of a series differ only in their year. */
export async function checkSeries(
  { staging, inMemory, month, problems }: SeriesToCheck,
  dataset: DatasetName,
): Promise<void> {
  const rows = inMemory.get(dataset);
  if (mayLackYears(rows)) await checkGaps(staging, dataset, problems);
  if (mayBeAfter(Number(month.slice(0, 4)), rows)) await checkFuture(staging, dataset, month, problems);
  const metrics = Object.entries(datasetOf(dataset).metrics).filter(([, { addsUp }]) => addsUp === true);
  for (const [metric] of metrics) {
    const of = { staging, dataset, metric, problems };
    const may = mayHold(metric, rows);
    if (!may.jumps && !may.zeros && !may.copies) continue;
    await staging.connection.run(`CREATE OR REPLACE TEMP TABLE steps AS ${steps(dataset, metric)}`);
    if (may.jumps) await checkSpikes(of, await checkJumps(of));
    if (datasetOf(dataset).dimensions.includes('fx')) {
      if (may.zeros) {
        await checkAllZero(of);
        await checkZeroYears(of);
        await checkZeros(of);
      }
      if (may.copies) await checkCopies(of);
    }
    await staging.connection.run('DROP TABLE steps');
  }
}

/** The rows to check, and where the checks report. */
type SeriesToCheck = Pick<CheckedRows, 'staging' | 'inMemory' | 'month' | 'problems'>;

/** The metric to check, and where the checks report. */
interface OfMetric {
  readonly staging: Staging;
  readonly dataset: DatasetName;
  readonly metric: string;
  readonly problems: Problems;
}

/** Reports years that are missing between the first and the last year of a series, once for each country. */
async function checkGaps(staging: Staging, dataset: DatasetName, problems: Problems): Promise<void> {
  const key = columnsWithout(datasetOf(dataset).dimensions, 'year', 'temporal', 'calculation', 'region');
  await warnOfEach(
    { staging, problems, column: 'year' },
    `WITH yearly AS (SELECT country_code, hash(${key.join(', ')}) AS series, year, min(${PLACE}) AS place
        FROM ${stagingTable(dataset)} GROUP BY country_code, series, year),
      series AS (SELECT country_code, min(place) AS place, list_sort(list(year)) AS years FROM yearly
        GROUP BY country_code, series HAVING count(*) < max(year) - min(year) + 1),
      of_country AS (SELECT country_code, count(*)::INTEGER AS n, min(place) AS place, arg_min(years, place) AS years
        FROM series GROUP BY country_code)
    SELECT country_code, n, to_json(years)::VARCHAR, ${SOURCE}, ${ROW} FROM of_country ORDER BY place`,
    (country, n, years) => {
      const has = spans((JSON.parse(String(years)) as unknown[]).map(Number));
      const which = `${Number(n) === 1 ? 'a' : n} series of ${staging.text(country)}`;
      return {
        problem: `${which} in ${dataset} lack${Number(n) === 1 ? 's' : ''} years in the middle: the first has ${has}`,
        remedy: 'add the years, or make sure that the source has none',
        kind: `${dataset} lacks years in the middle of a series`,
      };
    },
  );
}

/** Reports rows that are called Current although their year is later than that of the month, so nobody can have reported them. */
async function checkFuture(
  staging: Staging,
  dataset: DatasetName,
  month: string,
  problems: Problems,
): Promise<void> {
  await warnOfEach(
    { staging, problems, column: 'year' },
    `WITH late AS (SELECT year, count(*)::INTEGER AS n, min(${PLACE}) AS place FROM ${stagingTable(dataset)}
        WHERE temporal_code = ${staging.code('Current')} AND year > ${Number(month.slice(0, 4))} GROUP BY year)
    SELECT year, n, ${SOURCE}, ${ROW} FROM late ORDER BY place`,
    (year, n) => ({
      problem: `${rowCount(n)} of ${year} ${Number(n) === 1 ? 'is' : 'are'} called Current in the month ${month}`,
      remedy: 'check the year, or call them Forecast',
      kind: `${dataset} has Current rows of years to come`,
    }),
  );
}

/**
 * A SELECT of the values of each series, each with the values of the years before and after it. Its result becomes the table
 * `steps`, because several checks use it.
 *
 * Hashes of 64 bits identify a series and its market, because they sort faster than the codes of all dimensions. In a month with a
 * million series, two series have the same hash with a probability of 1 in 40 million.
 */
function steps(dataset: DatasetName, metric: string): string {
  const { dimensions } = datasetOf(dataset);
  const key = columnsWithout(dimensions, 'year', 'region', 'temporal', 'calculation').join(', ');
  const market = columnsWithout(dimensions, 'year', 'region', 'temporal', 'calculation', 'fx').join(', ');
  return `WITH
      figures AS (SELECT country_code, state_code, hash(${market}) AS market, hash(${key}) AS series, year, ${metric} AS value,
          temporal_code, ${PLACE} AS place FROM ${stagingTable(dataset)} WHERE ${metric} IS NOT NULL),
      yearly AS (SELECT country_code, state_code, market, series, year, arg_min(value, place) AS value,
          arg_min(temporal_code, place) AS temporal_code, min(place) AS place
        FROM figures GROUP BY country_code, state_code, market, series, year)
    SELECT country_code, state_code, market, year, value, place, temporal_code,
        lag(value) OVER w AS before, lag(year) OVER w AS year_before, lead(value) OVER w AS after,
        count(*) OVER (w ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS years
      FROM yearly WINDOW w AS (PARTITION BY series ORDER BY year)`;
}

/**
 * Reports years in which all series of a country become a thousand or a million times larger or smaller.
 *
 * @returns The codes of the reported countries.
 */
async function checkJumps({ staging, metric, problems }: OfMetric): Promise<ReadonlySet<unknown>> {
  // A new market may grow a hundredfold in its first full year. So a country with a single series is reported only if the series
  // has more than three years, and its factor must be closer to a thousand or a million.
  const found = await rowsOf(
    staging,
    `WITH
      moved AS (SELECT country_code, state_code, year, year_before, log10(value) - log10(before) AS size, market, years, place FROM steps
        WHERE value > 0 AND before > 0 AND year - year_before <= 3),
      -- Medians and counts of markets are slow, and few years have moved so far.
      far AS (SELECT country_code, state_code, year, year_before FROM moved GROUP BY ALL
        HAVING count(*) FILTER (abs(size) > 2) / count(*) >= 0.9),
      of_year AS (SELECT country_code, state_code, year, year_before, median(size) AS size, count(DISTINCT market)::INTEGER AS n,
          max(years) AS years, min(place) AS place
        FROM moved JOIN far USING (country_code, state_code, year, year_before) GROUP BY country_code, state_code, year, year_before)
    SELECT country_code, state_code, year, year_before, size, n, ${SOURCE}, ${ROW} FROM of_year
    WHERE (n > 1 OR years > 3) AND least(abs(abs(size) - 3), abs(abs(size) - 6)) < CASE WHEN n = 1 THEN 0.3 ELSE 0.6 END
    ORDER BY year, place`,
  );
  const reported = new Set<unknown>();
  for (const [countryCode, stateCode, year, before, size, n, source, row] of found) {
    if (reported.has(countryCode)) continue;
    reported.add(countryCode);
    const [country, state] = [staging.text(countryCode), staging.text(stateCode)];
    const who = state === '' ? country : `${state}, ${country},`;
    const times = amount(10 ** Math.round(Math.abs(Number(size))));
    const series = Number(n) === 1 ? 'its only series' : `all its ${n} series`;
    problems.add('warning', placeOf(staging, source, row, metric), {
      problem: `${metric} of ${who} is about ${times} times ${Number(size) > 0 ? 'larger' : 'smaller'} in ${year} than in ${before}, in ${series}`,
      remedy: `check the unit of the figures of these years`,
      kind: `${metric} of a country changes its unit from one year to the next`,
    });
  }
  return reported;
}

/** Reports single figures that are a thousand or a million times above or below both the year before and the year after. */
async function checkSpikes(
  { staging, metric, problems }: OfMetric,
  reported: ReadonlySet<unknown>,
): Promise<void> {
  await warnOfEach(
    { staging, problems, column: metric },
    `WITH
      sized AS (SELECT country_code, year, value, place, log10(value) - log10(before) AS up, log10(value) - log10(after) AS down FROM steps
        WHERE value > 0 AND before > 0 AND after > 0),
      far AS (SELECT country_code, count(*)::INTEGER AS n, min(place) AS place, arg_min(year, place) AS year, arg_min(value, place) AS value,
          arg_min(up, place) AS up FROM sized
        WHERE least(abs(abs(up) - 3), abs(abs(up) - 6)) < 0.3 AND abs(up - down) < 0.5 GROUP BY country_code)
    SELECT country_code, year, value, up, n, ${SOURCE}, ${ROW} FROM far ORDER BY place`,
    (country, year, value, up, n) => {
      if (reported.has(country)) return null;
      const times = amount(10 ** Math.round(Math.abs(Number(up))));
      return {
        problem: `${metric} of ${staging.text(country)} in ${year} is ${amount(Number(value))}, about ${times} times ${Number(up) > 0 ? 'more' : 'less'} than in the years around it (${rowCount(n)} like it)`,
        remedy: 'check the unit of the figure',
        kind: `${metric} is a thousand times off in one year`,
      };
    },
  );
}

/** Reports files in which every figure is 0. Formulas whose values were never calculated are 0. */
async function checkAllZero({ staging, dataset, metric, problems }: OfMetric): Promise<void> {
  await warnOfEach(
    { staging, problems, column: metric },
    `WITH per_source AS (SELECT min(${PLACE}) AS place, count(*)::INTEGER AS n FROM ${stagingTable(dataset)}
        WHERE ${metric} IS NOT NULL GROUP BY _source HAVING bool_and(${metric} = 0) AND count(*) > 3)
    SELECT n, ${SOURCE}, ${SOURCE}, ${ROW} FROM per_source ORDER BY place`,
    (n, source) => ({
      problem: `${metric} is 0 in all ${n} rows`,
      remedy:
        originOf(staging, source).format === 'parquet'
          ? 'write the figures, or null where they are missing'
          : 'if they are formulas, open the file in a spreadsheet program, let it calculate, save it again',
      kind: `${metric} is 0 in all rows of a file`,
    }),
  );
}

/** Reports years in which all rows are 0, before the first year with figures: somebody filled years without data with zeros. */
async function checkZeroYears({ staging, dataset, metric, problems }: OfMetric): Promise<void> {
  await warnOfEach(
    { staging, problems, column: metric },
    `WITH of_year AS (SELECT year, count(*)::INTEGER AS n, min(${PLACE}) AS place, bool_and(${metric} = 0) AS is_zero
        FROM ${stagingTable(dataset)} WHERE ${metric} IS NOT NULL GROUP BY year),
      first AS (SELECT min(year) AS year FROM of_year WHERE NOT is_zero)
    SELECT of_year.year, n, ${SOURCE}, ${ROW} FROM of_year, first
    WHERE is_zero AND n > 3 AND of_year.year < first.year ORDER BY of_year.year`,
    (year, n) => ({
      problem: `${metric} is 0 in all ${n} rows of ${year}, and not in later years`,
      remedy: 'leave the cell empty where a figure is missing',
      kind: `${metric} is 0 where a figure may be missing`,
    }),
  );
}

/** Reports zeros after or between other figures, because a missing figure is often typed as 0. */
async function checkZeros({ staging, metric, problems }: OfMetric): Promise<void> {
  await warnOfEach(
    { staging, problems, column: metric },
    `WITH
      -- A market that closes ends in zeros, and one that has not begun starts with them. Zeros in all series are neither.
      of_year AS (SELECT country_code, year, bool_and(value = 0) AS is_whole FROM steps GROUP BY country_code, year),
      odd AS (SELECT country_code, year, place, is_whole FROM steps JOIN of_year USING (country_code, year)
        WHERE value = 0 AND before <> 0 AND (is_whole OR after <> 0)),
      of_country AS (SELECT country_code, count(*)::INTEGER AS n, min(place) AS place, bool_or(is_whole) AS is_whole,
          list_sort(list(DISTINCT year)) AS years FROM odd GROUP BY country_code)
    SELECT country_code, n, is_whole, to_json(years)::VARCHAR, ${SOURCE}, ${ROW} FROM of_country ORDER BY place`,
    (country, n, isWhole, years) => {
      const when = spans((JSON.parse(String(years)) as unknown[]).map(Number));
      return {
        problem: `${metric} of ${staging.text(country)} is 0 in ${rowCount(n)} of ${when}, ${isWhole === true ? 'after years in which it is not' : 'between years in which it is not'}`,
        remedy: 'leave the cell empty where a figure is missing',
        kind: `${metric} is 0 where a figure may be missing`,
      };
    },
  );
}

/** Reports years in which all series of a country repeat the year before, because one of the two years was copied. */
async function checkCopies({ staging, metric, problems }: OfMetric): Promise<void> {
  await warnOfEach(
    { staging, problems, column: metric },
    // Forecasts are left out, because they often repeat a figure.
    `WITH
      reported AS (SELECT country_code, year, year_before, market, value, before, place FROM steps
        WHERE value <> 0 AND temporal_code <> ${staging.code('Forecast')}),
      same AS (SELECT country_code, year, year_before FROM reported GROUP BY ALL HAVING bool_and(value = before)),
      of_year AS (SELECT country_code, year, year_before, count(DISTINCT market)::INTEGER AS n, min(place) AS place
        FROM reported JOIN same USING (country_code, year, year_before)
        GROUP BY country_code, year, year_before HAVING count(DISTINCT market) > 2 AND count(DISTINCT value) > 2)
    SELECT country_code, year, year_before, n, ${SOURCE}, ${ROW} FROM of_year ORDER BY place`,
    (country, year, before, n) => ({
      problem: `${metric} of ${staging.text(country)} in ${year} is that of ${before} in all its ${n} series`,
      remedy: 'check the label of the year: one of the two was copied',
      kind: `${metric} of two years is the same`,
    }),
  );
}
