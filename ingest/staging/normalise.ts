// Turns the raw rows of a table into staged facts: cleaned text, years, numbers; whatever is none is named.

import {
  type DatasetName,
  type Dimension,
  type DimensionName,
  datasetOf,
  dimensionOf,
  type Metric,
  metricNames,
} from '../../src/catalog/datasets.ts';
import { type Origin, type Place, placeOfCell, wholeTable } from '../messages/place.ts';
import type { Problems, Severity } from '../messages/problems.ts';
import { didYouMean, headingKey } from '../messages/spelling.ts';
import { type Column, type Header, isHeaderOf } from '../sources/header.ts';
import { type Cell, type MergedCells, type RawRow, rangeName } from '../sources/readers/raw.ts';
import { EVERY_METRIC, type StagedRow, type Staging } from './staging.ts';
import { Terms } from './terms.ts';
import { described, isEmpty, numberIn, unfit, whyNoNumber, yearIn } from './values.ts';

export interface TableInput {
  readonly dataset: DatasetName;
  readonly header: Header;
  /** Index into the staging's origins. */
  readonly source: number;
}

/** A row of a recipe's result says itself where it came from. */
export interface LocatedRow extends RawRow {
  readonly source?: number;
}

/**
 * Takes the rows of one table, batch by batch. Rows with a fault are reported and left out; the others are
 * staged. `finish` refuses merged cells among the data, adds the notes that count what was cleaned, and says how
 * many facts were staged, and from how many rows.
 */
export class Normaliser {
  readonly #input: TableInput;
  readonly #staging: Staging;
  readonly #problems: Problems;
  readonly #terms: Terms;
  readonly #dimensions: readonly DimensionName[];
  readonly #metrics: readonly string[];
  readonly #width: number;
  readonly #firstColumn: number;
  readonly #slots: readonly (Slot | undefined)[];
  readonly #firstText: number;
  readonly #staged: StagedRow;
  /** Dimensions that a row must fill: those the header has, but for those that may be empty. */
  readonly #required: readonly number[];
  /** Those that a row may leave empty. */
  readonly #optional: readonly number[];
  readonly #notes = new Map<string, { count: number; first: Place }>();
  #lastDataRow: number;
  #inFootnotes = false;
  readonly #footnoteRows = new Set<number>();
  #facts = 0;
  #rows = 0;

  constructor(input: TableInput, staging: Staging, problems: Problems) {
    this.#input = input;
    this.#staging = staging;
    this.#problems = problems;
    this.#terms = new Terms(staging);
    this.#dimensions = datasetOf(input.dataset).dimensions;
    this.#metrics = metricNames(input.dataset);
    this.#lastDataRow = input.header.row;
    const { columns } = input.header;
    this.#width = columns.length;
    this.#firstColumn = Math.max(
      0,
      columns.findIndex((column) => column !== undefined),
    );
    this.#slots = Array.from(columns, (column) => this.#slotOf(column));
    this.#firstText = this.#slots.findIndex((slot) => slot?.kind === 'text');
    const present = new Set(
      columns.flatMap((column) => (column === undefined ? [] : [column.name as string])),
    );
    const isWide = input.header.form === 'wide';
    this.#required = this.#dimensions.flatMap((name, i) =>
      present.has(name) && !dimensionOf(name).mayBeEmpty && !(isWide && name === 'year') ? [i] : [],
    );
    this.#optional = this.#dimensions.flatMap((name, i) => (dimensionOf(name).mayBeEmpty ? [i] : []));
    this.#staged = {
      source: input.source,
      row: 0,
      column: this.#firstColumn,
      metric: EVERY_METRIC,
      dimensions: this.#dimensions.map(() => UNKNOWN),
      values: this.#metrics.map(() => null),
    };
  }

  take(batch: readonly LocatedRow[]): void {
    for (const row of batch) {
      if (row.row > this.#input.header.row) this.#takeRow(row);
      else if (row.row < this.#input.header.row) this.#refuseDataAbove(row);
    }
  }

  finish(merged: readonly MergedCells[] = []): { rows: number; facts: number } {
    for (const range of merged) this.#refuseMerged(range);
    for (const [message, { count, first }] of this.#notes) {
      this.#problems.add('note', first, count === 1 ? message : `${message} (first of ${count})`);
    }
    return { rows: this.#rows, facts: this.#facts };
  }

  /** Sorting a sheet with its header leaves rows above it, and what stands there is else no more than a title. */
  #refuseDataAbove(row: LocatedRow): void {
    const filled = new Set<number>();
    let values = 0;
    this.#slots.forEach((slot, index) => {
      if (slot?.kind === 'text' && typeof row.cells[index] === 'string') filled.add(slot.at);
      if (slot?.kind === 'year' && yearIn(row.cells[index]) !== undefined) filled.add(slot.at);
      const holdsValue = slot?.kind === 'value' || this.#input.header.columns[index]?.kind === 'year';
      if (holdsValue && typeof row.cells[index] === 'number') values += 1;
    });
    if (!this.#required.every((at) => filled.has(at)) || (values === 0 && this.#metrics.length > 0)) return;
    this.#fault(row, this.#firstColumn, 'a row of data above the header; move it below or delete it');
  }

  /** What a person sees in each of the merged cells stands in the first one alone; the others would be empty. */
  #refuseMerged(range: MergedCells): void {
    const { rows, columns } = range;
    const { header } = this.#input;
    const isBelow = rows[0] > header.row && rows[0] <= this.#lastDataRow;
    if (!isBelow || this.#footnoteRows.has(rows[0])) return;
    const next = rows[1] > rows[0] ? columns[0] : columns[0] + 1;
    const hides = header.columns.slice(next, columns[1] + 1).some((column) => column !== undefined);
    if (!hides) return;
    const message = `the cells ${rangeName(range)} are merged, and only the first holds the value; unmerge them and fill in each`;
    this.#fault({ row: rows[0], cells: [] }, columns[0], message);
  }

  #takeRow(row: LocatedRow): void {
    if (this.#isFootnote(row) || this.#isSecondHeader(row)) return;
    const { dimensions, values } = this.#staged;
    dimensions.fill(UNKNOWN);
    values.fill(null);
    const before = this.#problems.errors;
    const width = Math.max(row.cells.length, this.#width);
    let filled = false;
    for (let index = 0; index < width; index++) {
      const cell = row.cells[index];
      const empty = isEmpty(cell);
      const slot = this.#slots[index];
      if (slot === undefined) {
        if (empty) continue;
        if (this.#input.header.columns[index] === undefined) this.#stray(row, index, cell);
        else filled = true;
        continue;
      }
      if (empty) continue;
      filled = true;
      switch (slot.kind) {
        case 'text':
          dimensions[slot.at] = this.#text(row, index, slot, cell);
          break;
        case 'year':
          dimensions[slot.at] = this.#year(row, index, cell);
          break;
        case 'value':
          values[slot.at] = this.#number(row, index, slot.name, cell);
          break;
      }
    }
    if (!filled) return;
    this.#lastDataRow = row.row;
    this.#inFootnotes = false;
    this.#requireDimensions(row);
    const faulty = this.#problems.errors > before;
    if (this.#input.header.form === 'wide') this.#takeYears(row, faulty);
    else if (!faulty) this.#takeFact(row);
  }

  #takeFact(row: LocatedRow): void {
    const { values } = this.#staged;
    if (values.length > 0 && values.every((value) => value === null)) {
      this.#note(row, this.#firstColumn, 'a row without any value was left out');
      return;
    }
    this.#stage(row);
    this.#rows += 1;
  }

  /** A fact per year that holds a value; of a row at fault the values are looked at all the same. */
  #takeYears(row: LocatedRow, faulty: boolean): void {
    const { columns } = this.#input.header;
    const metric = this.#metricOf(row);
    const yearAt = this.#dimensions.indexOf('year');
    const { dimensions, values } = this.#staged;
    let found = false;
    const before = this.#facts;
    for (let index = 0; index < columns.length; index++) {
      const column = columns[index];
      const cell = row.cells[index];
      if (column?.kind !== 'year' || isEmpty(cell)) continue;
      found = true;
      const value = this.#number(row, index, this.#metrics[metric ?? 0] ?? '', cell);
      if (value === null || metric === null || faulty) continue;
      values.fill(null);
      values[metric] = value;
      dimensions[yearAt] = column.year;
      this.#staged.metric = this.#metrics.length === 1 ? EVERY_METRIC : metric;
      this.#staged.column = index;
      this.#stage(row);
    }
    if (this.#facts > before) this.#rows += 1;
    if (!found && !faulty) this.#note(row, this.#firstColumn, 'a row without any value was left out');
  }

  #stage(row: LocatedRow): void {
    this.#staged.source = row.source ?? this.#input.source;
    this.#staged.row = row.row;
    this.#staging.add(this.#input.dataset, this.#staged);
    this.#facts += 1;
  }

  /** The index of the metric a wide row holds; null when it names none that is known. */
  #metricOf(row: LocatedRow): number | null {
    const index = this.#input.header.columns.findIndex((column) => column?.kind === 'metric name');
    if (index < 0) return 0;
    const cell = row.cells[index];
    const key = typeof cell === 'string' ? headingKey(cell) : '';
    const at = this.#metrics.findIndex((name) => headingKey(name) === key);
    if (at >= 0) return at;
    const said = typeof cell === 'string' ? `"${cell}" is not a metric` : 'metric is empty';
    const hint =
      didYouMean(String(cell ?? ''), this.#metrics) || `; write one of: ${this.#metrics.join(', ')}`;
    this.#fault(row, index, `${said} of ${this.#input.dataset}${hint}`);
    return null;
  }

  #text(row: LocatedRow, index: number, { name, form }: TextSlot, cell: Cell | undefined): number {
    if (typeof cell !== 'string') {
      this.#fault(row, index, `${name} ${unfit(cell, 'it as text')}`);
      return FAULTY;
    }
    const term = this.#terms.of(cell, form);
    if (term.fault !== null) {
      this.#fault(row, index, `${name} ${term.fault}`);
      return FAULTY;
    }
    if (term.cleaned.length > 0) {
      for (const cleaned of term.cleaned) this.#note(row, index, `${name} ${cleaned}`);
    }
    return term.code;
  }

  #year(row: LocatedRow, index: number, cell: Cell | undefined): number {
    const year = yearIn(cell);
    if (year !== undefined) return year;
    this.#fault(row, index, `year ${unfit(cell, 'a whole number from 1000 to 9999')}`);
    return FAULTY;
  }

  /** The number in a cell, or null after reporting why it is none. */
  #number(row: LocatedRow, index: number, name: string, cell: Cell | undefined): number | null {
    const { sign = 'any', unit = '' } = datasetOf(this.#input.dataset).metrics[name] ?? {};
    const value = numberIn(cell, unit);
    if (value === undefined) {
      this.#fault(row, index, `${name} ${whyNoNumber(cell, unit)}`);
      return null;
    }
    const rule = SIGNS[sign];
    if (rule?.refuses(value)) this.#report(rule.severity, row, index, `${name} is ${value}; ${rule.said}`);
    return value;
  }

  /** Text alone in the first column, after an empty row below the data. */
  #isFootnote(row: LocatedRow): boolean {
    if (row.source !== undefined || this.#originOf(row).format === 'parquet') return false;
    const gap =
      this.#inFootnotes || (this.#lastDataRow > this.#input.header.row && row.row > this.#lastDataRow + 1);
    if (!gap) return false;
    const filled = row.cells.flatMap((cell, index) => (cell === null ? [] : [index]));
    const [only] = filled;
    if (filled.length !== 1 || only === undefined || only > this.#firstColumn) return false;
    if (typeof row.cells[only] !== 'string') return false;
    this.#inFootnotes = true;
    this.#footnoteRows.add(row.row);
    this.#note(row, only, 'text below the data was taken as a footnote');
    return true;
  }

  /** In a dataset that is all text a header among the rows would pass for one of them. */
  #isSecondHeader(row: LocatedRow): boolean {
    const first = row.cells[this.#firstText];
    if (typeof first !== 'string' || !this.#terms.isHeading(first)) return false;
    if (!isHeaderOf(this.#input.dataset, row)) return false;
    this.#lastDataRow = row.row;
    const again = 'names the columns a second time; delete this row, or give its table a sheet of its own';
    this.#fault(row, this.#firstText, again);
    return true;
  }

  #requireDimensions(row: LocatedRow): void {
    const { dimensions } = this.#staged;
    for (const at of this.#optional) if (dimensions[at] === UNKNOWN) dimensions[at] = this.#terms.empty;
    if (this.#required.every((at) => dimensions[at] !== UNKNOWN)) return;
    const missing = this.#required.filter((at) => dimensions[at] === UNKNOWN);
    const names = missing.map((at) => this.#dimensions[at] ?? '');
    const index = this.#input.header.columns.findIndex((column) => column?.name === names[0]);
    const [are, them] = names.length === 1 ? ['is', 'it'] : ['are', 'them'];
    this.#fault(row, Math.max(0, index), `${list(names)} ${are} empty; fill ${them} in or delete the row`);
  }

  #stray(row: LocatedRow, index: number, cell: Cell | undefined): void {
    // A column whose heading was refused has been reported with its heading.
    if (this.#input.header.faults.some((fault) => fault.index === index)) return;
    this.#fault(
      row,
      index,
      `${described(cell)} stands below no heading; give the column a name of the dataset or delete the value`,
    );
  }

  #fault(row: LocatedRow, index: number, message: string): void {
    this.#report('error', row, index, message);
  }

  #report(severity: Severity, row: LocatedRow, index: number, message: string): void {
    this.#problems.add(severity, this.#place(row, index), message);
  }

  #note(row: LocatedRow, index: number, message: string): void {
    const seen = this.#notes.get(message);
    if (seen === undefined) this.#notes.set(message, { count: 1, first: this.#place(row, index) });
    else seen.count += 1;
  }

  #place(row: LocatedRow, index: number): Place {
    const origin = this.#originOf(row);
    const name = this.#input.header.columns[index]?.name ?? `${index + 1}`;
    return placeOfCell(origin, row.row, name, row.source === undefined ? index : undefined);
  }

  #originOf(row: LocatedRow): Origin {
    const origin = this.#staging.origins[row.source ?? this.#input.source];
    if (origin === undefined) throw new Error('a row of no known source');
    return origin;
  }

  #slotOf(column: Column | undefined): Slot | undefined {
    if (column?.kind === 'metric')
      return { kind: 'value', name: column.name, at: this.#metrics.indexOf(column.name) };
    if (column?.kind !== 'dimension') return undefined;
    const at = this.#dimensions.indexOf(column.name);
    return dimensionOf(column.name).type === 'integer'
      ? { kind: 'year', at }
      : { kind: 'text', name: column.name, form: dimensionOf(column.name).form, at };
  }
}

/** Where a cell of a column goes in the staged row. */
type Slot =
  | TextSlot
  | { readonly kind: 'year'; readonly at: number }
  | { readonly kind: 'value'; readonly name: string; readonly at: number };

interface TextSlot {
  readonly kind: 'text';
  readonly name: DimensionName;
  readonly form: Dimension['form'];
  readonly at: number;
}

/** Codes of no text: not filled in yet, and filled in with what cannot be. */
const UNKNOWN = -1;
const FAULTY = -2;

/** What a metric's sign refuses, or remarks on. */
const SIGNS: Partial<Record<Metric['sign'], SignRule>> = {
  positive: { refuses: (value) => value <= 0, severity: 'error', said: 'it must be above zero' },
  'not negative': { refuses: (value) => value < 0, severity: 'error', said: 'it must not be negative' },
  'usually not negative': {
    refuses: (value) => value < 0,
    severity: 'warning',
    said: 'it is usually not negative',
  },
};

interface SignRule {
  readonly refuses: (value: number) => boolean;
  readonly severity: Severity;
  readonly said: string;
}

const list = (names: readonly string[]) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** Reports what is wrong with a header at the cells that are. */
export function reportHeader(header: Header, origin: Origin, problems: Problems): void {
  for (const { index, message } of header.faults) {
    const place =
      header.row > 0 ? placeOfCell(origin, header.row, `${index + 1}`, index) : wholeTable(origin);
    problems.add('error', place, message);
  }
}
