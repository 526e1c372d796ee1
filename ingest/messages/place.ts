// Names the places of cells, rows, sheets and files in messages, so that a person can find them.

import { printable } from '../../src/text/printable.ts';
import { type FileFormat, factsOf } from './fileFormats.ts';
import type { StatedLabel } from './statedLabels.ts';

export interface Place {
  readonly file: string;
  readonly sheet: string | null;
  /** `C41` in a spreadsheet, `line 41, column fx` elsewhere; null for a whole sheet or file. */
  readonly cell: string | null;
  /** A part of a zip file that is not a sheet: `xl/styles.xml`. */
  readonly part?: string;
}

/** The place in words, on one line: `ggr.xlsx › Data!C41`, `ggr.csv › line 41, column fx`, `ggr.xlsx (xl/styles.xml)`. */
export function placeText({ file, sheet, cell, part }: Place): string {
  if (sheet !== null) return printable(`${file} › ${cell === null ? sheet : `${sheet}!${cell}`}`);
  if (cell !== null) return printable(`${file} › ${cell}`);
  return printable(part === undefined ? file : `${file} (${part})`);
}

/** A cell of a sheet: its row from 1, its column from 0. */
export type Position = readonly [row: number, column: number];

/** Where a table comes from: its file, its sheet and its columns. `placeOfRow` and `placeOfCell` make places from it. */
export interface Origin {
  readonly file: string;
  readonly sheet: string | null;
  readonly format: FileFormat;
  /** The index of each column by name; empty for a recipe, whose rows are computed from the table. */
  readonly columns: ReadonlyMap<string, number>;
  /** The texts around the table that label all its rows, such as a title with a currency; undefined for a recipe. */
  readonly statements?: TableStatement[];
}

/** A text around a table that states a label of all its rows. */
export interface TableStatement extends StatedLabel {
  /** The name of the text in a message: `the name of this sheet`, `"GGR in EUR"`. */
  readonly what: string;
  readonly place: Place;
}

/** The place of a row: in a workbook its cell in `column`, by default in the first one; in other files its number. */
export function placeOfRow({ file, sheet, format, columns }: Origin, row: number, column?: number): Place {
  const { hasSheets, rowCalled } = factsOf(format);
  if (!hasSheets) return { file, sheet, cell: `${rowCalled} ${row}` };
  const index = column ?? Math.min(...columns.values());
  return { file, sheet, cell: `${Number.isFinite(index) ? columnLetters(index) : ''}${row}` };
}

/** The place of the cell in the column `name`. The index `column` may be left out when the origin lists the column. */
export function placeOfCell(
  origin: Origin,
  row: number,
  name: string,
  column = origin.columns.get(name),
): Place {
  const place = placeOfRow(origin, row, column);
  return factsOf(origin.format).hasSheets ? place : { ...place, cell: `${place.cell}, column ${name}` };
}

/** The place of a whole table: its sheet, or a file that is one table. */
export const wholeTable = ({ file, sheet }: Pick<Place, 'file' | 'sheet'>): Place => ({
  file,
  sheet,
  cell: null,
});

/** The place of a whole file. */
export const wholeFile = (file: string): Place => ({ file, sheet: null, cell: null });

/** The place of a whole sheet. */
export const wholeSheet = (file: string, sheet: string): Place => ({ file, sheet, cell: null });

/** The place of a part of a zip file that is not a sheet. */
export const wholePart = (file: string, part: string): Place => ({ file, sheet: null, cell: null, part });

/** The place of a cell on the sheet at this place. Columns count from 0, rows from 1. */
export const cellIn = (sheet: Place, column: number, row: number): Place => ({
  ...sheet,
  cell: cellName(column, row),
});

/** A cell as spreadsheets name it: `B7`. Columns count from 0, rows from 1. */
export const cellName = (column: number, row: number): string => `${columnLetters(column)}${row}`;

/** The letters of a column in spreadsheets, from its index: `A` for 0, `AA` for 26. */
export function columnLetters(column: number): string {
  let letters = '';
  for (let remaining = column + 1; remaining > 0; remaining = Math.floor((remaining - 1) / 26)) {
    letters = String.fromCharCode(65 + ((remaining - 1) % 26)) + letters;
  }
  return letters;
}

/** The index of a column, from its letters in spreadsheets: 0 for `A`, 26 for `AA`. */
export const columnNumber = (letters: string): number =>
  [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - A + 1, 0) - 1;

const A = 'A'.charCodeAt(0);
