// Finds texts in a table of a recipe that SQL may read as other numbers than people meant.

import { columnLetters, type Position } from '../../messages/place.ts';
import { digitsShown, isBelowThousand, mayLackDecimals, vanishes } from '../numberForms.ts';
import type { RawRow } from '../readers/rawFile.ts';
import { DottedColumns, ShortColumns, type SuspectColumn } from '../suspectColumns.ts';
import { AFFIRM, CountedRemarks, type TableRemark } from './tableFacts.ts';

/** Checks the columns of a table with a header, because the texts of such a column are of one kind. */
export class TextNumbers {
  /** Numbers other than 0 that SQL reads as 0. */
  readonly #vanished = new CountedRemarks();
  /** Numbers such as `1.00E+07`, of which a spreadsheet program saved only some digits. */
  readonly #incomplete = new CountedRemarks();
  /** The place of a number is its row. */
  readonly #dotted = new DottedColumns<number, number>();
  readonly #short = new ShortColumns<number, number>();

  lookIn({ row, cells }: RawRow): void {
    for (const [column, cell] of cells.entries()) {
      if (typeof cell !== 'string' || !BEGINS_AS_NUMBER.test(cell) || isBelowThousand(cell)) continue;
      if (digitsShown(cell) !== null || mayLackDecimals(cell))
        this.#incomplete.add(remarkOnScientific(cell.trim(), [row, column]));
      this.#short.add(column, cell, row);
      if (MAY_VANISH.test(cell) && vanishes(cell, Number(cell)))
        this.#vanished.add(remarkOnVanished(cell.trim(), [row, column]));
      this.#dotted.add(column, cell, row);
    }
  }

  remarks(): readonly TableRemark[] {
    return [
      ...this.#dotted
        .suspects()
        .filter(({ count }) => count > 1)
        .sort((a, b) => a.column - b.column)
        .map(remarkOnDots),
      ...this.#short.suspects().map(remarkOnDigits),
      ...this.#vanished.list(),
      ...this.#incomplete.list(),
    ];
  }
}

/** The remark on a column whose numbers all look like `1.234`, so that their dots may separate thousands. */
const remarkOnDots = ({ column, count, at, text }: SuspectColumn<number, number>): TableRemark => ({
  severity: 'warning',
  at: [at, column],
  problem: `holds "${text}", and all ${count} numbers like it in column ${columnLetters(column)} have three digits after a dot, which SQL takes for decimals`,
  remedy: `if the dot separates thousands, remove it in the SELECT: replace(…, '.', ''); then ${AFFIRM}`,
  kind: 'numbers of a recipe whose dots may separate thousands',
});

const remarkOnDigits = ({ column, count, at, text }: SuspectColumn<number, number>): TableRemark => ({
  severity: 'warning',
  at: [at, column],
  problem: `holds "${text}", and all ${count} such numbers of the column have seven digits or fewer: a program may have left out further ones`,
  remedy: `export the column again with all digits; if these are all, ${AFFIRM}`,
  kind: 'numbers of a recipe in scientific notation, perhaps with digits missing',
});

const remarkOnVanished = (text: string, at: Position): TableRemark => ({
  severity: 'warning',
  at,
  problem: `holds "${text.slice(0, LONGEST_SHOWN)}", closer to 0 than the smallest number: SQL reads it as 0`,
  remedy: `correct the figure, or leave the cell empty; if 0 is right, ${AFFIRM}`,
  kind: 'numbers of a recipe that SQL reads as 0',
});

const remarkOnScientific = (text: string, at: Position): TableRemark => ({
  severity: 'warning',
  at,
  problem: `holds "${text}", digits of a longer number`,
  remedy: `format the column as a number and save the file again; if these are all its digits, ${AFFIRM}`,
  kind: 'numbers of a recipe in scientific notation with digits missing',
});

const BEGINS_AS_NUMBER = /^\s*-?\d/;

/** Matches a number that may become 0, because it is too small for a double. */
const MAY_VANISH = /[eE]-\d{3}|0{300}/;

const LONGEST_SHOWN = 40;
