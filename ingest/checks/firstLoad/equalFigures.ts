// Finds figures of many digits that two rows of one year and currency have in common.

import type { DimensionName } from '../../../src/catalog/datasets.ts';
import { hasDigits } from '../digits.ts';
import type { StagedRows } from '../stagedRows.ts';

/** From this number of digits on, chance does not explain that a figure occurs twice. */
const FEWEST_DIGITS = 6;

/** Two rows of one year and currency with the same figure. `row` precedes `other`. */
export interface Pair {
  readonly row: number;
  readonly other: number;
}

/** Returns a function that says whether two rows agree in these dimensions. It ignores dimensions that the dataset lacks. */
export function agreementIn(
  rows: StagedRows,
  dimensions: readonly DimensionName[],
): (row: number, other: number) => boolean {
  const columns = dimensions.filter((name) => rows.has(name)).map((name) => rows.dimension(name));
  return (row, other) => columns.every((column) => column[row] === column[other]);
}

/**
 * The pairs of rows of one year and currency with the same figure. Each row is compared with the nearest row above that has
 * its figure.
 */
export function equalFigures(rows: StagedRows, metric: string): readonly Pair[] {
  const values = rows.values(metric);
  const bits = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
  const isSameYear = agreementIn(rows, ['year', 'fx']);
  const pairs: Pair[] = [];
  // A hash table with open addressing is faster than a `Map` of doubles. A slot holds the index of the last row with a
  // value, plus 1. An empty slot holds 0.
  const mask = 2 ** Math.ceil(Math.log2(2 * values.length + 2)) - 1;
  const known = new Int32Array(mask + 1);
  for (let row = 0; row < rows.count; row += 1) {
    const value = values[row] as number;
    if (!(value > 0)) continue;
    const hash =
      Math.imul(bits[2 * row] as number, 0x9e3779b1) ^ Math.imul(bits[2 * row + 1] as number, 0x85ebca6b);
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (known[slot] !== 0 && values[(known[slot] as number) - 1] !== value) slot = (slot + 1) & mask;
    const other = (known[slot] as number) - 1;
    known[slot] = row + 1;
    if (other < 0 || !isSameYear(row, other)) continue;
    if (hasDigits(value, FEWEST_DIGITS)) pairs.push({ row: other, other: row });
  }
  return pairs;
}
