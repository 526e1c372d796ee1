// Reads the cells of one row as the codes, years and numbers of a staged row, and reports those that cannot be read.

import { datasetOf, type Metric } from '../../src/catalog/datasets.ts';
import type { Severity } from '../messages/problems.ts';
import { didYouMean, headingKey } from '../messages/spelling.ts';
import type { Cell } from '../sources/readers/raw.ts';
import type { Placement, TextTarget } from './placement.ts';
import type { LocatedRow, Remarks } from './remarks.ts';
import type { Terms } from './terms.ts';
import { numberIn, unfit, whyNoNumber, yearIn } from './values.ts';

/** Stands in a staged row for a cell that was filled in and could not be read. */
export const FAULTY = -2;

export class CellReader {
  readonly #placement: Placement;
  readonly #terms: Terms;
  readonly #remarks: Remarks;

  constructor(placement: Placement, terms: Terms, remarks: Remarks) {
    this.#placement = placement;
    this.#terms = terms;
    this.#remarks = remarks;
  }

  /** The code of a text, or FAULTY. */
  text(row: LocatedRow, index: number, { name, form }: TextTarget, cell: Cell | undefined): number {
    if (typeof cell !== 'string') {
      this.#remarks.error(row, index, `${name} ${unfit(cell, 'it as text')}`);
      return FAULTY;
    }
    const term = this.#terms.of(cell, form);
    if (term.fault !== null) {
      this.#remarks.error(row, index, `${name} ${term.fault}`);
      return FAULTY;
    }
    if (term.cleaned.length > 0) {
      for (const cleaned of term.cleaned) this.#remarks.note(row, index, `${name} ${cleaned}`);
    }
    return term.code;
  }

  /** The year, or FAULTY. */
  year(row: LocatedRow, index: number, cell: Cell | undefined): number {
    const year = yearIn(cell);
    if (year !== undefined) return year;
    this.#remarks.error(row, index, `year ${unfit(cell, 'a whole number from 1000 to 9999')}`);
    return FAULTY;
  }

  /** The number of a metric, or null when the cell holds none; its sign is checked too. */
  number(row: LocatedRow, index: number, name: string, cell: Cell | undefined): number | null {
    const { sign = 'any', unit = '' } = datasetOf(this.#placement.dataset).metrics[name] ?? {};
    const value = numberIn(cell, unit);
    if (value === undefined) {
      this.#remarks.error(row, index, `${name} ${whyNoNumber(cell, unit)}`);
      return null;
    }
    const rule = SIGNS[sign];
    if (rule?.refuses(value))
      this.#remarks.add(rule.severity, row, index, `${name} is ${value}; ${rule.said}`);
    return value;
  }

  /** The index of the metric that a wide row holds, or null when it names none that is known. */
  metric(row: LocatedRow): number | null {
    const { metricColumn, metrics, dataset } = this.#placement;
    if (metricColumn < 0) return 0;
    const cell = row.cells[metricColumn];
    const key = typeof cell === 'string' ? headingKey(cell) : '';
    const at = metrics.findIndex((name) => headingKey(name) === key);
    if (at >= 0) return at;
    const said = typeof cell === 'string' ? `"${cell}" is not a metric` : 'metric is empty';
    const hint = didYouMean(String(cell ?? ''), metrics) || `; write one of: ${metrics.join(', ')}`;
    this.#remarks.error(row, metricColumn, `${said} of ${dataset}${hint}`);
    return null;
  }
}

interface SignRule {
  readonly refuses: (value: number) => boolean;
  readonly severity: Severity;
  readonly said: string;
}

/** What a metric's sign refuses, or warns of. */
const SIGNS: Partial<Record<Metric['sign'], SignRule>> = {
  positive: { refuses: (value) => value <= 0, severity: 'error', said: 'it must be above zero' },
  'not negative': { refuses: (value) => value < 0, severity: 'error', said: 'it must not be negative' },
  'usually not negative': {
    refuses: (value) => value < 0,
    severity: 'warning',
    said: 'it is usually not negative',
  },
};
