// Warns of single figures of a market that are far above or below both the year before and the year after.

import { amountText, multiple } from '../../messages/numbers.ts';
import { rowCountText, warnOfCountries } from '../stagedPlaces.ts';
import { LEAST_FIGURE, type MetricCheck } from './seriesSteps.ts';

/**
 * A figure is reported if it is this many times above, or below, both the year before and the year after. No figure of the
 * sample is 1.4 times above or 1.6 times below both. In a pandemic year, venues fall to a fifth or a sixth.
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
