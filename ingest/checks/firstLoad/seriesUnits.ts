// Warns of figures that are a thousand or a million times off: of a country from one year on, or single ones.
//
// `singleSeriesUnits.ts` warns of some series of a country that are off from one year on.

import { amountText, count, multiple } from '../../messages/numbers.ts';
import { rowCountText, warnOfCountries, warnOfEach } from '../stagedPlaces.ts';
import { nameOfPlace } from '../yearFaults.ts';
import type { MetricCheck } from './seriesSteps.ts';

/** Reports figures in another unit, and gives the reported countries. It reads the table `steps` of `seriesSteps.ts`. */
export async function checkSeriesUnits(check: MetricCheck): Promise<ReadonlySet<string>> {
  const jumps = await checkJumps(check);
  return new Set([...jumps, ...(await checkThousands(check, jumps))]);
}

/**
 * Finds the years in which all series of a country or state become about a thousand or a million times larger or smaller.
 *
 * A new market may grow a hundredfold in its first full year. So a country with a single series is reported only if the
 * series has more than three years. The factor of a single series must also be closer to a thousand or a million.
 */
const JUMPS_SQL = `WITH
      moved AS (
        SELECT country_code, state_code, year, year_before, log10(value) - log10(before) AS size, market, years, place
        FROM steps
        WHERE value > 0 AND before > 0 AND year - year_before <= 3),
      -- Medians and counts of markets are slow. They are computed only for the few years that moved so far.
      far AS (
        SELECT country_code, state_code, year, year_before
        FROM moved
        GROUP BY ALL
        HAVING count(*) FILTER (abs(size) > 2) / count(*) >= 0.9),
      of_year AS (
        SELECT country_code, state_code, year, year_before, median(size) AS size,
          count(DISTINCT market)::INTEGER AS n, max(years) AS years, min(place) AS place
        FROM moved JOIN far USING (country_code, state_code, year, year_before)
        GROUP BY country_code, state_code, year, year_before)
    SELECT country_code, state_code, year, year_before, size, n, place
    FROM of_year
    WHERE (n > 1 OR years > 3)
      AND least(abs(abs(size) - 3), abs(abs(size) - 6)) < CASE WHEN n = 1 THEN 0.3 ELSE 0.6 END
    ORDER BY year, place`;

/** Reports the first year of each country in which the unit of all series changes, and gives the reported countries. */
async function checkJumps({ staging, metric, problems }: MetricCheck): Promise<ReadonlySet<string>> {
  const reported = new Set<string>();
  await warnOfEach({ staging, problems, column: metric }, JUMPS_SQL, (countryCode, stateCode, ...found) => {
    const country = staging.text(countryCode);
    if (reported.has(country)) return null;
    reported.add(country);
    const [year, before, size, n] = found;
    const series = Number(n) === 1 ? 'its only series' : `all its ${count(Number(n))} series`;
    return {
      problem: `${metric} of ${nameOfPlace({ country, state: staging.text(stateCode) })} is about ${timesOf(size)} times ${Number(size) > 0 ? 'larger' : 'smaller'} in ${year} than in ${before}, in ${series}`,
      remedy: `check the unit of the figures of these years`,
      kind: `${metric} of a country changes its unit from one year to the next`,
      country,
    };
  });
  return reported;
}

/** Finds single figures that are a thousand or a million times above or below both the year before and the year after. */
const THOUSANDS_SQL = `SELECT country_code, year, value, log10(value) - log10(before) AS up, log10(value) - log10(after) AS down, place
    FROM steps
    WHERE value > 0 AND before > 0 AND after > 0
      AND least(abs(abs(up) - 3), abs(abs(up) - 6)) < 0.3 AND abs(up - down) < 0.5`;

/**
 * Reports single figures in another unit, once for each country except `reported`, and gives the countries that it
 * reported.
 */
async function checkThousands(
  { staging, metric, problems }: MetricCheck,
  reported: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  await warnOfCountries(
    { staging, problems, column: metric },
    { sql: THOUSANDS_SQL, columns: ['year', 'value', 'up'] },
    (country, { n, year, value, up }) => {
      if (reported.has(country)) return null;
      found.add(country);
      return {
        problem: `${metric} of ${country} in ${year} is ${amountText(Number(value))}, about ${timesOf(up)} times ${Number(up) > 0 ? 'more' : 'less'} than in the years around it (${rowCountText(n)} like it)`,
        remedy: 'check the unit of the figure',
        kind: `${metric} is a thousand times off in one year`,
      };
    },
  );
  return found;
}

/** The power of ten that is nearest to a decimal logarithm, in words. */
const timesOf = (log: unknown): string => multiple(10 ** Math.round(Math.abs(Number(log))));
