// Warns of single figures of a market that are far above or below the years beside them, or, for the last, before it.

import { amountText, multiple } from '../../messages/numbers.ts';
import { rowCountText, warnOfCountries } from '../stagedPlaces.ts';
import { LEAST_FIGURE, type MetricCheck } from './seriesSteps.ts';

/**
 * A figure is reported if it is this many times above, or below, both the year before and the year after. No figure of the
 * sample is 1.4 times above or 1.6 times below both. In a pandemic year, venues fall to a fifth or a sixth. The last figure
 * of a market is reported if it is so far from the year before. In the sample, it is at most 1.9 times above and 1.7 below.
 */
const LEAST_TIMES_ABOVE = 5;
const LEAST_TIMES_BELOW = 8;

/**
 * The lower limit for markets of a kind that at least `FEWEST_COUNTRIES` countries have, such as poker online. The years
 * before and after must differ by less than `MOST_BETWEEN_BESIDE_OTHERS` times. The figure must be this many times above or
 * below their geometric mean, and this many times further from it than in the median country. No figure of the sample is so
 * far from it. `LEAST_JUMP` of `possibleFaults.ts` must stay below this factor.
 */
const LEAST_TIMES_BESIDE_OTHERS = 1.8;
const MOST_BETWEEN_BESIDE_OTHERS = 1.5;
const FEWEST_COUNTRIES = 6;

/** The largest factor between the years before and after. Where they differ by more, the market has no usual size. */
const MOST_BETWEEN = 3;

/**
 * If this many markets of a country leap in a year, and at least half of its figures, the year is left to
 * `misplacedYears.ts`.
 */
const MARKETS_OF_WHOLE_YEAR = 6;

/**
 * Reports figures that leap for one year, once for each country. It reads the table `steps` of `seriesSteps.ts`. It leaves
 * out the countries in `reported`, because their figures were reported to be in another unit.
 */
export async function checkSpikes(
  { staging, metric, problems }: MetricCheck,
  reported: ReadonlySet<string>,
): Promise<void> {
  await warnOfCountries(
    { staging, problems, column: metric },
    { sql: SPIKES_SQL, columns: ['year', 'value', 'before', 'is_above'] },
    (country, { n, year, value, before, is_above: isAbove }) => {
      if (reported.has(country)) return null;
      const [high, low] = isAbove === true ? [value, before] : [before, value];
      return {
        problem: `${metric} of ${country} in ${year} is ${amountText(Number(value))}, ${multiple(Number(high) / Number(low))} times ${isAbove === true ? 'more' : 'less'} than the year before, and the year after is like that one (${rowCountText(n)} like it)`,
        remedy: 'check the figure',
        kind: `${metric} is far from the years around it`,
      };
    },
  );
}

const SPIKES_SQL = `WITH
      beside AS (
        SELECT *, ln(value / sqrt(before * after)) AS times
        FROM steps
        WHERE value >= 0.01 AND before > 0 AND after > 0 AND year - year_before <= 2 AND greatest(value, before) > ${LEAST_FIGURE}
          AND greatest(before, after) < ${MOST_BETWEEN} * least(before, after)),
      kinds AS (
        SELECT kind, year, median(times) AS usual
        FROM beside
        WHERE (kind, year) IN (SELECT (kind, year) FROM beside WHERE abs(times) > ln(${LEAST_TIMES_BESIDE_OTHERS}))
        GROUP BY kind, year
        HAVING count(DISTINCT country_code) >= ${FEWEST_COUNTRIES}),
      compared AS (
        SELECT country_code, market, year, value, place, before, value > before AS is_above,
          value > ${LEAST_TIMES_ABOVE} * greatest(before, after) OR ${LEAST_TIMES_BELOW} * value < least(before, after)
            OR usual IS NOT NULL AND least(abs(times), abs(times - usual)) > ln(${LEAST_TIMES_BESIDE_OTHERS})
              AND greatest(before, after) < ${MOST_BETWEEN_BESIDE_OTHERS} * least(before, after) AS is_far
        FROM beside LEFT JOIN kinds USING (kind, year)),
      far AS (
        SELECT country_code, year FROM compared GROUP BY ALL
        HAVING bool_or(is_far)
          AND (count(DISTINCT market) FILTER (is_far) < ${MARKETS_OF_WHOLE_YEAR} OR 2 * count(*) FILTER (is_far) < count(*)))
    SELECT country_code, year, value, before, is_above, place FROM compared JOIN far USING (country_code, year) WHERE is_far`;

/** The two years before differ by less than this factor. Otherwise the market has no usual size. */
const MOST_BETWEEN_BEFORE = 2;

/** If more than this share of the markets, and more than one, leap in a year, the year probably has a few months only. */
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
    { sql: LAST_SQL, columns: ['year', 'value', 'before'] },
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

const LAST_SQL = `WITH
      last AS (
        SELECT country_code, market, year, value, before, place,
          value > ${LEAST_TIMES_ABOVE} * before OR value * ${LEAST_TIMES_BELOW} < before AS leaps
        FROM steps
        WHERE after IS NULL AND value >= 0.01 AND before > 0 AND two_before > 0 AND year - year_two_before = 2
          AND greatest(before, two_before) < ${MOST_BETWEEN_BEFORE} * least(before, two_before) AND greatest(value, before) > ${LEAST_FIGURE}),
      leaping AS (
        SELECT country_code, market, year FROM last GROUP BY ALL HAVING bool_and(leaps)),
      few AS (
        SELECT year FROM last GROUP BY year
        HAVING count(DISTINCT market) FILTER ((country_code, market, year) IN (FROM leaping))
          <= greatest(1, ${MOST_LEAPING} * count(DISTINCT market)))
    SELECT country_code, year, value, before, place
    FROM last JOIN leaping USING (country_code, market, year) JOIN few USING (year)`;
