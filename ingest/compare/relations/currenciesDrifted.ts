// Finds amounts in a foreign currency that deviate a little from the rates of fx now, where those of most countries do not.

import { groupBy } from '../../../src/basics/lists.ts';
import { type BrokenOfKind, brokenRelation } from '../brokenRelation.ts';
import { type AmountKey, seriesOf, yearOf } from './amountKeys.ts';
import type { Amounts, MarketDataset } from './amounts.ts';
import type { CollectedAmounts } from './collectedAmounts.ts';
import {
  type CloseFigure,
  DRIFTED_DISTANCE,
  extentOf,
  FEWEST_DRIFTED_YEARS,
  hasDrifted,
  whereMostAgree,
} from './drift.ts';
import {
  CLOSE_DISTANCE,
  distanceFromNearerKind,
  distanceOfReported,
  distancesFromRates,
  nearerDistance,
} from './rateDistances.ts';
import type { Rate } from './ratesOfCountries.ts';
import { LEAST_AMOUNT_OF_PART } from './relationLevels.ts';

/** An amount that agreed closely with the rates before, and its distances from the rates. */
interface CloseAmount extends CloseFigure {
  readonly key: AmountKey;
  /** Whether the amount moved against the amount in local currency, and the rate stayed. */
  readonly hasMoved: boolean;
}

/**
 * Finds countries whose amounts in a currency agreed closely with the rates before, and now deviate by 0.5 % to 2 % in at
 * least three years, or in one year whose rate stayed. Such amounts were probably converted at the rates of another month
 * or year, or multiplied. If most countries deviate, none is found.
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
    const hasMoved = hasMovedFromRate(ratesThen, ratesNow, { olds, news, key });
    known.push({ key, year: yearOf(key), before, after, hasMoved });
  }
  const changedDataset = amounts.hasChanged(dataset) ? dataset : 'fx';
  return whereMostAgree(known, ({ key }) => keys.countryOf(key)).flatMap(([country, all]) =>
    [...groupBy(all, ({ key }) => seriesOf(key)).values()].flatMap((inCurrency) => {
      if (!areDrifted(inCurrency)) return [];
      const apart = inCurrency.filter(hasDrifted);
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

/** Whether at least three of these amounts deviate, or one that moved against the amount in local currency. */
function areDrifted(amounts: readonly CloseAmount[]): boolean {
  const apart = amounts.filter(hasDrifted);
  return apart.length >= FEWEST_DRIFTED_YEARS || apart.some(({ hasMoved }) => hasMoved);
}

/** The amounts of both sides, and the key of one of them. */
interface MovedAmount {
  readonly olds: Amounts;
  readonly news: Amounts;
  readonly key: AmountKey;
}

/** Whether an amount moved by 0.5 % or more against the amount in local currency, and its rate stayed. */
function hasMovedFromRate(
  [then]: readonly Rate[],
  [now]: readonly Rate[],
  { olds, news, key }: MovedAmount,
): boolean {
  if (then === undefined || now === undefined) return false;
  if (now.current !== then.current || now.constant !== then.constant) return false;
  const quotient = (amounts: Amounts) =>
    (amounts.get(key) ?? Number.NaN) / (amounts.get(now.localKey) ?? Number.NaN);
  return Math.abs(quotient(news) / quotient(olds) - 1) >= DRIFTED_DISTANCE;
}

/**
 * Whether at least three amounts deviate whose figures or rates moved, or one whose rate stayed. In most months fewer do,
 * and the search ends.
 */
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
    if (apart > 0 && hasMovedFromRate(rates.before.get(key) ?? [], ratesNow, { olds, news, key }))
      return true;
  }
  return false;
}
