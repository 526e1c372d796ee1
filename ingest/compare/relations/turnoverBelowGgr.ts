// Finds countries and markets whose turnover fell below their ggr. Turnover less winnings is ggr, so ggr cannot be larger.

import { type MarketDataset, NO_AMOUNTS, whereEarlierAmountIs } from './amounts.ts';
import type { CollectedAmounts } from './collectedAmounts.ts';
import { type BrokenInYear, COUNTRY_LEVEL, LEAST_AMOUNT_OF_PART } from './relationLevels.ts';

/** A ratio of turnover to ggr below this one cannot be explained by rounding. */
const FALLEN_BELOW_RATIO = 0.98;

/**
 * In a new year, only markets that had at least this ratio in the year before are checked, because their turnover was
 * clearly above their ggr.
 */
const CLEARLY_ABOVE_RATIO = 1.02;

/** The countries, or the markets of a level, whose turnover fell below their ggr. */
export function turnoverBelowGgr(amounts: CollectedAmounts, level: number): BrokenInYear[] {
  const least = level === COUNTRY_LEVEL ? Number.MIN_VALUE : LEAST_AMOUNT_OF_PART;
  const ratio = (turnover: number | undefined, ggr: number | undefined) =>
    (ggr ?? 0) >= least ? (turnover ?? Number.NaN) / (ggr as number) : Number.NaN;
  const dataset = amounts.hasChanged('turnover') ? 'turnover' : 'ggr';
  const ggrAfter = amounts.ofLevel(level, 'ggr', 'after');
  const found: BrokenInYear[] = [];
  for (const [place, ofPlace] of amounts.ofLevel(level, 'turnover', 'after')) {
    const ggr = ggrAfter.get(place) ?? NO_AMOUNTS;
    for (const [key, turnover] of ofPlace) {
      const after = ratio(turnover, ggr.get(key));
      if (!(after <= 1)) continue;
      const isNew = amounts.isNewYear('turnover', key);
      // A new year is compared by market only, because the turnover of some markets may follow later.
      if (isNew ? level === COUNTRY_LEVEL : after >= FALLEN_BELOW_RATIO) continue;
      const earlier = whereEarlierAmountIs(key, isNew);
      const was = (one: MarketDataset) =>
        amounts.ofLevel(level, one, earlier.side).get(place)?.get(earlier.key);
      const before = ratio(was('turnover'), was('ggr'));
      if (!(before >= (isNew ? CLEARLY_ABOVE_RATIO : 1))) continue;
      const { country, year } = amounts.keys.decode(key);
      const where = { dataset, country, year, level, place } as const;
      found.push({ relation: 'turnover-below-ggr', ...where, before, after });
    }
  }
  return found;
}
