// Finds texts in a table of a recipe that SQL may read as other numbers than people meant.

import type { Diagnostic } from '../../messages/fault.ts';
import { firstOf } from '../../messages/numbers.ts';
import { columnLetters } from '../../messages/place.ts';
import {
  digitsShown,
  FEWEST_SHORT,
  isBelowThousand,
  looksGrouped,
  mayLackDecimals,
  mayLackDigits,
  vanishes,
} from '../numberForms.ts';
import type { RawRow } from '../readers/rawFile.ts';
import { AFFIRM, type TableRemark } from './tableFacts.ts';

/** Checks the columns of a table with a header, because the texts of such a column are of one kind. */
export class TextNumbers {
  readonly #columns: TextColumn[] = [];
  /** Numbers other than 0 that SQL reads as 0. */
  readonly #vanished = new CountedTexts();
  /** Numbers such as `1.00E+07`, of which a spreadsheet program saved only some digits. */
  readonly #incomplete = new CountedTexts();
  readonly #short = new ShortNumbers();

  lookIn({ row, cells }: RawRow): void {
    for (const [column, cell] of cells.entries()) {
      if (typeof cell !== 'string' || !BEGINS_AS_NUMBER.test(cell) || isBelowThousand(cell)) continue;
      if (digitsShown(cell) !== null || mayLackDecimals(cell)) this.#incomplete.add(cell, row, column);
      this.#short.lookIn(cell, row, column);
      if (MAY_VANISH.test(cell) && vanishes(cell, Number(cell))) this.#vanished.add(cell, row, column);
      const seen = this.#columns[column] ?? { numbers: 0, dotted: 0, row, text: cell.trim() };
      this.#columns[column] = seen;
      seen.numbers += 1;
      if (looksGrouped(cell)) seen.dotted += 1;
    }
  }

  remarks(): readonly TableRemark[] {
    return [
      ...this.#columns.flatMap(dottedRemarks),
      ...this.#short.remarks(),
      ...this.#vanished.remarks(({ text, count }) => ({
        problem: `holds "${text.slice(0, LONGEST_SHOWN)}", closer to 0 than the smallest number: SQL reads it as 0${firstOf(count)}`,
        remedy: `correct the figure, or leave the cell empty; if 0 is right, ${AFFIRM}`,
        kind: 'numbers of a recipe that SQL reads as 0',
      })),
      ...this.#incomplete.remarks(({ text, count }) => ({
        problem: `holds "${text}", digits of a longer number${firstOf(count)}`,
        remedy: `format the column as a number and save the file again; if these are all its digits, ${AFFIRM}`,
        kind: 'numbers of a recipe in scientific notation with digits missing',
      })),
    ];
  }
}

/** Checks the numbers of each column that are written like `1.80851e+08`. */
class ShortNumbers {
  /** Column → its numbers that may lack digits; null for a column in which such a number has all its digits. */
  readonly #columns = new Map<number, CountedText | null>();

  lookIn(cell: string, row: number, column: number): void {
    const lacks = mayLackDigits(cell);
    if (lacks === null || this.#columns.get(column) === null) return;
    const seen = this.#columns.get(column) ?? { count: 0, row, column, text: cell.trim() };
    seen.count += 1;
    this.#columns.set(column, lacks ? seen : null);
  }

  remarks(): TableRemark[] {
    return [...this.#columns.values()].flatMap((column): TableRemark[] => {
      if (column === null || column.count < FEWEST_SHORT) return [];
      return [
        {
          severity: 'warning',
          at: [column.row, column.column],
          problem: `holds "${column.text}", and all ${column.count} such numbers of the column have seven digits or fewer: a program may have left out further ones`,
          remedy: `export the column again with all digits; if these are all, ${AFFIRM}`,
          kind: 'numbers of a recipe in scientific notation, perhaps with digits missing',
        },
      ];
    });
  }
}

/** The first text of a kind, and how many there are. */
interface CountedText {
  count: number;
  readonly row: number;
  readonly column: number;
  readonly text: string;
}

/** Counts the texts of a kind, and makes one warning of them. */
class CountedTexts {
  #first: CountedText | null = null;

  add(cell: string, row: number, column: number): void {
    this.#first ??= { count: 0, row, column, text: cell.trim() };
    this.#first.count += 1;
  }

  remarks(diagnosticOf: (first: CountedText) => Diagnostic): TableRemark[] {
    const first = this.#first;
    if (first === null) return [];
    return [{ severity: 'warning', at: [first.row, first.column], ...diagnosticOf(first) }];
  }
}

/** The numbers in the texts of a column. Whole numbers below a thousand are left out, because they have no separators. */
interface TextColumn {
  numbers: number;
  /** How many of the numbers have a dot that may separate thousands. */
  dotted: number;
  /** The row and the text of the first number. */
  readonly row: number;
  readonly text: string;
}

const BEGINS_AS_NUMBER = /^\s*-?\d/;

/** Matches a number that may become 0, because it is too small for a double. */
const MAY_VANISH = /[eE]-\d{3}|0{300}/;

const LONGEST_SHOWN = 40;

/** Remarks on columns in which every dot may separate thousands. */
function dottedRemarks({ numbers, dotted: count, row, text }: TextColumn, column: number): TableRemark[] {
  if (count < 2 || count < numbers) return [];
  return [
    {
      severity: 'warning',
      at: [row, column],
      problem: `holds "${text}", and all ${count} numbers like it in column ${columnLetters(column)} have three digits after a dot, which SQL takes for decimals`,
      remedy: `if the dot separates thousands, remove it in the SELECT: replace(…, '.', ''); then ${AFFIRM}`,
      kind: 'numbers of a recipe whose dots may separate thousands',
    },
  ];
}
