// Warns of markets whose ggr is another share of their turnover in one year, or from one year on.

import { datasetOf } from '../../../src/catalog/datasets.ts';
import { roundedPercent } from '../../messages/numbers.ts';
import { stagingColumn, stagingTable } from '../../staging/database/stagingTables.ts';
import type { CheckInput } from '../checkInput.ts';
import { columnsWithout, PLACE_SQL, rowCountText, warnOfCountries } from '../stagedPlaces.ts';

/**
 * A year is reported if its share is this many times above or below both years beside it. In the sample it is at most 1.08
 * times.
 */
const LEAST_TIMES = 1.5;
/**
 * The shares of the two years beside a reported year differ by less than this factor. Otherwise they show no usual share.
 */
const MOST_BETWEEN = 1.2;

/**
 * A share changes for good if it is this many times above or below that of the year before, the two years before agree, and
 * so do the year and the next one. A market that opens to others may honestly have twice its share.
 */
const LEAST_TIMES_OF_STEP = 2.5;
/** From here on, one of the two is in another unit, which other checks report. */
const MOST_TIMES_OF_STEP = 100;

/** The smallest turnover of a compared market. With less, a few bets decide the share. */
const SMALLEST_TURNOVER = 100_000;

/**
 * Reports years in which ggr or turnover of a market is wrong, and years from which on one of the two is defined otherwise,
 * each once for a country. If a country has figures in USD, only these are compared.
 */
export async function checkMarketHolds({
  staging,
  usedValues,
  rowsInMemory,
  problems,
}: CheckInput): Promise<void> {
  if (Math.min(usedValues.rows('turnover'), usedValues.rows('ggr')) < 3) return;
  // Joining and sorting millions of rows would take too long.
  if (!rowsInMemory.has('turnover') || !rowsInMemory.has('ggr')) return;
  const { dimensions } = datasetOf('turnover');
  const usd = staging.code('USD');
  const series = columnsWithout(dimensions, 'year', 'region', 'temporal').join(', ');
  const beside = `WITH
      holds AS (
        SELECT ${series}, year, ggr / turnover AS hold, place
        FROM (SELECT *, ${PLACE_SQL} AS place FROM ${stagingTable('turnover')}) t
        JOIN ${stagingTable('ggr')} g USING (${dimensions.map(stagingColumn).join(', ')})
        WHERE ggr > 0 AND turnover >= ${SMALLEST_TURNOVER} AND temporal_code <> ${staging.code('Forecast')}
          AND (fx_code = ${usd} OR country_code NOT IN (SELECT country_code FROM ${stagingTable('turnover')} WHERE fx_code = ${usd}))),
      beside AS (
        SELECT *, lag(hold) OVER w AS before, lead(hold) OVER w AS after, lag(hold, 2) OVER w AS two_before,
          lag(year) OVER w AS year_before, lead(year) OVER w AS year_after, lag(year, 2) OVER w AS year_two_before
        FROM holds
        WINDOW w AS (PARTITION BY ${series} ORDER BY year))
    SELECT *
    FROM beside
    WHERE year_before = year - 1 AND year_after = year + 1`;
  const at = { staging, problems, column: 'turnover' };
  const agree = (one: string, other: string) =>
    `greatest(${one}, ${other}) < ${MOST_BETWEEN} * least(${one}, ${other})`;
  const isStep = `year_two_before = year - 2 AND ${agree('before', 'two_before')} AND ${agree('hold', 'after')}
      AND greatest(hold, before) / least(hold, before) BETWEEN ${LEAST_TIMES_OF_STEP} AND ${MOST_TIMES_OF_STEP}`;
  await warnOfCountries(
    at,
    { sql: `${beside} AND ${isStep}`, columns: ['year', 'hold', 'before'] },
    (country, { n, year, hold, before }) => ({
      problem: `ggr of a market of ${country} is about ${roundedPercent(Number(hold), 2)} of turnover from ${year} on, and about ${roundedPercent(Number(before), 2)} until then (${rowCountText(n)} like it)`,
      remedy: 'check that both have one definition and one unit in all years',
      kind: 'ggr is another share of turnover from a year on',
    }),
  );
  const isFar = `${agree('before', 'after')}
      AND (hold > ${LEAST_TIMES} * greatest(before, after) OR ${LEAST_TIMES} * hold < least(before, after))`;
  await warnOfCountries(
    at,
    { sql: `${beside} AND ${isFar}`, columns: ['year', 'hold', 'before'] },
    (country, { n, year, hold, before }) => ({
      problem: `ggr of a market of ${country} in ${year} is ${roundedPercent(Number(hold), 2)} of turnover, ${roundedPercent(Number(before), 2)} in the year before, and the year after is like that one (${rowCountText(n)} like it)`,
      remedy: 'check both figures',
      kind: 'ggr of a year is another share of turnover than in the years beside it',
    }),
  );
}
