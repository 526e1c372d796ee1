// Finds countries whose amounts in a foreign currency now deviate a little from the rates of fx, while those of most do not.

import { ascending } from '../../../src/ascending.ts';
import { groupBy } from '../../../src/groupBy.ts';
import { type Amounts, type MarketDataset, MOST_YEARS } from './amounts.ts';
import type { CollectedAmounts } from './collectedAmounts.ts';
import {
  AGREEING_DISTANCE,
  CLOSE_DISTANCE,
  distancesFrom,
  nearerRates,
  nearest,
  reportedRates,
} from './rateDistances.ts';
import { type BrokenOfKind, brokenOf, SMALLEST_PART } from './relationLevels.ts';

/** The smallest distance that counts. Rates that are revised after the amounts were computed cause smaller ones. */
export const DRIFTED = 0.005;

/** The number of years that must deviate. A single year may be converted at a rate of its own. */
const FEWEST_YEARS = 3;

/** The number of other countries that must still agree. Fewer do not show how amounts are converted. */
export const FEWEST_COUNTRIES = 3;

/** An amount that agreed closely with the rates before, and its distances from the rates. */
interface Known {
  readonly name: number;
  readonly before: number;
  readonly after: number;
}

/**
 * Finds countries whose amounts in a currency agreed closely with the rates before, and now deviate by 0.5 % to 2 % in at least
 * three years: they were converted at the rates of the month before, or multiplied. Finds none where most countries deviate.
 */
export function currenciesDrifted(amounts: CollectedAmounts, dataset: MarketDataset): BrokenOfKind[] {
  const { forecast, rates, names } = amounts;
  const [olds, news] = [amounts.totals(dataset, 'before'), amounts.totals(dataset, 'after')];
  const distance = forecast ? nearerRates : reportedRates;
  if (!mayDrift(amounts, olds, news)) return [];
  const known: Known[] = [];
  let drifted = 0;
  for (const [name, amount] of news) {
    const old = olds.get(name);
    const ratesNow = rates.after.get(name);
    const ratesThen = rates.before.get(name);
    if (old === undefined || ratesNow === undefined || ratesThen === undefined) continue;
    const then = distancesFrom(ratesThen, olds, old, SMALLEST_PART);
    const before = nearest(then);
    if (!(before <= CLOSE_DISTANCE)) continue;
    const after = distance(then, distancesFrom(ratesNow, news, amount, SMALLEST_PART));
    if (Number.isNaN(after)) continue;
    known.push({ name, before, after });
    if (after >= DRIFTED && after <= AGREEING_DISTANCE) drifted += 1;
  }
  if (drifted < FEWEST_YEARS) return [];
  const blamed = amounts.hasChanged(dataset) ? dataset : 'fx';
  const countries = [...groupBy(known, ({ name }) => names.countryOf(name))];
  const close = countries.filter(([, all]) => all.every(({ after }) => after <= CLOSE_DISTANCE)).length;
  if (close < FEWEST_COUNTRIES || close < countries.length / 2) return [];
  return countries.flatMap(([country, all]) =>
    [...groupBy(all, ({ name }) => Math.floor(name / MOST_YEARS)).values()].flatMap((inCurrency) => {
      const drift = driftOf(inCurrency);
      if (drift === null) return [];
      const { fx } = names.placeOf(inCurrency[0].name);
      return [brokenOf({ relation: 'currencies-drifted', dataset: blamed, country, currency: fx, ...drift })];
    }),
  );
}

/** The years in which the amounts of a country in one currency drifted, and the largest distances; null where too few did. */
function driftOf(amounts: readonly Known[]): Pick<BrokenOfKind, 'years' | 'before' | 'after'> | null {
  const drifted = amounts.filter(({ after }) => after >= DRIFTED && after <= AGREEING_DISTANCE);
  if (drifted.length < FEWEST_YEARS) return null;
  return {
    years: ascending(drifted.map(({ name }) => name % MOST_YEARS)),
    before: Math.max(...drifted.map(({ before }) => before)),
    after: Math.max(...drifted.map(({ after }) => after)),
  };
}

/** Whether at least three amounts deviate where the amount or its rate moved. In most months fewer do, which ends the search. */
function mayDrift({ forecast, rates }: CollectedAmounts, olds: Amounts, news: Amounts): boolean {
  let apart = 0;
  for (const [name, amount] of news) {
    const ratesNow = rates.after.get(name);
    if (ratesNow === undefined) continue;
    const now = ratesNow[0];
    const then = rates.before.get(name)?.[0];
    const isSame =
      then !== undefined &&
      now?.current === then.current &&
      now.constant === then.constant &&
      olds.get(name) === amount &&
      olds.get(now.own) === news.get(now.own);
    if (isSame) continue;
    const distances = distancesFrom(ratesNow, news, amount, SMALLEST_PART);
    // A forecast that was converted at the rates of the month before may agree with the constant rates by chance.
    if ((forecast ? distances.current : nearest(distances)) > CLOSE_DISTANCE) apart += 1;
    if (apart >= FEWEST_YEARS) return true;
  }
  return false;
}
