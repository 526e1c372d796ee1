// Warns of a market whose ggr is far too small a part of the ggr of its country. Its figures may be in thousands.

import { roundedPercent } from '../../messages/numbers.ts';
import type { Staging } from '../../staging/database/staging.ts';
import { stagingTable } from '../../staging/database/stagingTables.ts';
import type { CheckInput } from '../checkInput.ts';
import { PLACE_SQL, placeOfCellAt, queryStaging } from '../stagedPlaces.ts';
import { MOST_TURNOVER_RATIO } from './turnover.ts';

/**
 * A share is reported if it is this many times smaller than in the median country. In the sample it is at most 50 times
 * smaller.
 */
const MOST_TIMES_SMALLER = 200;

/** A smaller share is reported whatever it is in other countries. The smallest share in the sample is 0.15 %. */
const LEAST_SHARE = 1 / 20_000;

/** The fewest countries whose median share of a market is compared with the share of each. */
const FEWEST_COUNTRIES = 6;

/** Reports markets whose share in the ggr of their country is far smaller than in the median country, or tiny. */
export async function checkMarketShares({
  staging,
  datasets,
  usedValues,
  problems,
}: CheckInput): Promise<void> {
  // Among fewer countries the check finds nothing, and planning its statement would take time.
  if (usedValues.in('ggr', 'country').length < FEWEST_COUNTRIES) return;
  const found = await queryStaging(staging, smallSharesSql(staging));
  for (const [share, usual, place, country, ...market] of found) {
    if (datasets.includes('turnover') && (await hasLargeTurnover(staging, Number(country), market))) continue;
    const [product, ...channels] = market.map((code) => staging.text(code));
    const elsewhere =
      usual === null ? '' : `, and ${roundedPercent(Number(usual), 2)} in the median country that has it`;
    problems.add('warning', placeOfCellAt(staging, place as bigint, 'ggr'), {
      problem: `ggr of ${product} (${channels.join(' ')}) is at most ${roundedPercent(Number(share), 2)} of that of ${staging.text(country)}${elsewhere}`,
      remedy: 'check the unit of its figures',
      kind: 'ggr of a market far too small in its country',
      country: staging.text(country),
    });
  }
}

/** SQL for the markets whose largest share in a year is tiny, or far below the largest share in the median country. */
const smallSharesSql = (staging: Staging): string =>
  `WITH
    yearly AS (
      SELECT country_code, ${MARKET}, fx_code, year, sum(ggr) AS ggr, min(${PLACE_SQL}) AS place
      FROM ${stagingTable('ggr')}
      WHERE state_code = ${staging.code('')} AND ggr > 0
      GROUP BY ALL),
    shares AS (
      SELECT *, ggr / sum(ggr) OVER (PARTITION BY country_code, fx_code, year) AS share
      FROM yearly),
    largest AS (
      SELECT country_code, ${MARKET}, max(share) AS share, min(place) AS place
      FROM shares
      GROUP BY ALL),
    usual AS (
      SELECT ${MARKET}, median(share) AS usual
      FROM largest
      GROUP BY ALL
      HAVING count(*) >= ${FEWEST_COUNTRIES})
  SELECT share, usual, place, country_code, ${MARKET}
  FROM largest LEFT JOIN usual USING (${MARKET})
  WHERE share * ${MOST_TIMES_SMALLER} < usual OR share < ${LEAST_SHARE}
  ORDER BY place`;

const MARKET = ['product_code', 'channel_code', 'sub_channel_code'].join(', ');

/**
 * Whether turnover of a market exceeds `MOST_TURNOVER_RATIO` times its ggr. Then only ggr is wrong, and `turnover.ts`
 * reports it.
 */
async function hasLargeTurnover(
  staging: Staging,
  country: number,
  market: readonly unknown[],
): Promise<boolean> {
  const sumOf = (metric: 'ggr' | 'turnover') =>
    `(SELECT sum(${metric}) FROM ${stagingTable(metric)} WHERE (country_code, ${MARKET}) = (${[country, ...market].join(', ')}))`;
  const [[isLarge] = []] = await queryStaging(
    staging,
    `SELECT ${sumOf('turnover')} > ${MOST_TURNOVER_RATIO} * ${sumOf('ggr')}`,
  );
  return isLarge === true;
}
