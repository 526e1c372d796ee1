// Tells whether a pattern of changes concerns its whole place, and more than a few cells.

import type { Pattern } from '../compare/patterns/types.ts';

/** The number of cells from which on a pattern is more than a few typing errors, or markets that closed. */
export const FEWEST_CELLS = 3;

/** The share of a place's cells from which on a pattern concerns the whole place. */
const COMPLETE_SHARE = 0.9;

/** Whether a pattern concerns all cells of its place, or nearly all. */
export const isComplete = ({ cells, of }: Pick<Pattern, 'cells' | 'of'>): boolean =>
  cells >= COMPLETE_SHARE * of;
