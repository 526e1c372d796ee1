// Warns of the last figure of a market that is far above or below the years before it.
//
// `seriesSpikes.ts` compares a figure with the year after it, which the last figure does not have.

import { amountText, multiple } from '../../messages/numbers.ts';
import { rowCountText, warnOfCountries } from '../stagedPlaces.ts';
import { LEAST_FIGURE, type MetricCheck } from './seriesSteps.ts';

/**
 * The last figure of a market is reported if it is this many times above, or below, the year before. In the sample it is at
 * most 1.9 times above, and 1.7 times below.
 */
const LEAST_TIMES_ABOVE = 5;
const LEAST_TIMES_BELOW = 8;

/** The two years before differ by less than this factor. Otherwise the market has no usual size. */
const MOST_BETWEEN = 2;

/**
 * If more than this share of the markets leap in a year, and more than one, the year probably has a few months only.
 */
const MOST_LEAPING = 0.1;

/**
 * Reports last figures that leap in all currencies of their market, once for each country. A leap in one currency is left
 * to the checks of currencies. It reads the table `steps` of `seriesSteps.ts`.
 *
 * @param reported The countries whose figures were reported to be in another unit. They are left out.
 */
export async function checkLastFigures(
  { staging, metric, problems }: MetricCheck,
  reported: ReadonlySet<string>,
): Promise<void> {
  await warnOfCountries(
    { staging, problems, column: metric },
    { sql: LEAPS_SQL, columns: ['year', 'value', 'before'] },
    (country, { n, year, value, before }) => {
      if (reported.has(country)) return null;
      const [now, then] = [Number(value), Number(before)];
      return {
        problem: `${metric} of ${country} in ${year} is ${amountText(now)}, ${multiple(Math.max(now / then, then / now))} times ${now > then ? 'more' : 'less'} than the year before, and the market has no later year (${rowCountText(n)} like it)`,
        remedy: 'check the figure',
        kind: `${metric} of a last year is far from the years before it`,
      };
    },
  );
}

const LEAPS_SQL = `WITH
      last AS (
        SELECT country_code, market, year, value, before, place,
          value > ${LEAST_TIMES_ABOVE} * before OR value * ${LEAST_TIMES_BELOW} < before AS leaps
        FROM steps
        WHERE after IS NULL AND value >= 0.01 AND before > 0 AND two_before > 0 AND year - year_two_before = 2
          AND greatest(before, two_before) < ${MOST_BETWEEN} * least(before, two_before) AND greatest(value, before) > ${LEAST_FIGURE}),
      leaping AS (
        SELECT country_code, market, year FROM last GROUP BY ALL HAVING bool_and(leaps)),
      few AS (
        SELECT year FROM last GROUP BY year
        HAVING count(DISTINCT market) FILTER ((country_code, market, year) IN (FROM leaping))
          <= greatest(1, ${MOST_LEAPING} * count(DISTINCT market)))
    SELECT country_code, year, value, before, place
    FROM last JOIN leaping USING (country_code, market, year) JOIN few USING (year)`;
