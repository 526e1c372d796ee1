// Warns of figures that are a thousand or a million times off: all of a country from one year on, or single ones.

import { amount } from '../../messages/numbers.ts';
import { placeOfNumber, rowCount, rowsOf, warnOfEach } from '../places.ts';
import type { MetricCheck } from './seriesSteps.ts';

/**
 * Reports changes of the unit from one year to the next. It reads the table `steps` of `seriesSteps.ts`.
 *
 * @returns The codes of the reported countries.
 */
export async function checkUnits(check: MetricCheck): Promise<ReadonlySet<unknown>> {
  const jumps = await checkJumps(check);
  return new Set([...jumps, ...(await checkThousands(check, jumps))]);
}

/**
 * Reports years in which all series of a country become a thousand or a million times larger or smaller.
 *
 * @returns The codes of the reported countries.
 */
async function checkJumps({ staging, metric, problems }: MetricCheck): Promise<ReadonlySet<unknown>> {
  // A new market may grow a hundredfold in its first full year. So a country with a single series is reported only if the series
  // has more than three years, and its factor must be closer to a thousand or a million.
  const found = await rowsOf(
    staging,
    `WITH
      moved AS (
        SELECT country_code, state_code, year, year_before, log10(value) - log10(before) AS size, market, years, place
        FROM steps
        WHERE value > 0 AND before > 0 AND year - year_before <= 3),
      -- Medians and counts of markets are slow, and few years have moved so far.
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
    ORDER BY year, place`,
  );
  const reported = new Set<unknown>();
  for (const [countryCode, stateCode, year, before, size, n, place] of found) {
    if (reported.has(countryCode)) continue;
    reported.add(countryCode);
    const [country, state] = [staging.text(countryCode), staging.text(stateCode)];
    const market = state === '' ? country : `${state}, ${country},`;
    const times = amount(10 ** Math.round(Math.abs(Number(size))));
    const series = Number(n) === 1 ? 'its only series' : `all its ${n} series`;
    problems.add('warning', placeOfNumber(staging, place as bigint, metric), {
      problem: `${metric} of ${market} is about ${times} times ${Number(size) > 0 ? 'larger' : 'smaller'} in ${year} than in ${before}, in ${series}`,
      remedy: `check the unit of the figures of these years`,
      kind: `${metric} of a country changes its unit from one year to the next`,
    });
  }
  return reported;
}

/**
 * Reports single figures that are a thousand or a million times above or below both the year before and the year after.
 *
 * @returns The codes of the reported countries.
 */
async function checkThousands(
  { staging, metric, problems }: MetricCheck,
  reported: ReadonlySet<unknown>,
): Promise<ReadonlySet<unknown>> {
  const found = new Set<unknown>();
  await warnOfEach(
    { staging, problems, column: metric },
    `WITH
      sized AS (
        SELECT country_code, year, value, place,
          log10(value) - log10(before) AS up, log10(value) - log10(after) AS down
        FROM steps
        WHERE value > 0 AND before > 0 AND after > 0),
      far AS (
        SELECT country_code, count(*)::INTEGER AS n, min(place) AS place,
          arg_min(year, place) AS year, arg_min(value, place) AS value, arg_min(up, place) AS up
        FROM sized
        WHERE least(abs(abs(up) - 3), abs(abs(up) - 6)) < 0.3 AND abs(up - down) < 0.5
        GROUP BY country_code)
    SELECT country_code, year, value, up, n, place FROM far ORDER BY place`,
    (country, year, value, up, n) => {
      if (reported.has(country)) return null;
      found.add(country);
      const times = amount(10 ** Math.round(Math.abs(Number(up))));
      return {
        problem: `${metric} of ${staging.text(country)} in ${year} is ${amount(Number(value))}, about ${times} times ${Number(up) > 0 ? 'more' : 'less'} than in the years around it (${rowCount(n)} like it)`,
        remedy: 'check the unit of the figure',
        kind: `${metric} is a thousand times off in one year`,
      };
    },
  );
  return found;
}
