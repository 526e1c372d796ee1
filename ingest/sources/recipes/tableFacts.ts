// Defines the faults of a table of a recipe, and remarks on it.

import { getOrInsert } from '../../../src/basics/maps.ts';
import type { Diagnostic } from '../../messages/fault.ts';
import { firstOf } from '../../messages/numbers.ts';
import type { Position } from '../../messages/place.ts';
import type { StatedUnit } from '../../messages/statedUnits.ts';

/** A fault of a table or of its cells. */
export interface TableFault extends Diagnostic {
  /** The cell, or the first of several; null for the whole table, and for cells that are only counted. */
  readonly at: Position | null;
}

/** A remark on a table, or on a cell of it. */
export interface TableRemark extends TableFault {
  readonly severity: 'error' | 'warning' | 'note';
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

/** The remedy for a fault when the number in the cell is right as it is. */
export const AFFIRM = 'set "values": true for this table in recipe.json';

/** Keeps the first remark of each kind, and counts the others. */
export class CountedRemarks {
  readonly #found = new Map<string | undefined, { readonly first: TableRemark; count: number }>();

  add(remark: TableRemark): void {
    getOrInsert(this.#found, remark.kind, () => ({ first: remark, count: 0 })).count += 1;
  }

  list(): readonly TableRemark[] {
    return Array.from(this.#found.values(), ({ first, count }) => ({
      ...first,
      problem: first.problem + firstOf(count),
    }));
  }
}

/** Names the first cells with a fault, and counts the others. */
export class NamedCells {
  readonly #named: TableFault[] = [];
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
  list(beyond: (count: number) => string): TableFault[] {
    const more = this.#count - this.#named.length;
    return more === 0 ? this.#named : [...this.#named, { at: null, problem: beyond(more), remedy: null }];
  }
}

/** The most cells with a fault that are named. The others are only counted. */
const NAMED_CELLS = 20;
