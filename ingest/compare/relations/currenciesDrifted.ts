// Finds countries whose amounts in a foreign currency now deviate a little from the rates of fx, while those of most do not.

import { ascending } from '../../../src/ascending.ts';
import { groupBy } from '../../../src/groupBy.ts';
import { type BrokenOfKind, brokenOf } from '../brokenRelation.ts';
import { type AmountKey, seriesOf, yearOf } from './amountKeys.ts';
import type { Amounts, MarketDataset } from './amounts.ts';
import type { CollectedAmounts } from './collectedAmounts.ts';
import {
  AGREEING_DISTANCE,
  CLOSE_DISTANCE,
  distancesFrom,
  nearerRates,
  nearest,
  reportedRates,
} from './rateDistances.ts';
import { SMALLEST_PART } from './relationLevels.ts';

/** The smallest distance that counts. Rates that are revised after the amounts were computed cause smaller ones. */
export const DRIFTED = 0.005;

/** The number of years that must deviate. A single year may be converted at a rate of its own. */
const FEWEST_YEARS = 3;

/** The number of other countries that must still agree. Fewer do not show how amounts are converted. */
export const FEWEST_COUNTRIES = 3;

/** An amount that agreed closely with the rates before, and its distances from the rates. */
interface Known {
  readonly key: AmountKey;
  readonly before: number;
  readonly after: number;
}

/**
 * Finds countries whose amounts in a currency agreed closely with the rates before, and now deviate by 0.5 % to 2 % in at least
 * three years: they were converted at the rates of the month before, or multiplied. Finds none where most countries deviate.
 */
export function currenciesDrifted(amounts: CollectedAmounts, dataset: MarketDataset): BrokenOfKind[] {
  const { kind, rates, keys } = amounts;
  const [olds, news] = [amounts.totals(dataset, 'before'), amounts.totals(dataset, 'after')];
  const distance = kind === 'forecasts' ? nearerRates : reportedRates;
  if (!mayDrift(amounts, olds, news)) return [];
  const known: Known[] = [];
  let drifted = 0;
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
    known.push({ key, before, after });
    if (after >= DRIFTED && after <= AGREEING_DISTANCE) drifted += 1;
  }
  if (drifted < FEWEST_YEARS) return [];
  const blamed = amounts.hasChanged(dataset) ? dataset : 'fx';
  const countries = [...groupBy(known, ({ key }) => keys.countryOf(key))];
  const close = countries.filter(([, all]) => all.every(({ after }) => after <= CLOSE_DISTANCE)).length;
  if (close < FEWEST_COUNTRIES || close < countries.length / 2) return [];
  return countries.flatMap(([country, all]) =>
    [...groupBy(all, ({ key }) => seriesOf(key)).values()].flatMap((inCurrency) => {
      const drift = driftOf(inCurrency);
      if (drift === null) return [];
      const { fx } = keys.decode(inCurrency[0].key);
      return [brokenOf({ relation: 'currencies-drifted', dataset: blamed, country, currency: fx, ...drift })];
    }),
  );
}

/** The years in which the amounts of a country in one currency drifted, and the largest distances; null where too few did. */
function driftOf(amounts: readonly Known[]): Pick<BrokenOfKind, 'years' | 'before' | 'after'> | null {
  const drifted = amounts.filter(({ after }) => after >= DRIFTED && after <= AGREEING_DISTANCE);
  if (drifted.length < FEWEST_YEARS) return null;
  return {
    years: ascending(drifted.map(({ key }) => yearOf(key))),
    before: Math.max(...drifted.map(({ before }) => before)),
    after: Math.max(...drifted.map(({ after }) => after)),
  };
}

/** Whether at least three amounts deviate where the amount or its rate moved. In most months fewer do, which ends the search. */
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
      olds.get(now.own) === news.get(now.own);
    if (isSame) continue;
    const distances = distancesFrom(ratesNow, news, amount, SMALLEST_PART);
    // A forecast that was converted at the rates of the month before may agree with the constant rates by chance.
    if ((kind === 'forecasts' ? distances.current : nearest(distances)) > CLOSE_DISTANCE) apart += 1;
    if (apart >= FEWEST_YEARS) return true;
  }
  return false;
}
