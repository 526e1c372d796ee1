// Warns of ggr that is 0 beside turnover: somebody probably typed 0 where a figure is missing.

import { datasetOf } from '../../../src/catalog/datasets.ts';
import { amountText } from '../../messages/numbers.ts';
import { stagingColumn, stagingTable } from '../../staging/database/stagingTables.ts';
import type { CheckInput } from '../checkInput.ts';
import { BESIDE_SERIES, columnsWithout, PLACE_SQL, rowCountText, warnOfCountries } from '../stagedPlaces.ts';
import { mayBeZero } from './possibleFaults.ts';
import { MOST_TURNOVER_RATIO } from './turnover.ts';

/** The smallest turnover that is examined. Figures of very small markets are often rounded to 0. */
const LEAST_TURNOVER = 1000;

/** The units to which figures may be rounded. */
const UNITS = [1e9, 1e8, 1e7, 1e6, 1e5, 1e4, 1e3, 100, 10];

/**
 * Reports countries with ggr of 0 beside turnover that is more than 300 times the unit of the country's ggr, so that
 * rounding does not explain the 0. It leaves out the zeros that `checkZeros` of `seriesZeros.ts` reports: those between two
 * figures, and those of all markets of a country.
 */
export async function checkZeroGgr({
  staging,
  usedValues,
  rowsInMemory,
  problems,
}: CheckInput): Promise<void> {
  if (usedValues.rows('turnover') === 0 || !mayBeZero('ggr', rowsInMemory.get('ggr'))) return;
  const { dimensions } = datasetOf('ggr');
  const facts = dimensions.map(stagingColumn).join(', ');
  const series = columnsWithout(dimensions, ...BESIDE_SERIES).join(', ');
  const unit = `CASE ${UNITS.map((size) => `WHEN bool_and(ggr % ${size} = 0) THEN ${size}`).join(' ')} ELSE 1 END`;
  await warnOfCountries(
    { staging, problems, column: 'ggr' },
    {
      columns: ['year', 'fx_code', 'turnover'],
      sql: `WITH
        zeros AS (
          SELECT ${facts}, turnover, place
          FROM (SELECT *, ${PLACE_SQL} AS place FROM ${stagingTable('ggr')} WHERE ggr = 0) g
          JOIN (SELECT * FROM ${stagingTable('turnover')} WHERE turnover >= ${LEAST_TURNOVER}) t USING (${facts})),
        units AS (
          SELECT country_code, fx_code, ${unit} AS unit
          FROM ${stagingTable('ggr')} SEMI JOIN zeros USING (country_code)
          WHERE ggr <> 0
          GROUP BY country_code, fx_code),
        beside AS (
          SELECT ${series}, year, temporal_code, lag(ggr) OVER w AS before, lead(ggr) OVER w AS after
          FROM ${stagingTable('ggr')} SEMI JOIN zeros USING (${series})
          WINDOW w AS (PARTITION BY ${series} ORDER BY year)),
        of_year AS (
          SELECT country_code, year, bool_and(ggr = 0) AS are_all_zero
          FROM ${stagingTable('ggr')} SEMI JOIN zeros USING (country_code, year)
          GROUP BY country_code, year)
        SELECT country_code, year, fx_code, turnover, place
        FROM zeros JOIN units USING (country_code, fx_code) JOIN beside USING (${series}, year, temporal_code)
        JOIN of_year USING (country_code, year)
        WHERE turnover > ${MOST_TURNOVER_RATIO} * unit
          AND NOT (coalesce(before, 0) <> 0 AND (are_all_zero OR coalesce(after, 0) <> 0))`,
    },
    (country, { year, fx_code, turnover, n }) => ({
      problem: `ggr of ${country} is 0 in ${rowCountText(n)} beside turnover; the first, of ${year}, has turnover of ${amountText(Number(turnover))} ${staging.text(fx_code)}`,
      remedy: 'leave the cell empty where a figure is missing',
      kind: 'ggr is 0 beside turnover',
    }),
  );
}
