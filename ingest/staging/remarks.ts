// Reports faults in one table, and changes that reading made, each at its cell. Equal notes become one note with a count.

import type { Diagnostic } from '../messages/fault.ts';
import { firstOf } from '../messages/numbers.ts';
import { type Origin, type Place, placeOfCell, placeOfRow, wholeTable } from '../messages/place.ts';
import type { Problems, Severity } from '../messages/problems.ts';
import type { Header } from '../sources/header/headerTypes.ts';
import { asideRemarks } from '../sources/readers/asideRemarks.ts';
import type { RawRow, TableFindings } from '../sources/readers/rawFile.ts';
import type { Staging } from './database/staging.ts';

/** A row with the table that it came from. Rows that a recipe computed come from other tables than the recipe's result. */
export interface LocatedRow extends RawRow {
  /** Index into `origins` of the staging database; undefined for a row that came from the table being read. */
  readonly source?: number;
}

/** The cell that a remark is about. */
export interface CellAt {
  readonly row: LocatedRow;
  readonly index: number;
}

/** Makes the one error of a column from the number of cells that have the fault, and some of the texts that they hold. */
export type ColumnDiagnostic = (count: number, texts: readonly string[]) => Diagnostic;

interface ColumnFault {
  count: number;
  readonly texts: string[];
  readonly first: Place;
  readonly diagnosticOf: ColumnDiagnostic;
}

/** The most different texts that the error of a column quotes. */
const MOST_TEXTS = 5;

/** Collects the remarks on one table. */
export class Remarks {
  readonly #header: Header;
  readonly #source: number;
  readonly #staging: Staging;
  readonly #problems: Problems;
  readonly #notes = new Map<string, { count: number; first: Place }>();
  readonly #columnFaults = new Map<string, ColumnFault>();
  #deferredErrors = 0;

  /** `source` is the index of the table's origin in `origins` of the staging database. */
  constructor(header: Header, source: number, staging: Staging, problems: Problems) {
    this.#header = header;
    this.#source = source;
    this.#staging = staging;
    this.#problems = problems;
  }

  /**
   * The number of errors so far, including those that `flush` will add. A row is faulty if reading it increases this
   * number.
   */
  get errors(): number {
    return this.#problems.errors + this.#deferredErrors;
  }

  error(at: CellAt, diagnostic: Diagnostic): void {
    this.add('error', at, diagnostic);
  }

  add(severity: Severity, at: CellAt, diagnostic: Diagnostic): void {
    this.#problems.add(severity, this.#place(at), diagnostic);
  }

  /** Counts a note. `flush` adds it once, at its first place. */
  note(at: CellAt, message: string): void {
    const seen = this.#notes.get(message);
    if (seen === undefined) this.#notes.set(message, { count: 1, first: this.#place(at) });
    else seen.count += 1;
  }

  /** Counts an error that may be in every cell of a column. `flush` adds it once, at its first place. */
  columnError(at: CellAt, column: string, text: string, diagnosticOf: ColumnDiagnostic): void {
    this.#deferredErrors += 1;
    const seen = this.#columnFaults.get(column);
    if (seen === undefined)
      this.#columnFaults.set(column, {
        count: 1,
        texts: [text],
        first: this.#place(at),
        diagnosticOf,
      });
    else {
      seen.count += 1;
      if (!seen.texts.includes(text) && seen.texts.length < MOST_TEXTS) seen.texts.push(text);
    }
  }

  /** Adds all counted notes and column errors to the problems. */
  flush(): void {
    for (const { count, texts, first, diagnosticOf } of this.#columnFaults.values())
      this.#problems.add('error', first, diagnosticOf(count, texts));
    this.#columnFaults.clear();
    for (const [message, { count, first }] of this.#notes) {
      this.#problems.add('note', first, {
        problem: message + firstOf(count),
        remedy: null,
        kind: message,
        cells: count,
      });
    }
    this.#notes.clear();
  }

  /** The table that a row came from. */
  originOf(row: LocatedRow): Origin {
    const origin = this.#staging.origins[row.source ?? this.#source];
    if (origin === undefined) throw new Error('a row of no known source');
    return origin;
  }

  #place({ row, index }: CellAt): Place {
    const name = this.#header.columns[index]?.name ?? `${index + 1}`;
    return placeOfCell(this.originOf(row), row.row, name, row.source === undefined ? index : undefined);
  }
}

/**
 * Reports what the reader found in a table. A remark on wrong values is an error when the values are in a column of the
 * header, and below it.
 */
export function reportFindings(
  { remarks, asides }: TableFindings,
  header: Header,
  origin: Origin,
  problems: Problems,
): void {
  const all = [...remarks, ...asideRemarks(asides, header.row)];
  for (const { severity, cell, wrongUntilRow = 0, ...diagnostic } of all) {
    const isOfData = wrongUntilRow >= header.row && header.columns[cell?.[1] ?? -1] !== undefined;
    const place = cell === undefined ? wholeTable(origin) : placeOfRow(origin, ...cell);
    problems.add(isOfData ? 'error' : severity, place, diagnostic);
  }
}

/** Reports the faults, warnings and notes of a header, each at its cell, or at the row of the header. */
export function reportHeader(header: Header, origin: Origin, problems: Problems): void {
  const placeOf = (index: number | null, row = header.row) => {
    if (header.row === 0) return wholeTable(origin);
    return index === null ? placeOfRow(origin, row) : placeOfCell(origin, row, `${index + 1}`, index);
  };
  const bySeverity = [
    ['error', header.faults],
    ['warning', header.warnings],
    ['note', header.notes],
  ] as const;
  for (const [severity, all] of bySeverity)
    for (const { index, row, ...diagnostic } of all) problems.add(severity, placeOf(index, row), diagnostic);
}
