// Warns of a year of a market whose ggr is another share of its turnover than in the years before and after it.

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

/** The smallest turnover of a compared market. With less, a few bets decide the share. */
const SMALLEST_TURNOVER = 100_000;

/**
 * Reports years in which ggr or turnover of a market is wrong, once for each country. If a country has figures in USD, only
 * these are compared.
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
  const far = `WITH
      holds AS (
        SELECT ${series}, year, ggr / turnover AS hold, place
        FROM (SELECT *, ${PLACE_SQL} AS place FROM ${stagingTable('turnover')}) t
        JOIN ${stagingTable('ggr')} g USING (${dimensions.map(stagingColumn).join(', ')})
        WHERE ggr > 0 AND turnover >= ${SMALLEST_TURNOVER} AND temporal_code <> ${staging.code('Forecast')}
          AND (fx_code = ${usd} OR country_code NOT IN (SELECT country_code FROM ${stagingTable('turnover')} WHERE fx_code = ${usd}))),
      beside AS (
        SELECT *, lag(hold) OVER w AS before, lead(hold) OVER w AS after, lag(year) OVER w AS year_before, lead(year) OVER w AS year_after
        FROM holds
        WINDOW w AS (PARTITION BY ${series} ORDER BY year))
    SELECT *
    FROM beside
    WHERE year_before = year - 1 AND year_after = year + 1 AND greatest(before, after) < ${MOST_BETWEEN} * least(before, after)
      AND (hold > ${LEAST_TIMES} * greatest(before, after) OR ${LEAST_TIMES} * hold < least(before, after))`;
  await warnOfCountries(
    { staging, problems, column: 'turnover' },
    { sql: far, columns: ['year', 'hold', 'before'] },
    (country, { n, year, hold, before }) => ({
      problem: `ggr of a market of ${country} in ${year} is ${roundedPercent(Number(hold), 2)} of turnover, ${roundedPercent(Number(before), 2)} in the year before, and the year after is like that one (${rowCountText(n)} like it)`,
      remedy: 'check both figures',
      kind: 'ggr of a year is another share of turnover than in the years beside it',
    }),
  );
}
