// Finds metrics whose numbers are texts with three digits after a dot, such as `404.021`: the dot may separate thousands.

import { metricUnit } from '../../../src/catalog/datasets.ts';
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
  /** By metric, what has been counted so far. */
  readonly #columns = new Map<string, DottedColumn>();
  /** Metrics for which another reader found a number whose dot cannot separate thousands. */
  readonly #ungrouped = new Set<string>();

  constructor(placement: Placement, remarks: Remarks, context: CellContext) {
    this.#placement = placement;
    this.#remarks = remarks;
    this.#context = context;
  }

  /** Counts a number that is written as text. */
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

  /** Called when another reader found a number of this metric whose dot cannot separate thousands. */
  sawUngrouped(name: string): void {
    this.#ungrouped.add(name);
  }

  /** Reports the metrics in question: an error for amounts in several rows, otherwise a warning. */
  finish(): void {
    for (const [name, { numbers, dotted, row, index, text }] of this.#columns) {
      if (dotted === 0 || dotted < numbers || this.#ungrouped.has(name)) continue;
      const unit = metricUnit(this.#placement.dataset, name);
      const isError = isAmount(unit) && dotted > 1;
      const german = this.#typed('numbers', 'de');
      this.#remarks.add(isError ? 'error' : 'warning', row, index, {
        problem: `${name} is "${text}", whose dot may separate thousands or decimals${dotted > 1 ? `: all ${dotted} such numbers have three digits after it` : ''}`,
        remedy: `if it separates thousands, write 404021 or use ${german}; if it begins decimals, use ${this.#typed('numbers', 'en')}`,
        kind: `${name}: dots that may separate thousands`,
      });
    }
  }

  #typed(option: OptionName, value: string): string {
    return typed({ option, value, file: this.#context.file });
  }
}

interface DottedColumn {
  /** How many numbers are written as text. */
  numbers: number;
  /** How many of them have a dot that may separate thousands. */
  dotted: number;
  /** The row, the column and the text of the first of these numbers. */
  readonly row: LocatedRow;
  readonly index: number;
  readonly text: string;
}
