// What is said of a recipe's table: remarks, and faults for which no SELECT can read it. The first cells are named.

import type { Diagnostic } from '../../messages/fault.ts';
import type { StatedUnit } from '../../messages/statedUnits.ts';

/** A cell: its row from 1, its column from 0. */
export type Position = readonly [row: number, column: number];

/** Something about a table. */
export interface TableRemark extends Diagnostic {
  readonly severity: 'error' | 'warning' | 'note';
  /** The cell that it is about, or the first one; null for the whole table. */
  readonly at: Position | null;
}

/** Facts about a table that decide which remarks apply to it. */
export interface TableFacts {
  /** Whether a row names its columns. */
  readonly hasHeader: boolean;
  /**
   * How faults of its values are reported: as they are; as notes, because its SELECTs are said to know the units and number
   * formats of the sheet; or not at all, because the table is the recipe's own.
   */
  readonly values: 'reported' | 'known' | 'own';
  /** Whether the file has sheets, in which notes may be beside a table. */
  readonly hasSheets: boolean;
  /** Whether `--scale` says what a unit that the table states means. */
  readonly isAnswered: (unit: StatedUnit) => boolean;
  /** Names that may state a unit: those of the file and the sheet. */
  readonly names: readonly string[];
}

/** What is wrong with a table so that no SELECT can read it; `cell` names it where one cell is at fault. */
export interface TableFault extends Diagnostic {
  readonly cell: string | null;
}

/** The remedy where the number that a cell holds is the right one. */
export const AFFIRM = 'set "values": true for this table in recipe.json';

/** A fault of a cell; `at` is null for the cells that are counted and not named. */
export interface FaultAt extends Diagnostic {
  readonly at: Position | null;
}

/** Names the first cells with a fault, and counts the others. */
export class NamedCells {
  readonly #named: FaultAt[] = [];
  #count = 0;

  add(at: Position, diagnostic: Diagnostic): void {
    this.#count += 1;
    if (this.#count <= NAMED_CELLS) this.#named.push({ at, ...diagnostic });
  }

  /** @param beyond What is said of the number of further cells. */
  list(beyond: (count: number) => string): FaultAt[] {
    const more = this.#count - this.#named.length;
    return more === 0 ? this.#named : [...this.#named, { at: null, problem: beyond(more), remedy: null }];
  }
}

/** The number of faulty cells that are named; further ones are counted. */
const NAMED_CELLS = 20;
