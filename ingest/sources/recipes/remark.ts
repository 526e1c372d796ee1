// Defines remarks on a table of a recipe, and the faults that keep SELECTs from reading it.

import type { Diagnostic } from '../../messages/fault.ts';
import type { StatedUnit } from '../../messages/statedUnits.ts';

/** A cell: its row from 1, its column from 0. */
export type Position = readonly [row: number, column: number];

/** A remark on a table, or on a cell of it. */
export interface TableRemark extends Diagnostic {
  readonly severity: 'error' | 'warning' | 'note';
  /** The cell of the remark, or the first of several; null for the whole table. */
  readonly at: Position | null;
}

/** Facts about a table that decide which remarks apply to it. */
export interface TableFacts {
  /** Whether a row names its columns. */
  readonly hasHeader: boolean;
  /**
   * How faults of values are reported. `reported`: with their own severity. `known`: as notes, because recipe.json says
   * that the SELECTs take account of the units and number formats of the sheet. `ignored`: not at all, because the table is
   * part of the recipe.
   */
  readonly values: 'reported' | 'known' | 'ignored';
  /** Whether the file has sheets. A sheet may have notes beside its table. */
  readonly hasSheets: boolean;
  /** Whether `--scale` is given for a unit that the table states. */
  readonly hasScaleFor: (unit: StatedUnit) => boolean;
  /** The names of the file and the sheet, which may state a unit. */
  readonly names: readonly string[];
}

/** A fault that keeps SELECTs from reading a table. `cell` names the cell with the fault; null when it is not a single cell. */
export interface TableFault extends Diagnostic {
  readonly cell: string | null;
}

/** The remedy for a fault when the number in the cell is right as it is. */
export const AFFIRM = 'set "values": true for this table in recipe.json';

/** A fault of a cell. `at` is null for the cells that are only counted. */
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

  /**
   * The faults of the named cells, and one fault for all other cells.
   *
   * @param beyond Makes the problem text about the number of other cells.
   */
  list(beyond: (count: number) => string): FaultAt[] {
    const more = this.#count - this.#named.length;
    return more === 0 ? this.#named : [...this.#named, { at: null, problem: beyond(more), remedy: null }];
  }
}

/** The most cells with a fault that are named. The others are only counted. */
const NAMED_CELLS = 20;
