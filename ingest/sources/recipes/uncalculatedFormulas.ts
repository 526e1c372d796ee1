// Finds the formulas in a table of a recipe that were never calculated, so that SQL has no value to read.

import type { Diagnostic } from '../../messages/fault.ts';
import { cellName } from '../../messages/place.ts';
import { CALCULATE } from '../../messages/remedies.ts';
import type { RawRow } from '../readers/raw.ts';
import { NamedCells, type TableFault } from './remark.ts';

/** Counts formulas that were never calculated, and names the first of them. */
export class UncalculatedFormulas {
  readonly #cells = new NamedCells();

  lookIn({ row, cells }: RawRow): void {
    cells.forEach((cell, column) => {
      if (typeof cell !== 'object' || cell?.kind !== 'uncalculated') return;
      this.#cells.add([row, column], UNCALCULATED);
    });
  }

  faults(): TableFault[] {
    return this.#cells
      .list((more) => `${more} more formulas without a calculated value`)
      .map(({ at, ...fault }) => ({ cell: at === null ? null : cellName(at[1], at[0]), ...fault }));
  }
}

const UNCALCULATED: Diagnostic = {
  problem: 'formula without a calculated value',
  remedy: CALCULATE,
};
