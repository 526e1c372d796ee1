// Finds countries whose forecasts all moved by one factor, though their reported figures did not.

import { groupBy } from '../../../src/groupBy.ts';
import type { BrokenRelation } from '../brokenRelation.ts';
import type { SideName } from '../side.ts';
import { type AmountNames, type Amounts, type AmountsByPlace, MOST_YEARS, ratios } from './amounts.ts';
import { exactFactor, type MovedFigure } from './exactFactors.ts';
import type { BrokenOfKind } from './relationLevels.ts';

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

/** Figures on both sides. */
export interface ForecastSources {
  readonly dataset: BrokenRelation['dataset'];
  readonly names: AmountNames;
  /** The names of amounts in the local currency of their country. */
  readonly isLocal: (name: number) => boolean;
  readonly forecasts: (side: SideName) => Amounts;
  readonly markets: (side: SideName) => AmountsByPlace;
  readonly reported: (side: SideName) => Amounts;
}

/**
 * The countries in which the forecasts of all years, currencies and markets moved by one factor. Left out are countries
 * with a first report, which is where forecasts begin, and those whose last reported year moved as well.
 */
export function scaledForecasts(sources: ForecastSources): BrokenOfKind[] {
  const { dataset, names, isLocal, forecasts } = sources;
  const [before, after] = [forecasts('before'), forecasts('after')];
  const ratioOf = ratios(before, after);
  const moved = [...before.keys()].filter(
    (name) => Math.abs(ratioOf(name) - 1) >= MOVED_EXACTLY - ALIKE_SHARE && isLocal(name),
  );
  return [...groupBy(moved, (name) => Math.floor(name / MOST_YEARS)).values()].flatMap((own) => {
    const [first] = own;
    const factor = ratioOf(first);
    const { country } = names.placeOf(first);
    const isFar = Math.abs(factor - 1) >= MOVED_SHARE - ALIKE_SHARE;
    const isAlike = (ratio: number, upTo = ALIKE_SHARE) => Math.abs(ratio / factor - 1) <= upTo;
    const all = [...before.keys()].filter((name) => names.countryOf(name) === country);
    const isScaled =
      own.length >= FEWEST_YEARS &&
      own.every((name) => isAlike(ratioOf(name))) &&
      all.every((name) => (isLocal(name) ? own.includes(name) : isAlike(ratioOf(name), FOLLOWS))) &&
      !followsReported(sources, Math.min(...own) - 1, factor) &&
      areMarketsScaled(sources, own, isAlike, isFar);
    if (!isScaled) return [];
    const years = own.map((name) => names.placeOf(name).year).sort((a, b) => a - b);
    const whole = { places: [], currency: null, share: null };
    return [
      { relation: 'forecasts-scaled' as const, dataset, country, ...whole, years, before: 1, after: factor },
    ];
  });
}

/** Whether the last reported figure moved by a good part of the factor, too. */
function followsReported({ reported }: ForecastSources, name: number, factor: number): boolean {
  const ratio = ratios(reported('before'), reported('after'))(name);
  return (ratio - 1) / (factor - 1) >= 0.5;
}

/** @param isFar Whether the figures moved so far that any common factor counts, exact or not. */
function areMarketsScaled(
  { markets }: ForecastSources,
  names: readonly number[],
  isAlike: (ratio: number) => boolean,
  isFar: boolean,
): boolean {
  const olds = markets('before');
  const all: Pick<MovedFigure, 'old' | 'fresh' | 'ratio'>[] = [];
  let count = 0;
  for (const [place, amounts] of markets('after')) {
    const figures = names.flatMap((name) => {
      const [old, fresh] = [olds.get(place)?.get(name), amounts.get(name)];
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
