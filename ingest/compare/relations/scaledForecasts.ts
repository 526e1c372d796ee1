// Finds countries whose forecasts all moved by one factor, though their reported figures did not.

import { ascending } from '../../../src/ascending.ts';
import { groupBy } from '../../../src/groupBy.ts';
import { type AmountKey, seriesOf } from './amountKeys.ts';
import { type MarketDataset, ratios } from './amounts.ts';
import type { CollectedAmounts } from './collectedAmounts.ts';
import { exactFactor, type MovedFigure } from './exactFactors.ts';
import { type BrokenOfKind, brokenOf } from './relationLevels.ts';

/** Figures that moved by a smaller share were revised. */
export const MOVED_SHARE = 0.1;

/** The smaller share that counts where the factor is exactly a multiple of half a percent. */
const MOVED_EXACTLY = 0.05;

/** The share of figures that must have such a factor to the last digit. */
const MOST_EXACT = 0.8;

/** Ratios that differ by less than this share are the same, because figures are rounded. */
export const ALIKE_SHARE = 0.002;

/** Amounts in other currencies may differ from the factor by this share, because rates move as well. */
const FOLLOWS = 0.03;

/** With fewer years or markets, one cause may rightly move all of them by one factor. */
export const FEWEST_YEARS = 3;
const FEWEST_MARKETS = 2;

/** Smaller figures are not compared, because rounding moves their ratio. */
const LEAST_FIGURE = 1000;

/**
 * The countries in which the forecasts of all years, currencies and markets moved by one factor. Left out are countries
 * with a first report, which is where forecasts begin, and those whose last reported year moved as well.
 */
export function scaledForecasts(amounts: CollectedAmounts, dataset: MarketDataset): BrokenOfKind[] {
  const { keys } = amounts;
  const [before, after] = [amounts.totals(dataset, 'before'), amounts.totals(dataset, 'after')];
  const isLocal = (key: AmountKey) => amounts.isLocal(key);
  const ratioOf = ratios(before, after);
  const moved = [...before.keys()].filter(
    (key) => Math.abs(ratioOf(key) - 1) >= MOVED_EXACTLY - ALIKE_SHARE && isLocal(key),
  );
  return [...groupBy(moved, (key) => seriesOf(key)).values()].flatMap((own) => {
    const [first] = own;
    const factor = ratioOf(first);
    const { country } = keys.decode(first);
    const isFar = Math.abs(factor - 1) >= MOVED_SHARE - ALIKE_SHARE;
    const isAlike = (ratio: number, upTo = ALIKE_SHARE) => Math.abs(ratio / factor - 1) <= upTo;
    const all = [...before.keys()].filter((key) => keys.countryOf(key) === country);
    const isScaled =
      own.length >= FEWEST_YEARS &&
      own.every((key) => isAlike(ratioOf(key))) &&
      all.every((key) => (isLocal(key) ? own.includes(key) : isAlike(ratioOf(key), FOLLOWS))) &&
      !followsReported(amounts, dataset, Math.min(...own) - 1, factor) &&
      areMarketsScaled(amounts, dataset, own, { isAlike, isFar });
    if (!isScaled) return [];
    const years = ascending(own.map((key) => keys.decode(key).year));
    return [brokenOf({ relation: 'forecasts-scaled', dataset, country, years, after: factor })];
  });
}

/** Whether the last reported figure moved by a good part of the factor, too. */
function followsReported(
  amounts: CollectedAmounts,
  dataset: MarketDataset,
  key: AmountKey,
  factor: number,
): boolean {
  const [before, after] = [amounts.otherTotals(dataset, 'before'), amounts.otherTotals(dataset, 'after')];
  const ratio = ratios(before, after)(key);
  return (ratio - 1) / (factor - 1) >= 0.5;
}

interface CommonFactor {
  readonly isAlike: (ratio: number) => boolean;
  /** Whether the figures moved so far that any common factor counts, exact or not. */
  readonly isFar: boolean;
}

function areMarketsScaled(
  amounts: CollectedAmounts,
  dataset: MarketDataset,
  keys: readonly number[],
  { isAlike, isFar }: CommonFactor,
): boolean {
  const olds = amounts.markets(dataset, 'before');
  const all: Pick<MovedFigure, 'old' | 'fresh' | 'ratio'>[] = [];
  let count = 0;
  for (const [place, news] of amounts.markets(dataset, 'after')) {
    const figures = keys.flatMap((key) => {
      const [old, fresh] = [olds.get(place)?.get(key), news.get(key)];
      if ((fresh === undefined && old === undefined) || Math.abs(old ?? LEAST_FIGURE) < LEAST_FIGURE)
        return [];
      const both = { old: old ?? Number.NaN, fresh: fresh ?? Number.NaN };
      return [{ ...both, ratio: both.fresh / both.old }];
    });
    if (figures.length === 0) continue;
    if (!figures.every(({ ratio }) => isAlike(ratio))) return false;
    all.push(...figures);
    count += 1;
  }
  return count >= FEWEST_MARKETS && (isFar || exactFactor(all, MOST_EXACT * all.length) !== null);
}
