// Warns of a product of a country whose ggr is far too small beside the country's, because its figures are in thousands.

import { percent } from '../../messages/numbers.ts';
import type { Staging } from '../../staging/database/staging.ts';
import { stagingTable } from '../../staging/database/stagingTables.ts';
import type { CheckedRows } from '../checkedRows.ts';
import { PLACE, placeOfNumber, rowsOf } from '../places.ts';
import { MOST_RATIO } from './turnover.ts';

/** How many times smaller than in the median country the share of a product may be. Of products in the sample, the smallest is 25 times so. */
const MOST_TIMES_SMALLER = 200;

/** The fewest countries whose shares of a product show what is usual. */
const FEWEST_COUNTRIES = 6;

/** Compares the share of each product and channel in the ggr of its country with that in the median country. */
export async function checkMarketShares({ staging, datasets, used, problems }: CheckedRows): Promise<void> {
  // Among fewer countries the check finds nothing, and planning its statement would take time.
  if (used.in('ggr', 'country').length < FEWEST_COUNTRIES) return;
  const found = await rowsOf(
    staging,
    `WITH
      yearly AS (
        SELECT country_code, product_code, channel_code, fx_code, year, sum(ggr) AS ggr, min(${PLACE}) AS place
        FROM ${stagingTable('ggr')}
        WHERE state_code = ${staging.code('')} AND ggr > 0
        GROUP BY ALL),
      shares AS (
        SELECT *, ggr / sum(ggr) OVER (PARTITION BY country_code, fx_code, year) AS share
        FROM yearly),
      largest AS (
        SELECT country_code, product_code, channel_code, max(share) AS share, min(place) AS place
        FROM shares
        GROUP BY ALL),
      usual AS (
        SELECT product_code, channel_code, median(share) AS usual
        FROM largest
        GROUP BY ALL
        HAVING count(*) >= ${FEWEST_COUNTRIES})
    SELECT country_code, product_code, channel_code, share, usual, place
    FROM largest JOIN usual USING (product_code, channel_code)
    WHERE share * ${MOST_TIMES_SMALLER} < usual
    ORDER BY place`,
  );
  for (const [country, product, channel, share, usual, place] of found) {
    const part = { country: Number(country), product: Number(product), channel: Number(channel) };
    if (datasets.includes('turnover') && (await hasLargeTurnover(staging, part))) continue;
    const rounded = (part: unknown) => percent(Number(Number(part).toPrecision(2)));
    problems.add('warning', placeOfNumber(staging, place as bigint, 'ggr'), {
      problem: `ggr of ${staging.text(product)} (${staging.text(channel)}) is at most ${rounded(share)} of that of ${staging.text(country)}, and ${rounded(usual)} in the median country that has it`,
      remedy: 'check the unit of its figures',
      kind: 'ggr of a product far too small in its country',
      country: staging.text(country),
    });
  }
}

/** The codes of a country, a product and a channel in the staging database. */
interface Part {
  readonly country: number;
  readonly product: number;
  readonly channel: number;
}

/** Whether turnover of a part is more than 300 times its ggr, so that only ggr is wrong: the check of turnover reports it. */
async function hasLargeTurnover(staging: Staging, { country, product, channel }: Part): Promise<boolean> {
  const sumOf = (metric: 'ggr' | 'turnover') =>
    `(SELECT sum(${metric}) FROM ${stagingTable(metric)} WHERE country_code = ${country} AND product_code = ${product} AND channel_code = ${channel})`;
  const [[isLarge] = []] = await rowsOf(
    staging,
    `SELECT ${sumOf('turnover')} > ${MOST_RATIO} * ${sumOf('ggr')}`,
  );
  return isLarge === true;
}
