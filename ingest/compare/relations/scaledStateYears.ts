// Finds years of a state whose reported figures all moved by one factor, while those of their nation did not.

import { ascending } from '../../../src/ascending.ts';
import type { DimensionName } from '../../../src/catalog/datasets.ts';
import { groupBy } from '../../../src/groupBy.ts';
import { upperMedian } from '../../../src/medians.ts';
import type { Matched } from '../rows/matchedRows.ts';
import { type CountedPart, partCounts } from '../rows/partCounts.ts';
import type { MarketDataset } from './amounts.ts';
import { exactFactor, type MovedFigure } from './exactFactors.ts';
import { type BrokenOfKind, brokenOf } from './relationLevels.ts';
import { ofOneFactor } from './scaledReported.ts';

/** The number of figures that must have moved by one factor. Fewer may have it by chance. */
const FEWEST_FIGURES = 4;

/** The same where the factor is a multiple of half a percent to the last digit. */
const FEWEST_EXACT = 2;

const STATE_YEAR: readonly DimensionName[] = ['country', 'state', 'year'];

/** The figure of a state's market in a year and currency. */
export interface StateFigure extends MovedFigure {
  /** Whether the nation's figure moved by less than half of what the state's did. */
  readonly isAlone: boolean;
}

/**
 * The years of states in which every reported figure moved by one factor.
 *
 * @param figures The reported figures that moved apart from their nation.
 * @param isFigure Whether a row of the earlier side could have moved.
 */
export function scaledStateYears(
  dataset: MarketDataset,
  { codes, before }: Matched,
  figures: readonly StateFigure[],
  isFigure: (row: number) => boolean,
): BrokenOfKind[] {
  const code = (name: 'country' | 'state' | 'year', row: number) => before.code(name, row);
  const stateOf = ({ row }: StateFigure) => code('country', row) * codes.size('state') + code('state', row);
  const yearOf = (one: StateFigure) => stateOf(one) * codes.size('year') + code('year', one.row);
  const years = [...groupBy(figures, yearOf).values()];
  const parts = years.map((own): CountedPart => ({ row: [before, own[0].row], most: own.length }));
  const counts = partCounts(codes, before, STATE_YEAR, parts, isFigure);
  // Every figure of these years moved.
  const whole = years.filter((own, i) => own.length === counts[i]);
  const sizeOf = new Map(whole.map((own) => [yearOf(own[0]), own.length]));
  const byState = groupBy(whole.flat(), stateOf);
  return [...byState.values()].flatMap((all) => {
    const alike = ofOneFactor(all);
    const scaledYears = [...groupBy(alike, yearOf)].flatMap(([year, own]) =>
      own.length === sizeOf.get(year) ? own : [],
    );
    const isExact =
      scaledYears.length >= FEWEST_EXACT && exactFactor(scaledYears, scaledYears.length) !== null;
    if (scaledYears.length < FEWEST_FIGURES && !isExact) return [];
    const [first] = scaledYears;
    if (first === undefined) return [];
    const nameOf = (name: 'country' | 'state') => String(codes.valueOf(name, code(name, first.row)));
    return [
      brokenOf({
        relation: 'state-scaled',
        dataset,
        country: nameOf('country'),
        places: [nameOf('state')],
        years: ascending(scaledYears.map(({ row }) => codes.yearOf(before, row))),
        after: upperMedian(scaledYears.map(({ ratio }) => ratio)),
      }),
    ];
  });
}
