// Finds countries whose constant rates no longer equal the current rates of the base year. Those of most countries do.

import { groupBy } from '../../../src/basics/lists.ts';
import { type BrokenOfKind, brokenRelation } from '../brokenRelation.ts';
import type { Sides } from '../side.ts';
import { type AmountKey, type AmountKeys, yearOf } from './amountKeys.ts';
import { type CloseFigure, DRIFTED_DISTANCE, extentOf, FEWEST_AGREEING_COUNTRIES } from './drift.ts';
import type { Rate, Rates } from './ratesOfCountries.ts';

/** Rates are equal up to this distance, because of rounding. The constant rate equals the current rate of the base year. */
const EQUAL_DISTANCE = 1e-4;

/**
 * The smallest distance that counts when only the constant rate moved. In correct data, only a new base year moves
 * the constant rate alone.
 */
const MOVED_ALONE_DISTANCE = 0.001;

/** The distance of a constant rate from the current one, for a country, currency and year, on both sides. */
interface RateDistance extends CloseFigure {
  readonly key: AmountKey;
  readonly isDrifted: boolean;
}

/**
 * The countries with years in which constant and current rates were equal and differ now. Years in which the rates of most
 * countries differ are left out, because the month may have another base year.
 */
export function constantsDrifted(keys: AmountKeys, rates: Sides<Rates>): BrokenOfKind[] {
  if (!haveMoved(rates)) return [];
  const known: RateDistance[] = [];
  for (const [key, olds] of rates.before) {
    const before = distanceOf(olds);
    if (!(before <= EQUAL_DISTANCE)) continue;
    const news = rates.after.get(key) ?? [];
    const after = distanceOf(news);
    if (Number.isNaN(after)) continue;
    const isDrifted = after >= (isMovedAlone(olds[0], news[0]) ? MOVED_ALONE_DISTANCE : DRIFTED_DISTANCE);
    known.push({ key, year: yearOf(key), before, after, isDrifted });
  }
  const byYear = groupBy(known, ({ year }) => year);
  const apart = [...byYear.values()].flatMap((all) => {
    const still = all.filter(({ after }) => after <= EQUAL_DISTANCE);
    const countries = new Set(still.map(({ key }) => keys.countryOf(key)));
    return countries.size >= FEWEST_AGREEING_COUNTRIES && still.length > all.length / 2
      ? all.filter((one) => one.isDrifted)
      : [];
  });
  const byCountry = groupBy(apart, ({ key }) => keys.countryOf(key));
  return [...byCountry].map(([country, all]) => {
    const currencies = [...new Set(all.map(({ key }) => keys.decode(key).fx))].sort();
    const where = { country, currency: currencies.join(', ') };
    return brokenRelation({ relation: 'constants-drifted', dataset: 'fx', ...where, ...extentOf(all) });
  });
}

/** The smallest distance of a constant rate from its current rate; NaN where no distance is known. */
const distanceOf = (rates: readonly { readonly current: number; readonly constant: number }[]): number =>
  rates.reduce((least, { current, constant }) => {
    const distance = Math.abs(constant / current - 1);
    return Number.isNaN(least) || distance < least ? distance : least;
  }, Number.NaN);

/** Whether the constant rate moved, and the current one did not. */
const isMovedAlone = (then: Rate | undefined, now: Rate | undefined): boolean =>
  then?.current === now?.current && then?.constant !== now?.constant;

/**
 * Whether some constant rate moved by another factor than its current rate. In most months none does, and the search ends.
 */
function haveMoved({ before, after }: Sides<Rates>): boolean {
  for (const [key, olds] of before) {
    const then = olds[0];
    const now = after.get(key)?.[0];
    if (then === undefined || now === undefined) continue;
    if (now.constant === then.constant && now.current === then.current) continue;
    const by = ((now.constant / now.current) * then.current) / then.constant;
    if (Math.abs(by - 1) >= MOVED_ALONE_DISTANCE / 2) return true;
  }
  return false;
}
