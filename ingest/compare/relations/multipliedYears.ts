// Finds years of a country whose reported figures were all multiplied by one factor of few digits, such as 1.06.

import { ascending } from '../../../src/ascending.ts';
import { groupBy } from '../../../src/groupBy.ts';
import type { Matched } from '../rows/matchedRows.ts';
import { partCounts } from '../rows/partCounts.ts';
import type { MarketDataset } from './amounts.ts';
import { exactFactor, type MovedFigure, nearestStep, stepOf } from './exactFactors.ts';
import { type BrokenOfKind, brokenOf } from './relationLevels.ts';
import type { ReportedMoves } from './scaledMarkets.ts';
import { FEWEST_YEARS, isMoved } from './scaledReported.ts';

/** The share of a year's figures that must have the factor. Some may be revised in the same month. */
const MULTIPLIED_SHARE = 0.8;

/** One figure in two currencies may have such a factor by chance. */
const FEWEST_FIGURES = 4;
const FEWEST_MARKETS = 2;

/** Rounding moves a ratio from such a factor by less than this share. */
const ROUNDING_SHARE = 1e-5;

/** Factors are below this number of steps. */
const MOST_STEPS = 3000;

interface Multiplied extends MovedFigure {
  readonly market: number;
}

/**
 * The years of countries of which most reported figures, in several markets, are what they were times one multiple of half a
 * percent or of a twelfth. A country that was rebased, or a year that was revised, has such a factor by chance only.
 */
export function multipliedYears(
  dataset: MarketDataset,
  matched: Matched,
  { figures, isFigure }: ReportedMoves,
): BrokenOfKind[] {
  const { codes, before } = matched;
  const [countries, years] = [before.codes('country'), before.codes('year')];
  const near = figures.flatMap((all, market) =>
    all
      .filter(({ ratio }) => isMoved(ratio) && Math.abs(ratio - nearestStep(ratio)) <= ROUNDING_SHARE)
      .map((one) => ({ ...one, market })),
  );
  if (near.length < FEWEST_FIGURES) return [];
  const placeOf = (row: number) => (countries[row] as number) * codes.size('year') + (years[row] as number);
  const byFactor = groupBy(near, ({ row, ratio }) => placeOf(row) * MOST_STEPS + stepOf(ratio));
  const candidates = [...byFactor.values()].filter((all) => all.length >= FEWEST_FIGURES / 2);
  const counts = partCounts(
    codes,
    before,
    ['country', 'year'],
    candidates.map((all) => ({ row: [before, all[0].row], most: Math.ceil(all.length / MULTIPLIED_SHARE) })),
    isFigure,
  );
  const whole = candidates.filter((all, i) => all.length >= MULTIPLIED_SHARE * (counts[i] as number));
  const byCountry = groupBy(
    whole.flat(),
    ({ row, ratio }) => (countries[row] as number) * MOST_STEPS + stepOf(ratio),
  );
  return [...byCountry.values()].flatMap((all) => {
    const factor = exactFactor(all, MULTIPLIED_SHARE * all.length);
    const ofYears = ascending(all.map(({ row }) => codes.yearOf(before, row)));
    if (factor === null || !areSeveral(all, ofYears.length)) return [];
    const country = codes.countryOf(before, all[0].row);
    return [brokenOf({ relation: 'country-scaled', dataset, country, years: ofYears, after: factor })];
  });
}

const areSeveral = (all: readonly Multiplied[], years: number): boolean =>
  all.length >= FEWEST_FIGURES &&
  (years >= FEWEST_YEARS || new Set(all.map(({ market }) => market)).size >= FEWEST_MARKETS);
