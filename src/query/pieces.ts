// Writes the dimensions of rows as prepared bytes: neighbouring columns together, each combination of values once.

import type { Codes } from '../catalog/columns.ts';

/** Neighbouring dimensions of a row, written as one piece of bytes: few different combinations of values occur. */
export interface Piece {
  readonly columns: readonly PieceColumn[];
  /** The bytes per combination of codes, made when first needed. */
  readonly written: (Uint8Array | undefined)[];
}

export interface PieceColumn {
  readonly codes: Codes;
  readonly size: number;
  /** What each code is written as. */
  readonly fragments: readonly string[];
}

/** A piece with more combinations would use each of them too rarely to be worth its memory. */
const MAX_COMBINATIONS = 2 ** 16;

/** The bytes of a piece for the row at `position`. */
export function writtenOf({ columns, written }: Piece, position: number): Uint8Array {
  let combination = 0;
  for (const { codes, size } of columns) combination = combination * size + (codes[position] ?? 0);
  const known = written[combination];
  if (known !== undefined) return known;
  let text = '';
  for (const { codes, fragments } of columns) text += fragments[codes[position] ?? 0];
  const made = Buffer.from(text);
  written[combination] = made;
  return made;
}

/** Joins neighbours as long as their combinations stay few. */
export function piecesOf(columns: readonly PieceColumn[]): Piece[] {
  const pieces: PieceColumn[][] = [];
  let combinations = Number.POSITIVE_INFINITY;
  for (const column of columns) {
    combinations *= column.size;
    if (combinations <= MAX_COMBINATIONS) pieces.at(-1)?.push(column);
    else {
      pieces.push([column]);
      combinations = column.size;
    }
  }
  return pieces.map((together) => {
    const sizes = together.reduce((product, { size }) => product * size, 1);
    // Filled, because V8 turns an array with large holes into a slow dictionary.
    const written = sizes <= MAX_COMBINATIONS ? new Array<undefined>(sizes).fill(undefined) : [];
    return { columns: together, written };
  });
}
