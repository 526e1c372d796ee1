// The parts of a country, such as its markets.

import type { DimensionName } from '../../../src/catalog/datasets.ts';
import type { Rows } from './codedRows.ts';
import type { MatchedRows } from './matchedRows.ts';

/** The dimensions of a market, beside its country. */
export const MARKET: readonly DimensionName[] = ['product', 'channel', 'sub_channel'];

/**
 * The name of the part of a country that a row belongs to, such as `Poker / Online / Onshore`.
 *
 * @param parts The dimensions that distinguish the parts.
 */
export const partName = (
  { codes }: MatchedRows,
  rows: Rows,
  row: number,
  parts: readonly DimensionName[],
): string =>
  parts.map((dimension) => codes.valueOf(dimension, rows.code(dimension, row)) || '(none)').join(' / ');
