// Prepares the bytes of neighbouring dimensions, one text for each combination of their values.

import type { Codes } from '../../catalog/columns.ts';
import { createRowTexts, type RowTexts } from './rowTexts.ts';

/** Neighbouring dimensions whose values are written together, because few combinations of them occur. */
export interface TextPiece {
  readonly columns: readonly PieceColumn[];
  /** The bytes of each combination of codes, created when it is first written. */
  readonly written: (Uint8Array | undefined)[];
  readonly texts: RowTexts;
}

export interface PieceColumn {
  readonly codes: Codes;
  readonly size: number;
  /** The text of each code. */
  readonly fragments: readonly string[];
}

/** With more combinations, each one would be used too rarely to be worth its memory. */
const MAX_COMBINATIONS = 2 ** 16;

/** The bytes of a piece for the row at `position`. */
export function bytesOfPiece({ columns, written, texts }: TextPiece, position: number): Uint8Array {
  let combination = 0;
  for (const { codes, size } of columns) combination = combination * size + (codes[position] ?? 0);
  const known = written[combination];
  if (known !== undefined) return known;
  let text = '';
  for (const { codes, fragments } of columns) text += fragments[codes[position] ?? 0];
  const stored = texts.store(text);
  // When the memory for prepared texts is used up, the text is made again for each row.
  if (stored === null) return Buffer.from(text);
  written[combination] = stored;
  return stored;
}

/**
 * Joins neighbouring columns while they have at most `maxCombinations` combinations.
 *
 * @param texts stores the prepared texts of all pieces.
 */
export function piecesOf(
  columns: readonly PieceColumn[],
  maxCombinations = MAX_COMBINATIONS,
  texts: RowTexts = createRowTexts(),
): TextPiece[] {
  const pieces: PieceColumn[][] = [];
  let combinations = Number.POSITIVE_INFINITY;
  for (const column of columns) {
    combinations *= column.size;
    if (combinations <= maxCombinations) pieces.at(-1)?.push(column);
    else {
      pieces.push([column]);
      combinations = column.size;
    }
  }
  return pieces.map((together) => {
    const size = together.reduce((product, { size }) => product * size, 1);
    // The array is filled at once, because V8 turns an array with large holes into a slow dictionary.
    const written = new Array<undefined>(size).fill(undefined);
    texts.reserve(size * POINTER_BYTES);
    return { columns: together, written, texts };
  });
}

const POINTER_BYTES = 8;
