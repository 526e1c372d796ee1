// Counts the pairs of values of a dimension between which cells were renamed or copied.

import { groupBy } from '../../../src/basics/lists.ts';
import type { DimensionName } from '../../../src/catalog/datasets.ts';
import type { Codes } from '../rows/codes.ts';
import type { ValuePair } from './patternTypes.ts';

/** A cell of a country that was renamed or copied, with the codes of its source and of itself in the dimension. */
interface PairedCell {
  readonly country: number;
  readonly from: number;
  readonly to: number;
}

/** A pair of codes, and how many cells have it. */
export interface CodePair {
  readonly from: number;
  readonly to: number;
  readonly cells: number;
}

/** The pairs of codes in each country, the most frequent first. */
export const pairsOf = (moved: readonly PairedCell[]): readonly CodePair[] =>
  [...groupBy(moved, ({ country, from, to }) => `${country} ${from} ${to}`).values()]
    .map((all) => ({ from: all[0].from, to: all[0].to, cells: all.length }))
    .sort((a, b) => b.cells - a.cells || a.from - b.from || a.to - b.to);

/** The same pairs with values instead of codes. */
export const namedPairs = (
  codes: Codes,
  dimension: DimensionName,
  pairs: readonly CodePair[],
): readonly ValuePair[] =>
  pairs.map(({ from, to, cells }) => ({
    from: codes.valueOf(dimension, from),
    to: codes.valueOf(dimension, to),
    cells,
  }));
