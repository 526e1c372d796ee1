// Finds amounts in a foreign currency that no longer equal the amounts in local currency, converted at the rates of fx.

import { digitsOf } from '../../figures/digits.ts';
import type { SideName } from '../side.ts';
import type { AmountKey } from './amountKeys.ts';
import { type Amounts, type MarketDataset, whereEarlierAmountIs } from './amounts.ts';
import type { CollectedAmounts } from './collectedAmounts.ts';
import {
  AGREEING_DISTANCE,
  CONVERTED_DISTANCE,
  type Distances,
  distanceFromEarlierKind,
  distanceFromNearerKind,
  distanceOfReported,
  distancesFromRates,
  nearerDistance,
} from './rateDistances.ts';
import type { Rate } from './ratesOfCountries.ts';
import { type BrokenInYear, COUNTRY_LEVEL, LEAST_AMOUNT_OF_PART, MARKET_LEVEL } from './relationLevels.ts';

/**
 * Finds amounts of one level that disagree. Where the earlier amounts do not agree with the new rates either, the rates are
 * at fault. The broken relation then names fx as its dataset. Where a market lacks one of the currencies, and all others
 * agree, the broken relation is `currency-lacking`.
 */
export function currenciesApart(
  amounts: CollectedAmounts,
  level: number,
  dataset: MarketDataset,
): BrokenInYear[] {
  const { forecast, rates, keys } = amounts;
  const least = level === COUNTRY_LEVEL ? 0 : LEAST_AMOUNT_OF_PART;
  const distances = (side: SideName, ofPlace: Amounts, key: AmountKey, foreign: number): Distances =>
    distancesFromRates(rates[side].get(key) ?? [], ofPlace, foreign, least);
  const totalsBefore = amounts.totals(dataset, 'before');
  const found: BrokenInYear[] = [];
  for (const [place, ofPlace] of amounts.ofLevel(level, dataset, 'after')) {
    for (const [key, amount] of ofPlace) {
      const ratesNow = rates.after.get(key);
      if (ratesNow === undefined) continue;
      const now = distancesFromRates(ratesNow, ofPlace, amount, least);
      if (!(now.current > AGREEING_DISTANCE || now.constant > AGREEING_DISTANCE)) continue;
      // A new year has no earlier amounts, so the year before it shows whether these currencies agree at all.
      const isNew = !totalsBefore.has(key);
      if (!isNew && !forecast && nearerDistance(now) <= CONVERTED_DISTANCE) continue;
      const earlier = whereEarlierAmountIs(key, isNew);
      const old = earlierAmounts(amounts, { level, dataset, place }, earlier);
      const then = distances(earlier.side, old, earlier.key, old.get(earlier.key) ?? Number.NaN);
      const before = nearerDistance(then);
      if (!(before <= AGREEING_DISTANCE)) continue;
      const after = distanceOf(then, now, { forecast, isNew });
      if (!(after > AGREEING_DISTANCE)) continue;
      if (after <= AGREEING_DISTANCE + roundingOf(ratesNow, ofPlace, amount)) continue;
      const atNewRates = distances('after', old, key, isNew ? Number.NaN : (old.get(key) ?? Number.NaN));
      const isOfRates =
        amounts.hasChanged('fx') &&
        (distanceOf(then, atNewRates, { forecast, isNew }) > AGREEING_DISTANCE ||
          !amounts.hasChanged(dataset));
      const { country, year, fx: currency } = keys.decode(key);
      const lacking =
        level === MARKET_LEVEL || !amounts.hasChanged(dataset)
          ? []
          : marketsWithoutCurrency(amounts, { dataset, place, key, after });
      if (lacking.length > 0) {
        found.push(...lacking);
        continue;
      }
      const where = { dataset: isOfRates ? 'fx' : dataset, country, year, currency, level, place } as const;
      found.push({ relation: 'currencies-apart', ...where, before, after });
    }
  }
  return found;
}

interface Sum {
  readonly dataset: MarketDataset;
  /** The product that is summed; `''` for the whole country. */
  readonly place: string;
  /** The key of the sum in a foreign currency. */
  readonly key: AmountKey;
  /** The distance of the sum from the rates. */
  readonly after: number;
}

/**
 * The markets of a sum that have figures in the local or in the foreign currency alone. None where the other markets
 * disagree with the rates, because then the rates or the figures are wrong as well.
 */
function marketsWithoutCurrency(amounts: CollectedAmounts, sum: Sum): BrokenInYear[] {
  const { dataset, place, key, after } = sum;
  const { country, year, fx } = amounts.keys.decode(key);
  const isOfSum = (market: string) => place === '' || market === place || market.startsWith(`${place} / `);
  const markets = [...amounts.markets(dataset)].filter(([market]) => isOfSum(market));
  for (const rate of amounts.rates.after.get(key) ?? []) {
    const { localKey } = rate;
    let [local, foreign, marketsWithBoth] = [0, 0, 0];
    const found: BrokenInYear[] = [];
    for (const [market, ofMarket] of markets) {
      const [inLocal, inForeign] = [ofMarket.get(localKey), ofMarket.get(key)];
      if (inLocal !== undefined && inForeign !== undefined) {
        local += inLocal;
        foreign += inForeign;
        marketsWithBoth += 1;
      } else if (inLocal !== undefined || inForeign !== undefined) {
        const currency = inLocal === undefined ? amounts.keys.decode(localKey).fx : fx;
        const where = { dataset, country, year, currency, level: MARKET_LEVEL, place: market } as const;
        found.push({ relation: 'currency-lacking', ...where, before: 0, after });
      }
    }
    const distance = nearerDistance(distancesFromRates([rate], new Map([[localKey, local]]), foreign, 0));
    const doOthersAgree = marketsWithBoth === 0 || distance <= AGREEING_DISTANCE;
    if (found.length > 0 && doOthersAgree) return found;
  }
  return [];
}

/**
 * The share by which rounding may move the ratio of both amounts, for example where all figures are in whole millions. 0 if
 * they have many digits.
 */
function roundingOf(rates: readonly Rate[], ofPlace: Amounts, foreign: number): number {
  const roundings = rates.flatMap(({ localKey }) => {
    const local = ofPlace.get(localKey) ?? 0;
    if (local === 0 || foreign === 0) return [];
    const unit = Math.min(digitsOf(local).unit, digitsOf(foreign).unit);
    return [unit / Math.abs(local) + unit / Math.abs(foreign)];
  });
  const most = Math.max(0, ...roundings);
  return most < LEAST_ROUNDING ? 0 : most;
}

/** A smaller share does not explain that amounts are 2 % apart. */
const LEAST_ROUNDING = 0.002;

/**
 * The earlier amounts of a part of a country. A new part has none. Then the amounts of the whole country show whether its
 * currencies agreed.
 */
function earlierAmounts(
  amounts: CollectedAmounts,
  {
    level,
    dataset,
    place,
  }: { readonly level: number; readonly dataset: MarketDataset; readonly place: string },
  { side, key }: ReturnType<typeof whereEarlierAmountIs>,
): Amounts {
  const ofPart = amounts.ofLevel(level, dataset, side).get(place);
  return ofPart?.has(key) === true ? ofPart : amounts.totals(dataset, side);
}

/**
 * The distance from the rates that counts. The earlier amounts show whether figures are converted at current or at constant
 * rates. For a new year, these are the amounts of the year before.
 */
function distanceOf(
  then: Distances,
  now: Distances,
  { forecast, isNew }: { readonly forecast: boolean; readonly isNew: boolean },
): number {
  if (forecast) return distanceFromNearerKind(then, now);
  if (isNew) return distanceFromEarlierKind(then, now);
  // Figures that agree with neither kind of rates are reported with their distance from the kind with which they agreed
  // before.
  const distance = distanceOfReported(then, now);
  return distance > AGREEING_DISTANCE ? Math.max(distance, distanceFromNearerKind(then, now)) : distance;
}
