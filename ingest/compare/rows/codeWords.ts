// Packs the codes of a row into a few integers ("words"), because these are read faster than many columns.
//
// DuckDB gives a result in chunks of 2,048 rows. Each column of a chunk costs the same time, however small its numbers are.

import type { DimensionName } from '../../../src/catalog/datasets.ts';
import type { Numbers } from '../../../src/duckdb.ts';
import type { CodeArray } from './codedRows.ts';

/** An integer of 32 bits that holds the codes of some dimensions, each plus 1. A 0 stands for a value without a code. */
export interface CodeWord {
  /** The first dimension has the highest bits. */
  readonly fields: readonly BitField[];
}

/** The bits of a dimension's code in a word. */
interface BitField {
  readonly dimension: DimensionName;
  /** The position of the lowest bit, from 0. */
  readonly shift: number;
  readonly bits: number;
  /** The number of codes. */
  readonly size: number;
}

const WORD_BITS = 32;

/** The number of bits of a code in a dimension with this many codes. */
export const bitsFor = (codes: number): number => WORD_BITS - Math.clz32(codes);

/** Divides dimensions among words, in their order. Words are filled from the last dimension on. */
export function codeWordsOf(
  dimensions: readonly DimensionName[],
  sizeOf: (dimension: DimensionName) => number,
): readonly CodeWord[] {
  const words: BitField[][] = [];
  let free = 0;
  for (const dimension of dimensions.toReversed()) {
    const size = sizeOf(dimension);
    const bits = bitsFor(size);
    if (bits > free) {
      words.unshift([]);
      free = WORD_BITS;
    }
    words[0]?.unshift({ dimension, shift: WORD_BITS - free, bits, size });
    free -= bits;
  }
  return words.map((fields) => ({ fields }));
}

/** The SQL of a word, a UINTEGER. `codeOf` must give the SQL of a dimension's code plus 1, also a UINTEGER. */
export const codeWordSql = ({ fields }: CodeWord, codeOf: (dimension: DimensionName) => string): string =>
  fields.map(({ dimension, shift }) => `${codeOf(dimension)} * ${2 ** shift}::UINTEGER`).join(' + ');

/** Unpacks the codes of a dimension from a chunk of words into `column`; false when one of them is no code. */
export function unpackCodes(
  column: CodeArray,
  from: number,
  words: Numbers,
  { shift, bits, size }: BitField,
): boolean {
  const mask = 2 ** bits - 1;
  let largest = 0;
  for (let i = 0; i < words.length; i += 1) {
    // A value without a code becomes -1, which is the largest number without a sign.
    const code = ((((words[i] as number) >>> shift) & mask) - 1) >>> 0;
    column[from + i] = code;
    if (code > largest) largest = code;
  }
  return largest < size;
}

/** Adds a chunk of words, times their weight, to the keys of rows. */
export function addCodeWords(keys: Float64Array, from: number, words: Numbers, weight: number): void {
  for (let i = 0; i < words.length; i += 1)
    keys[from + i] = (keys[from + i] as number) + (words[i] as number) * weight;
}
