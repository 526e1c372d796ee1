// Names the part of a country that a row belongs to, such as `Poker / Online / Onshore`.

import type { DimensionName } from '../../../src/catalog/datasets.ts';
import type { Matched } from './matchedRows.ts';
import type { Rows } from './rows.ts';

/** @param parts The dimensions that distinguish the parts. */
export const partName = (
  { codes }: Matched,
  rows: Rows,
  row: number,
  parts: readonly DimensionName[],
): string =>
  parts.map((dimension) => codes.valueOf(dimension, rows.code(dimension, row)) || '(none)').join(' / ');
