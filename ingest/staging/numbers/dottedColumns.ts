// Finds columns of a metric in which every number in text looks as if a dot separated thousands, such as `404.021`.

import { datasetOf } from '../../../src/catalog/datasets.ts';
import { isBelowThousand, looksGrouped } from '../../sources/numberForms.ts';
import type { CellContext } from '../cells.ts';
import type { Placement } from '../placement.ts';
import { type OptionName, typed } from '../readingOptions.ts';
import type { LocatedRow, Remarks } from '../remarks.ts';
import { isAmount } from './headingUnit.ts';

export class DottedColumns {
  readonly #placement: Placement;
  readonly #remarks: Remarks;
  readonly #context: CellContext;
  /** By metric, how many numbers in text there are, and how many look as if a dot separated thousands. */
  readonly #columns = new Map<string, DottedColumn>();
  /** The metrics with a number whose dot cannot separate thousands, read by another reader. */
  readonly #ungrouped = new Set<string>();

  constructor(placement: Placement, remarks: Remarks, context: CellContext) {
    this.#placement = placement;
    this.#remarks = remarks;
    this.#context = context;
  }

  /** Counts a number in text. */
  count(row: LocatedRow, index: number, name: string, text: string): void {
    if (isBelowThousand(text)) return;
    const isDotted = looksGrouped(text);
    const seen = this.#columns.get(name);
    if (seen === undefined)
      this.#columns.set(name, { numbers: 1, dotted: isDotted ? 1 : 0, row, index, text: text.trim() });
    else {
      seen.numbers += 1;
      if (isDotted) seen.dotted += 1;
    }
  }

  /** Notes that another reader found a number in this column whose dot does not separate thousands. */
  sawUngrouped(name: string): void {
    this.#ungrouped.add(name);
  }

  /** Reports the columns: amounts in several rows as errors, anything else as warnings. */
  finish(): void {
    for (const [name, { numbers, dotted, row, index, text }] of this.#columns) {
      if (dotted === 0 || dotted < numbers || this.#ungrouped.has(name)) continue;
      const { unit = '' } = datasetOf(this.#placement.dataset).metrics[name] ?? {};
      const isError = isAmount(unit) && dotted > 1;
      const german = this.#typed('numbers', 'de');
      this.#remarks.add(isError ? 'error' : 'warning', row, index, {
        problem: `${name} is "${text}"${dotted > 1 ? `, and all ${dotted} numbers like it have three digits after a dot` : ''}: a dot that separates thousands, or decimals`,
        remedy: `if it separates thousands, write 404021 or say ${german}; if it begins decimals, say ${this.#typed('numbers', 'en')}`,
        kind: `${name}: dots that may separate thousands`,
      });
    }
  }

  #typed(option: OptionName, value: string): string {
    return typed({ option, value, file: this.#context.file, found: false });
  }
}

interface DottedColumn {
  numbers: number;
  dotted: number;
  readonly row: LocatedRow;
  readonly index: number;
  readonly text: string;
}
