// The numbers of cells and countries from which on a finding is about a whole place.

import type { Pattern } from '../compare/patterns/patternTypes.ts';

/** From this number of cells on, a pattern is more than a few typing errors or closed markets. */
export const FEWEST_CELLS = 3;

/** In a dataset with at least this number of countries, a finding about one country is not about the whole dataset. */
export const MANY_COUNTRIES = 10;

/** From this share of a place's cells on, a pattern concerns the whole place. */
const COMPLETE_SHARE = 0.9;

/** Whether a pattern concerns all cells of its place, or nearly all. */
export const isComplete = ({ cells, of }: Pick<Pattern, 'cells' | 'of'>): boolean =>
  cells >= COMPLETE_SHARE * of;
