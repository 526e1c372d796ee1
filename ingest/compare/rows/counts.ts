// Counts rows by the codes of few dimensions, in an array with a place for each combination.

import type { DimensionName } from '../../../src/catalog/datasets.ts';
import type { Codes } from './codes.ts';
import { Groups } from './groups.ts';
import { nameOfSides } from './naming.ts';
import type { CodeArray, Rows } from './rows.ts';

/** The numbers of rows that agree in some dimensions. */
export interface Counts {
  /** The number of rows that agree with this one. */
  readonly at: (rows: Rows, row: number) => number;
}

/** The most combinations of codes that get an array of counts, which then takes 4 MB. */
const MOST_COMBINATIONS = 1_000_000;

/** Counts a list of rows by at most three dimensions; null for more, and where there are too many combinations. */
export function countedBy(
  codes: Codes,
  dimensions: readonly DimensionName[],
  rows: Rows,
  list: Int32Array,
): Counts | null {
  const most = codes.names.most(dimensions);
  if (dimensions.length > 3 || most > MOST_COMBINATIONS) return null;
  const counts = new Int32Array(most);
  const [first, second, third] = dimensions.map((dimension) => rows.codes(dimension));
  const [, width = 1, depth = 1] = dimensions.map((dimension) => codes.size(dimension));
  if (first === undefined) counts[0] = list.length;
  else if (second === undefined) countOne(counts, list, first);
  else if (third === undefined) countTwo(counts, list, [first, second], width);
  else countThree(counts, list, [first, second, third], [width, depth]);
  const nameOf = nameOfSides(codes.names.namingBy(dimensions, true));
  return { at: (side, row) => counts[nameOf(side, row)] as number };
}

/** Gives a function that says how many rows of a list agree in some dimensions with a row of the same side. */
export function rowCounter(
  codes: Codes,
  dimensions: readonly DimensionName[],
  rows: Rows,
  list: Int32Array,
): (row: number) => number {
  const counted = countedBy(codes, dimensions, rows, list);
  if (counted !== null) return (row) => counted.at(rows, row);
  const groups = new Groups(codes, dimensions);
  const groupOf = groups.addRows(rows, list);
  const counts = new Int32Array(groups.count);
  for (const group of groupOf) counts[group] = (counts[group] as number) + 1;
  return (row) => counts[groups.at(rows, row)] ?? 0;
}

function countOne(counts: Int32Array, list: Int32Array, first: CodeArray): void {
  for (let i = 0; i < list.length; i += 1) {
    const at = first[list[i] as number] as number;
    counts[at] = (counts[at] as number) + 1;
  }
}

function countTwo(
  counts: Int32Array,
  list: Int32Array,
  [first, second]: readonly [CodeArray, CodeArray],
  width: number,
): void {
  for (let i = 0; i < list.length; i += 1) {
    const row = list[i] as number;
    const at = (first[row] as number) * width + (second[row] as number);
    counts[at] = (counts[at] as number) + 1;
  }
}

function countThree(
  counts: Int32Array,
  list: Int32Array,
  [first, second, third]: readonly [CodeArray, CodeArray, CodeArray],
  [width, depth]: readonly [number, number],
): void {
  for (let i = 0; i < list.length; i += 1) {
    const row = list[i] as number;
    const at = ((first[row] as number) * width + (second[row] as number)) * depth + (third[row] as number);
    counts[at] = (counts[at] as number) + 1;
  }
}
