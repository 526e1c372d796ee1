// Finds rows whose cells stand one column too far right or left, so that one error says so instead of one a cell.

import type { Diagnostic } from '../messages/fault.ts';
import { type Cell, storedNumber } from '../sources/readers/rawFile.ts';
import { describeCell, isEmpty, yearIn } from './cellValues.ts';
import type { Target } from './columnMapping.ts';
import { hasNoNumbers } from './numbers/placeholders.ts';
import type { LocatedRow } from './remarks.ts';
import type { TableContext } from './tableContext.ts';

/** A row that looks shifted. */
export interface ShiftedRow {
  /** The index of the column that the error names. */
  readonly index: number;
  readonly fault: Diagnostic;
}

/**
 * Examines the rows of one table. Every column must have a known heading, and the columns of figures must be the last ones.
 */
export class ShiftedRows {
  readonly #table: TableContext;
  readonly #targets: readonly Target[];
  /** The index of the first column of figures; 0 when the table cannot be examined. */
  readonly #figuresAt: number;

  constructor(table: TableContext) {
    this.#table = table;
    const known = table.mapping.targets.filter((target) => target !== undefined);
    this.#targets = known;
    const at = known.findIndex(isOfFigures);
    const isUsual = known.length === table.mapping.targets.length && known.slice(at).every(isOfFigures);
    this.#figuresAt = isUsual ? Math.max(0, at) : 0;
  }

  /** The fault of a row whose cells fit only if they are moved by one column; null for any other row. */
  find(row: LocatedRow): ShiftedRow | null {
    const at = this.#figuresAt;
    if (at === 0) return null;
    const { cells } = row;
    const width = this.#targets.length;
    if (!isEmpty(cells[width])) return this.#fits((column) => cells[column]) ? null : this.#toTheRight(row);
    if (!isEmpty(cells[width - 1]) || !isNumeral(cells[at - 1])) return null;
    const before = this.#targets[at - 1];
    return before === undefined || this.#isOfKind(before, cells[at - 1]) ? null : this.#toTheLeft(row);
  }

  /** The row whose cells from an empty one on belong one column to the left. */
  #toTheRight({ cells }: LocatedRow): ShiftedRow | null {
    const width = this.#targets.length;
    if (cells.slice(width + 1).some((cell) => !isEmpty(cell))) return null;
    const from = this.#targets.findIndex(
      (_, index) =>
        isEmpty(cells[index]) && this.#fits((column) => cells[column < index ? column : column + 1]),
    );
    const target = this.#targets[from];
    if (target === undefined) return null;
    const name = nameOf(target);
    return {
      index: from,
      fault: {
        problem: `the cells of the row look shifted by one to the right, from ${name} on: ${name} is empty, and ${describeCell(cells[width])} is beyond the last heading`,
        remedy: `move the cells behind ${name} one column to the left`,
        kind: 'a row looks shifted to the right',
      },
    };
  }

  /** The row whose cells from some column on belong one column to the right, because a cell is missing. */
  #toTheLeft({ cells }: LocatedRow): ShiftedRow | null {
    const makesSense = this.#targets.some((_, missing) =>
      this.#fits((column) => cells[column < missing ? column : column - 1], missing),
    );
    const index = this.#figuresAt - 1;
    const [before, last] = [this.#targets[index], this.#targets.at(-1)];
    if (!makesSense || before === undefined || last === undefined) return null;
    return {
      index,
      fault: {
        problem: `the cells of the row look shifted by one to the left: ${nameOf(before)} is ${describeCell(cells[index])}, and ${nameOf(last)} is empty`,
        remedy: 'find the cell that is missing, and move the cells behind it one column to the right',
        kind: 'a row looks shifted to the left',
      },
    };
  }

  /** Whether all columns, except one that is missing, have a cell of their kind, and at least one column has a figure. */
  #fits(cellOf: (column: number) => Cell | undefined, missing = -1): boolean {
    let figures = 0;
    for (const [column, target] of this.#targets.entries()) {
      if (column === missing) continue;
      const cell = cellOf(column);
      if (!this.#isOfKind(target, cell)) return false;
      if (isOfFigures(target) && !isEmpty(cell)) figures += 1;
    }
    return figures > 0;
  }

  #isOfKind(target: Target, cell: Cell | undefined): boolean {
    switch (target.kind) {
      case 'year':
        return yearIn(cell) !== undefined;
      case 'value':
      case 'year value':
        return isEmpty(cell) || isNumeral(cell);
      case 'metric name':
        return typeof cell === 'string' && !isNumeral(cell);
      case 'text':
        if (isEmpty(cell)) return this.#table.mapping.optional.includes(target.dimension);
        if (typeof cell !== 'string') return false;
        if (target.name === 'fx' || target.name === 'fx_local_currency') return CODE.test(cell);
        if (target.name === 'temporal') return this.#isTemporal(cell.trim());
        return !hasNoNumbers(target.name) || !isNumeral(cell);
    }
  }

  #isTemporal(text: string): boolean {
    return (
      ['current', 'forecast'].includes(text.toLowerCase()) ||
      this.#table.known?.has('temporal', text) === true
    );
  }
}

const isOfFigures = ({ kind }: Target): boolean => kind === 'value' || kind === 'year value';

/** The heading of a column in words. */
function nameOf(target: Target): string {
  switch (target.kind) {
    case 'text':
    case 'value':
      return target.name;
    case 'year value':
      return `${target.year}`;
    case 'metric name':
      return 'metric';
    case 'year':
      return 'year';
  }
}

const CODE = /^\s*[a-z]{3}\s*$/i;

/** Whether a cell holds a number in any notation, whatever its format shows. */
function isNumeral(cell: Cell | undefined): boolean {
  if (typeof cell === 'string') return cell.length <= LONGEST_NUMERAL && NUMERAL.test(cell.trim());
  return storedNumber(cell) !== undefined;
}

/** A longer text is no number. The pattern would take seconds for 30,000 spaces. */
const LONGEST_NUMERAL = 60;

const NUMERAL = /^[-+(]?\s*\d[\d.,'’\s]*(?:e[-+]?\d+)?\)?$/i;
