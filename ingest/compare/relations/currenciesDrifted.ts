// Finds amounts in a foreign currency that deviate a little from the rates of fx now, where those of most countries do not.

import { groupBy } from '../../../src/basics/lists.ts';
import { type BrokenOfKind, brokenRelation } from '../brokenRelation.ts';
import { type AmountKey, seriesOf, yearOf } from './amountKeys.ts';
import type { Amounts, MarketDataset } from './amounts.ts';
import type { CollectedAmounts } from './collectedAmounts.ts';
import { type CloseFigure, extentOf, FEWEST_DRIFTED_YEARS, hasDrifted, whereMostAgree } from './drift.ts';
import {
  CLOSE_DISTANCE,
  distanceFromNearerKind,
  distanceOfReported,
  distancesFromRates,
  nearerDistance,
} from './rateDistances.ts';
import { LEAST_AMOUNT_OF_PART } from './relationLevels.ts';

/** An amount that agreed closely with the rates before, and its distances from the rates. */
interface CloseAmount extends CloseFigure {
  readonly key: AmountKey;
}

/**
 * Finds countries whose amounts in a currency agreed closely with the rates before, and now deviate by 0.5 % to 2 % in at
 * least three years. Such amounts were probably converted at the rates of the month before, or multiplied. If most
 * countries deviate, none is found.
 */
export function currenciesDrifted(amounts: CollectedAmounts, dataset: MarketDataset): BrokenOfKind[] {
  const { forecast, rates, keys } = amounts;
  const [olds, news] = [amounts.totals(dataset, 'before'), amounts.totals(dataset, 'after')];
  const distance = forecast ? distanceFromNearerKind : distanceOfReported;
  if (!mayDrift(amounts, olds, news)) return [];
  const known: CloseAmount[] = [];
  for (const [key, amount] of news) {
    const old = olds.get(key);
    const ratesNow = rates.after.get(key);
    const ratesThen = rates.before.get(key);
    if (old === undefined || ratesNow === undefined || ratesThen === undefined) continue;
    const then = distancesFromRates(ratesThen, olds, old, LEAST_AMOUNT_OF_PART);
    const before = nearerDistance(then);
    if (!(before <= CLOSE_DISTANCE)) continue;
    const after = distance(then, distancesFromRates(ratesNow, news, amount, LEAST_AMOUNT_OF_PART));
    if (Number.isNaN(after)) continue;
    known.push({ key, year: yearOf(key), before, after });
  }
  const changedDataset = amounts.hasChanged(dataset) ? dataset : 'fx';
  return whereMostAgree(known, ({ key }) => keys.countryOf(key)).flatMap(([country, all]) =>
    [...groupBy(all, ({ key }) => seriesOf(key)).values()].flatMap((inCurrency) => {
      const apart = inCurrency.filter(hasDrifted);
      if (apart.length < FEWEST_DRIFTED_YEARS) return [];
      const where = { country, currency: keys.decode(inCurrency[0].key).fx };
      return [
        brokenRelation({
          relation: 'currencies-drifted',
          dataset: changedDataset,
          ...where,
          ...extentOf(apart),
        }),
      ];
    }),
  );
}

/** Whether at least three amounts deviate whose figures or rates moved. In most months fewer do, and the search ends. */
function mayDrift({ forecast, rates }: CollectedAmounts, olds: Amounts, news: Amounts): boolean {
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
    const distances = distancesFromRates(ratesNow, news, amount, LEAST_AMOUNT_OF_PART);
    // A forecast that was converted at the rates of the month before may agree with the constant rates by chance.
    if ((forecast ? distances.current : nearerDistance(distances)) > CLOSE_DISTANCE) apart += 1;
    if (apart >= FEWEST_DRIFTED_YEARS) return true;
  }
  return false;
}
