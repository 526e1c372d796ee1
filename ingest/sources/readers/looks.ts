// Finds cells whose style shows that they do not count: struck out values, and formats that show nothing.

import { cellName } from '../../messages/place.ts';
import type { Cell, Remark } from './raw.ts';

/** The look of a cell is a sum of these flags. This one marks a value that is struck out. */
export const STRUCK = 1;
/** Marks a value that the number format does not show. */
export const UNSEEN = 2;
/** Marks a number that is shown as a text. */
export const WORDED = 4;

/** The number of rows or cells that are named one by one. */
const MOST_NAMED = 5;

type Position = readonly [row: number, column: number];

/** Collects cells that are struck out or show nothing, row by row. */
export class CellLooks {
  readonly #struckRows = new Found();
  readonly #struckCells = new Found();
  readonly #unseen = new Found();
  readonly #worded = new Found();
  /** The struck out cells of the current row, those that show nothing, and those that show a text. */
  #struck: Position[] = [];
  #empty: Position[] = [];
  #texts: Position[] = [];

  /** Called for each cell with content; `look` is its sum of flags. */
  saw(look: number, row: number, column: number): void {
    if ((look & STRUCK) !== 0) this.#struck.push([row, column]);
    if ((look & UNSEEN) !== 0) this.#empty.push([row, column]);
    if ((look & WORDED) !== 0) this.#texts.push([row, column]);
  }

  /**
   * A row ended, which stands for itself and for `repeats - 1` equal rows below it. It is struck out as a whole when all its
   * filled cells are.
   */
  endRow(cells: readonly Cell[], repeats = 1): void {
    if (this.#struck.length + this.#empty.length + this.#texts.length === 0) return;
    const filled = cells.reduce<number>((sum, cell) => sum + (cell === null || cell === '' ? 0 : 1), 0);
    const isWhole = this.#struck.length >= filled;
    for (let below = 0; below < repeats; below++) {
      const [first, ...others] = this.#struck.map(([row, column]): Position => [row + below, column]);
      if (first !== undefined && isWhole) this.#struckRows.add(first, `${first[0]}`);
      else if (first !== undefined) for (const cell of [first, ...others]) this.#struckCells.add(cell);
      for (const [row, column] of this.#empty) this.#unseen.add([row + below, column]);
      for (const [row, column] of this.#texts) this.#worded.add([row + below, column]);
    }
    this.#struck = [];
    this.#empty = [];
    this.#texts = [];
  }

  remarks(): readonly Remark[] {
    return [
      ...this.#struckRows.remark('row', 'struck out', 'delete what does not count'),
      ...this.#struckCells.remark('cell', 'struck out', 'delete what does not count'),
      ...this.#unseen.remark(
        'cell',
        'shown as nothing, by the number format ;;;',
        'delete what does not count, or give it a number format',
      ),
      ...this.#worded.remark(
        'cell',
        'shown as a text, by a number format without digits',
        'empty what is no figure, or give it the number format 0',
      ),
    ];
  }
}

/** Counts rows or cells, and remembers the first ones. */
class Found {
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
    const those =
      this.#count === 1 ? `1 ${what} is ${how}, and was` : `${this.#count} ${what}s are ${how}, and were`;
    const more = this.#count > MOST_NAMED ? ` and ${this.#count - MOST_NAMED} more` : '';
    const problem = `${those} read like all others: ${this.#names.join(', ')}${more}`;
    return [{ severity: 'warning', cell: this.#first, problem, remedy, kind: `${what}s ${how}` }];
  }
}
