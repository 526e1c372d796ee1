// Finds years of a state whose reported figures all moved by one factor, while those of their nation did not.

import { groupBy } from '../../../src/groupBy.ts';
import type { Matched } from '../rows/matched.ts';
import type { MarketDataset } from './amounts.ts';
import { exactFactor, type MovedFigure } from './exactFactors.ts';
import type { BrokenOfKind } from './relationLevels.ts';
import { middle, ofOneFactor } from './scaledReported.ts';

/** So many figures that moved by one factor share a cause. */
const FEWEST_FIGURES = 4;

/** The same where the factor is a multiple of half a percent to the last digit. */
const FEWEST_EXACT = 2;

/** The figure of a state's market in a year and currency. */
export interface StateFigure extends MovedFigure {
  /** Whether the nation's figure moved by less than half of what the state's did. */
  readonly isAlone: boolean;
}

/**
 * The years of states in which every reported figure moved by one factor.
 *
 * @param figures The reported figures that moved apart from their nation.
 * @param countOf The number of reported figures of the state and year of a row.
 */
export function scaledStateYears(
  dataset: MarketDataset,
  { codes, before }: Matched,
  figures: readonly StateFigure[],
  countOf: (row: number) => number,
): BrokenOfKind[] {
  const code = (name: 'country' | 'state' | 'year', row: number) => before.code(name, row);
  const byYear = groupBy(
    figures,
    ({ row }) => `${code('country', row)} ${code('state', row)} ${code('year', row)}`,
  );
  const whole = [...byYear.values()].filter((all) => all.length === countOf(all[0].row));
  const byState = groupBy(whole.flat(), ({ row }) => `${code('country', row)} ${code('state', row)}`);
  return [...byState.values()].flatMap((all): BrokenOfKind[] => {
    const alike = ofOneFactor(all);
    const years = groupBy(alike, ({ row }) => code('year', row));
    const inYear = (row: number) => years.get(code('year', row))?.length ?? 0;
    const some = alike.filter(({ row }) => inYear(row) === countOf(row));
    const isExact = some.length >= FEWEST_EXACT && exactFactor(some, some.length) !== null;
    if (some.length < FEWEST_FIGURES && !isExact) return [];
    const [first] = some;
    if (first === undefined) return [];
    const nameOf = (name: 'country' | 'state') => String(codes.valueOf(name, code(name, first.row)));
    const ofYears = new Set(some.map(({ row }) => Number(codes.valueOf('year', code('year', row)))));
    const where = { dataset, country: nameOf('country'), places: [nameOf('state')] };
    const size = { currency: null, share: null, before: 1, after: middle(some.map(({ ratio }) => ratio)) };
    return [{ relation: 'state-scaled', ...where, years: [...ofYears].sort((a, b) => a - b), ...size }];
  });
}
