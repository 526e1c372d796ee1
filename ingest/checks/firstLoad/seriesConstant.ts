// Warns of markets that have one reported figure in several years, because it was filled down or the years were not updated.

import { firstOf } from '../../messages/numbers.ts';
import { warnOfCountries } from '../places.ts';
import type { MetricCheck } from './seriesSteps.ts';

/** The fewest successive years with one figure. A market may have one figure in two years by chance. */
const FEWEST_YEARS = 3;

/** The most digits of an estimate. An estimate may rightly be the same for years. */
const MOST_DIGITS_OF_ESTIMATES = 4;

/** Reports markets with one figure in several years, once for each country. It reads the table `steps` of `seriesSteps.ts`. */
export async function checkConstant({ staging, metric, problems }: MetricCheck): Promise<void> {
  const constant = `SELECT country_code, market, min(year_before) AS first, max(year) AS last, min(place) AS place
    FROM steps
    WHERE value = before AND year - year_before = 1 AND temporal_code <> ${staging.code('Forecast')} AND value > 0
      AND round(value, ${MOST_DIGITS_OF_ESTIMATES - 1} - floor(log10(value))::INTEGER) <> value
    GROUP BY country_code, market, value
    HAVING count(*) >= ${FEWEST_YEARS - 1}`;
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
