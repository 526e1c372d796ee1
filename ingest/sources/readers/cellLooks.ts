// Finds cells whose style hides their value or says that it does not count: struck out, pale, shown as nothing or text.

import { count as grouped } from '../../messages/numbers.ts';
import { cellName, type Position } from '../../messages/place.ts';
import type { Cell, Remark } from './rawFile.ts';

/** The look of a cell is the sum of its flags. This flag marks a value that is struck out. */
export const STRUCK = 1;
/** Marks a value that the number format does not show. */
export const NOT_SHOWN = 2;
/** Marks a number that is shown as a text. */
export const SHOWN_AS_TEXT = 4;
/** Marks a number in the colour of its background. */
export const PALE = 8;

/** Marks a number that is shown with the mark of an estimate or a footnote: `404e`, `404*`. */
export const SHOWN_WITH_MARK = 16;
/** Marks a number of one or two digits that is shown as superscript or subscript, as footnote marks are. */
export const RAISED = 32;

/** Whether a text has digits and no letters. Other texts may be headings, which are often white on a dark table style. */
export const isNumeral = (text: string): boolean => /\d/.test(text) && !/\p{L}/u.test(text);

/** Whether a cell holds a number of one or two digits, such as a footnote mark. */
export const isSmallNumber = (value: Cell): boolean =>
  (typeof value === 'number' || typeof value === 'string') && /^\d{1,2}$/.test(`${value}`);

/** The most rows, columns or cells that a message names. */
export const MOST_NAMED = 5;

/**
 * The problem of rows, columns or cells that were read although they look as if they did not count:
 * `1 row is hidden, and was read like all others: 7`.
 *
 * @param what The word for one of them: `row`, `column` or `cell`.
 * @param how The words for their look, such as `hidden`.
 * @param names The names of the first of them, at most `MOST_NAMED`.
 */
export function readLikeOthers(count: number, what: string, how: string, names: readonly string[]): string {
  const subject =
    count === 1 ? `1 ${what} is ${how}, and was` : `${grouped(count)} ${what}s are ${how}, and were`;
  const more = count > names.length ? ` and ${grouped(count - names.length)} more` : '';
  return `${subject} read like all others: ${names.join(', ')}${more}`;
}

/** The looks of single cells, in the order of their warnings. */
const LOOKS: readonly { readonly flag: number; readonly how: string; readonly remedy: string }[] = [
  { flag: STRUCK, how: 'struck out', remedy: 'delete what does not count' },
  {
    flag: NOT_SHOWN,
    how: 'shown as nothing, by the number format ;;; or one like it',
    remedy: 'delete what does not count, or give it a number format',
  },
  {
    flag: SHOWN_AS_TEXT,
    how: 'shown as a text, by a number format without digits',
    remedy: 'empty what is not a figure, or give it the number format 0',
  },
  {
    flag: PALE,
    how: 'shown in the colour of the background',
    remedy: 'delete what does not count, or give it another colour',
  },
  {
    flag: RAISED,
    how: 'shown as superscript or subscript, as a footnote mark is',
    remedy: 'empty what is not a figure, or give it a plain font',
  },
  {
    flag: SHOWN_WITH_MARK,
    how: 'shown with a mark, such as e or *, by the number format',
    remedy: 'call what is not a reported figure Forecast, and give the figures the number format 0',
  },
];

/** Collects the cells with a look, row by row. */
export class CellLooks {
  readonly #struckRows = new NamedParts();
  /** For each look, the cells that have it; at the index of the look in `LOOKS`. */
  readonly #cells = LOOKS.map(() => new NamedParts());
  /** The same for the cells of the current row only. */
  readonly #ofRow: readonly Position[][] = LOOKS.map(() => []);

  /** Adds a cell with content. `look` is the sum of its flags. */
  add(look: number, row: number, column: number): void {
    for (const [index, { flag }] of LOOKS.entries())
      if ((look & flag) !== 0) this.#ofRow[index]?.push([row, column]);
  }

  /**
   * Ends a row, which stands for `repeats` equal rows. When all its filled cells are struck out, the row is reported
   * instead of its cells.
   */
  endRow(cells: readonly Cell[], repeats = 1): void {
    if (this.#ofRow.every((positions) => positions.length === 0)) return;
    const filled = cells.reduce<number>((sum, cell) => sum + (cell === null || cell === '' ? 0 : 1), 0);
    for (const [index, { flag }] of LOOKS.entries()) {
      const positions = this.#ofRow[index] ?? [];
      const [first] = positions;
      const isWholeRow = flag === STRUCK && positions.length >= filled;
      for (let below = 0; below < repeats && first !== undefined; below++) {
        if (isWholeRow) this.#struckRows.add([first[0] + below, first[1]], `${first[0] + below}`);
        else for (const [row, column] of positions) this.#cells[index]?.add([row + below, column]);
      }
      positions.length = 0;
    }
  }

  remarks(): readonly Remark[] {
    return [
      ...this.#struckRows.remark('row', 'struck out', 'delete what does not count'),
      ...LOOKS.flatMap(({ how, remedy }, index) => this.#cells[index]?.remark('cell', how, remedy) ?? []),
    ];
  }
}

/** Counts rows or cells, and remembers the names of the first ones. */
class NamedParts {
  #count = 0;
  #first: Position | undefined;
  readonly #names: string[] = [];

  add(cell: Position, name = cellName(cell[1], cell[0])): void {
    this.#count += 1;
    this.#first ??= cell;
    if (this.#names.length < MOST_NAMED) this.#names.push(name);
  }

  remark(what: string, how: string, remedy: string): readonly Remark[] {
    if (this.#first === undefined) return [];
    const problem = readLikeOthers(this.#count, what, how, this.#names);
    return [{ severity: 'warning', cell: this.#first, problem, remedy, kind: `${what}s ${how}` }];
  }
}
