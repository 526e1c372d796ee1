// Finds years of a country whose reported figures were all multiplied by one exact factor, such as 1.06 or 1.0827.

import { ascending } from '../../../src/ascending.ts';
import { groupBy } from '../../../src/groupBy.ts';
import { upperMedian } from '../../../src/medians.ts';
import type { Matched } from '../rows/matchedRows.ts';
import { partCounts } from '../rows/partCounts.ts';
import type { MarketDataset } from './amounts.ts';
import { exactFactor, type MovedFigure } from './exactFactors.ts';
import { type BrokenOfKind, brokenOf } from './relationLevels.ts';
import type { ReportedMoves } from './scaledMarkets.ts';
import { FEWEST_YEARS, isMoved, ofOneFactor } from './scaledReported.ts';

/** The share of a year's figures that must have the factor. Some may be revised in the same month. */
const MULTIPLIED_SHARE = 0.8;

/** One figure in two currencies may have such a factor by chance. */
const FEWEST_FIGURES = 4;
const FEWEST_MARKETS = 2;

/** All exact factors are multiples of one divided by this. */
const COMMON_STEPS = 30_000;

interface Multiplied extends MovedFigure {
  readonly market: number;
}

/**
 * The years of countries of which most reported figures, in several markets, are what they were times one exact factor. A country
 * that was rebased, or a year that was revised, has such a factor by chance only.
 */
export function multipliedYears(
  dataset: MarketDataset,
  matched: Matched,
  { figures, isFigure }: ReportedMoves,
): BrokenOfKind[] {
  const { codes, before } = matched;
  const [countries, years] = [before.codes('country'), before.codes('year')];
  const moved = figures.flatMap((all, market) =>
    all.filter(({ ratio }) => isMoved(ratio)).map((one): Multiplied => ({ ...one, market })),
  );
  if (moved.length < FEWEST_FIGURES) return [];
  const placeOf = (row: number) => (countries[row] as number) * codes.size('year') + (years[row] as number);
  const candidates = [...groupBy(moved, ({ row }) => placeOf(row)).values()].flatMap((ofYear) => {
    const alike = ofOneFactor(ofYear);
    const [first] = alike;
    const areEnough = alike.length >= Math.max(FEWEST_FIGURES / 2, MULTIPLIED_SHARE * ofYear.length);
    return first !== undefined && areEnough ? [{ alike, first }] : [];
  });
  const counts = partCounts(
    codes,
    before,
    ['country', 'year'],
    candidates.map(({ alike, first }) => ({
      row: [before, first.row],
      most: Math.ceil(alike.length / MULTIPLIED_SHARE),
    })),
    isFigure,
  );
  const whole = candidates.filter(({ alike }, i) => alike.length >= MULTIPLIED_SHARE * (counts[i] as number));
  const byCountry = groupBy(
    whole,
    ({ alike, first }) => `${countries[first.row]} ${Math.round(COMMON_STEPS * medianOf(alike))}`,
  );
  return [...byCountry.values()].flatMap((ofYears) => {
    const all = ofYears.flatMap(({ alike }) => alike);
    const factor = exactFactor(all, MULTIPLIED_SHARE * all.length);
    const inYears = ascending(all.map(({ row }) => codes.yearOf(before, row)));
    if (factor === null || !areSeveral(all, inYears.length)) return [];
    const country = codes.countryOf(before, ofYears[0].first.row);
    return [brokenOf({ relation: 'country-scaled', dataset, country, years: inYears, after: factor })];
  });
}

const medianOf = (figures: readonly Multiplied[]): number => upperMedian(figures.map(({ ratio }) => ratio));

const areSeveral = (all: readonly Multiplied[], years: number): boolean =>
  all.length >= FEWEST_FIGURES &&
  (years >= FEWEST_YEARS || new Set(all.map(({ market }) => market)).size >= FEWEST_MARKETS);
