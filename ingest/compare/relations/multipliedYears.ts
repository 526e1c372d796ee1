// Finds years of a country whose reported figures were all multiplied by one factor of few digits, such as 1.06.

import { groupBy } from '../../../src/groupBy.ts';
import { rowCounter } from '../rows/counts.ts';
import { rowsWhere } from '../rows/groups.ts';
import type { Matched } from '../rows/matched.ts';
import type { MarketDataset } from './amounts.ts';
import { exactFactor, type MovedFigure, nearestStep } from './exactFactors.ts';
import type { BrokenOfKind } from './relationLevels.ts';
import type { ReportedMoves } from './scaledMarkets.ts';
import { FEWEST_YEARS } from './scaledReported.ts';

/** The share of a year's figures that have the factor: some are revised in the same month. */
const MULTIPLIED_SHARE = 0.8;

/** One figure in two currencies may have such a factor by chance. */
const FEWEST_FIGURES = 4;
const FEWEST_MARKETS = 2;

/** Rounding moves a ratio from such a factor by less than this share. */
const ROUNDING_SHARE = 1e-5;

/** A moved figure with its market. */
interface Multiplied extends MovedFigure {
  readonly market: number;
}

/**
 * The years of countries of which most reported figures, in several markets, are what they were times one multiple of half a
 * percent. A country that was rebased, or a year that was revised, has such a factor by chance only.
 */
export function multipliedYears(
  dataset: MarketDataset,
  matched: Matched,
  { figures, reported }: ReportedMoves,
): BrokenOfKind[] {
  const { codes, before } = matched;
  const [countries, years] = [before.codes('country'), before.codes('year')];
  const near = figures.flatMap((all, market) =>
    all
      .filter(({ ratio }) => Math.abs(ratio - nearestStep(ratio)) <= ROUNDING_SHARE)
      .map((one) => ({ ...one, market })),
  );
  if (near.length < FEWEST_FIGURES) return [];
  const placeOf = (row: number) => (countries[row] as number) * codes.size('year') + (years[row] as number);
  const byFactor = groupBy(near, ({ row, ratio }) => `${placeOf(row)} ${nearestStep(ratio).toFixed(3)}`);
  const candidates = [...byFactor.values()].filter((all) => all.length >= FEWEST_FIGURES / 2);
  if (candidates.length === 0) return [];
  const countOf = countReported(
    matched,
    reported(),
    candidates.map(([{ row }]) => row),
  );
  const whole = candidates.filter((all) => all.length >= MULTIPLIED_SHARE * countOf(all[0].row));
  const byCountry = groupBy(
    whole.flat(),
    ({ row, ratio }) => `${countries[row]} ${nearestStep(ratio).toFixed(3)}`,
  );
  return [...byCountry.values()].flatMap((all): BrokenOfKind[] => {
    const factor = exactFactor(all, MULTIPLIED_SHARE * all.length);
    const ofYears = [...new Set(all.map(({ row }) => Number(codes.valueOf('year', years[row] as number))))];
    if (factor === null || !areSeveral(all, ofYears.length)) return [];
    const country = String(codes.valueOf('country', countries[all[0].row] as number));
    const where = { dataset, country, places: [], currency: null, years: ofYears.sort((a, b) => a - b) };
    return [{ relation: 'country-scaled', ...where, share: null, before: 1, after: factor }];
  });
}

const areSeveral = (all: readonly Multiplied[], years: number): boolean =>
  all.length >= FEWEST_FIGURES &&
  (years >= FEWEST_YEARS || new Set(all.map(({ market }) => market)).size >= FEWEST_MARKETS);

/** Tells how many reported figures the year of a row's country has, for the countries and years of some rows. */
function countReported(
  { codes, before }: Matched,
  reported: Int32Array,
  some: readonly number[],
): (row: number) => number {
  const [countries, years] = [before.codes('country'), before.codes('year')];
  const width = codes.size('year');
  const isWanted = new Uint8Array(codes.size('country') * width);
  const placeOf = (row: number) => (countries[row] as number) * width + (years[row] as number);
  for (const row of some) isWanted[placeOf(row)] = 1;
  const list = rowsWhere(reported, (row) => isWanted[placeOf(row)] === 1);
  return rowCounter(codes, ['country', 'year'], before, list);
}
