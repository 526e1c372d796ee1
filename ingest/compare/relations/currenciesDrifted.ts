// Finds amounts in a foreign currency that deviate a little from the rates of fx now, where those of most countries do not.

import { groupBy } from '../../../src/basics/lists.ts';
import { type BrokenOfKind, brokenOf } from '../brokenRelation.ts';
import { type AmountKey, seriesOf, yearOf } from './amountKeys.ts';
import type { Amounts, MarketDataset } from './amounts.ts';
import type { CollectedAmounts } from './collectedAmounts.ts';
import { extentOf, FEWEST_YEARS, hasDrifted, type Known, whereMostAgree } from './drift.ts';
import { CLOSE_DISTANCE, distancesFrom, nearerRates, nearest, reportedRates } from './rateDistances.ts';
import { SMALLEST_PART } from './relationLevels.ts';

/** An amount that agreed closely with the rates before, and its distances from the rates. */
interface KnownAmount extends Known {
  readonly key: AmountKey;
}

/**
 * Finds countries whose amounts in a currency agreed closely with the rates before, and now deviate by 0.5 % to 2 % in at
 * least three years. Such amounts were probably converted at the rates of the month before, or multiplied. If most
 * countries deviate, none is found.
 */
export function currenciesDrifted(amounts: CollectedAmounts, dataset: MarketDataset): BrokenOfKind[] {
  const { kind, rates, keys } = amounts;
  const [olds, news] = [amounts.totals(dataset, 'before'), amounts.totals(dataset, 'after')];
  const distance = kind === 'forecasts' ? nearerRates : reportedRates;
  if (!mayDrift(amounts, olds, news)) return [];
  const known: KnownAmount[] = [];
  for (const [key, amount] of news) {
    const old = olds.get(key);
    const ratesNow = rates.after.get(key);
    const ratesThen = rates.before.get(key);
    if (old === undefined || ratesNow === undefined || ratesThen === undefined) continue;
    const then = distancesFrom(ratesThen, olds, old, SMALLEST_PART);
    const before = nearest(then);
    if (!(before <= CLOSE_DISTANCE)) continue;
    const after = distance(then, distancesFrom(ratesNow, news, amount, SMALLEST_PART));
    if (Number.isNaN(after)) continue;
    known.push({ key, year: yearOf(key), before, after });
  }
  if (known.filter(hasDrifted).length < FEWEST_YEARS) return [];
  const blamed = amounts.hasChanged(dataset) ? dataset : 'fx';
  return whereMostAgree(known, ({ key }) => keys.countryOf(key)).flatMap(([country, all]) =>
    [...groupBy(all, ({ key }) => seriesOf(key)).values()].flatMap((inCurrency) => {
      const apart = inCurrency.filter(hasDrifted);
      if (apart.length < FEWEST_YEARS) return [];
      const where = { country, currency: keys.decode(inCurrency[0].key).fx };
      return [brokenOf({ relation: 'currencies-drifted', dataset: blamed, ...where, ...extentOf(apart) })];
    }),
  );
}

/** Whether at least three amounts deviate whose figures or rates moved. In most months fewer do, and the search ends. */
function mayDrift({ kind, rates }: CollectedAmounts, olds: Amounts, news: Amounts): boolean {
  let apart = 0;
  for (const [key, amount] of news) {
    const ratesNow = rates.after.get(key);
    if (ratesNow === undefined) continue;
    const now = ratesNow[0];
    const then = rates.before.get(key)?.[0];
    const isSame =
      then !== undefined &&
      now?.current === then.current &&
      now.constant === then.constant &&
      olds.get(key) === amount &&
      olds.get(now.localKey) === news.get(now.localKey);
    if (isSame) continue;
    const distances = distancesFrom(ratesNow, news, amount, SMALLEST_PART);
    // A forecast that was converted at the rates of the month before may agree with the constant rates by chance.
    if ((kind === 'forecasts' ? distances.current : nearest(distances)) > CLOSE_DISTANCE) apart += 1;
    if (apart >= FEWEST_YEARS) return true;
  }
  return false;
}
