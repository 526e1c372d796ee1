// Finds all patterns of a dataset: groups of cells that changed in the same way. A cell is in one pattern at most.

import type { CountrySums } from '../countrySums.ts';
import type { Arrivals } from '../rowChanges.ts';
import type { Matched } from '../rows/matched.ts';
import type { DimensionChange, RowChanges, Twin } from '../types.ts';
import type { LastYears } from './calledReported.ts';
import { findCopies } from './copies.ts';
import { findCountedUp } from './countedUp.ts';
import { findEarly } from './early.ts';
import { findFactors } from './factors.ts';
import { findRenamed } from './renamed.ts';
import { findRepeats } from './repeats.ts';
import { findRounded } from './rounded.ts';
import { findShifts } from './shifts.ts';
import { findSums } from './sums.ts';
import { findTwice } from './twice.ts';
import type { Pattern } from './types.ts';
import { findGone, findValuePatterns } from './values.ts';

/** The results of the earlier steps of the comparison. */
export interface Known {
  readonly rows: RowChanges;
  readonly arrivals: Arrivals;
  /** The sums by country on the earlier side. */
  readonly sums: CountrySums;
  readonly dimensions: readonly DimensionChange[];
  readonly twins: readonly Twin[];
  /** The last years of which the later side may have reported figures. */
  readonly lastYears: LastYears;
}

/**
 * The patterns of a dataset. The most specific kinds of patterns are searched for first, and each step leaves out the cells of the
 * steps before it:
 *
 * 1. rows that were renamed inside a country;
 * 2. reported figures of years that have not ended, rows that count twice, totals among their parts;
 * 3. values that were rounded, count up by one, or are copies; indicators that repeat others;
 * 4. values that became zero or empty, changed their sign, or moved; then values that moved by one factor;
 * 5. rows that vanished.
 */
export function findPatterns(matched: Matched, known: Known): readonly Pattern[] {
  const { rows, arrivals, sums, dimensions, twins, lastYears } = known;
  if (matched.metrics.length === 0) return [];
  const search = { matched, rows, sums, shifts: findShifts(matched, sums, arrivals, lastYears) };
  return [
    ...findRenamed(search, twins),
    ...findEarly(search, lastYears),
    ...findTwice(search),
    ...findSums(search),
    ...findRounded(search),
    ...findCountedUp(search),
    ...findCopies(search),
    ...findRepeats(search),
    ...findValuePatterns(search),
    ...findFactors(search),
    ...findGone(search, dimensions),
  ];
}
