// Finds metrics whose numbers are texts with three digits after a dot, such as `404.021`: the dot may separate thousands.

import { isAmount, metricUnit } from '../../../src/catalog/datasets.ts';
import { count } from '../../messages/numbers.ts';
import { isBelowThousand, looksGrouped } from '../../sources/numberForms.ts';
import { asTyped } from '../readingOptions.ts';
import type { MetricCell, TableContext } from '../tableContext.ts';

/** Counts the numbers of each metric of one table. */
export class DottedColumns {
  readonly #table: TableContext;
  readonly #columns = new Map<string, DottedColumn>();

  constructor(table: TableContext) {
    this.#table = table;
  }

  /**
   * Counts a number that is written as text. Whole numbers below a thousand are not counted, because they have no
   * separator in any style.
   */
  count(at: MetricCell, text: string): void {
    if (isBelowThousand(text)) return;
    const isDotted = looksGrouped(text);
    const seen = this.#columns.get(at.name);
    if (seen === undefined)
      this.#columns.set(at.name, { numbers: 1, dotted: isDotted ? 1 : 0, at, text: text.trim() });
    else {
      seen.numbers += 1;
      if (isDotted) seen.dotted += 1;
    }
  }

  /**
   * Reports the metrics whose dots may all separate thousands: as an error for amounts in several rows, otherwise as a
   * warning.
   */
  finish(): void {
    for (const [name, { numbers, dotted, at, text }] of this.#columns) {
      if (dotted === 0 || dotted < numbers || this.#table.ungroupedMetrics.has(name)) continue;
      const unit = metricUnit(this.#table.mapping.dataset, name);
      const isError = isAmount(unit) && dotted > 1;
      const german = asTyped('numbers', 'de', this.#table.file);
      this.#table.remarks.add(isError ? 'error' : 'warning', at, {
        problem: `${name} is "${text}", whose dot may separate thousands or decimals${dotted > 1 ? `: all ${count(dotted)} such numbers have three digits after it` : ''}`,
        remedy: `if it separates thousands, write ${text.replaceAll('.', '')} or use ${german}; if it begins decimals, use ${asTyped('numbers', 'en', this.#table.file)}`,
        kind: `${name}: dots that may separate thousands`,
      });
    }
  }
}

interface DottedColumn {
  numbers: number;
  /** How many of them have a dot that may separate thousands. */
  dotted: number;
  readonly at: MetricCell;
  readonly text: string;
}
