// Collects what is wrong or remarkable in the sources: all of it in one run, the first ones in words, the rest counted.

import type { FileFormat } from './readers/raw.ts';
import { columnLetters } from './readers/raw.ts';

/** Errors and unreadable files stop a publish; warnings do so under --strict; notes only tell. */
export type Severity = 'unreadable' | 'error' | 'warning' | 'note';

export interface Place {
  readonly file: string;
  readonly sheet: string | null;
  /** `C41` in a spreadsheet, `line 41, column fx` elsewhere; null for a whole sheet or file. */
  readonly cell: string | null;
}

export interface Problem extends Place {
  readonly severity: Severity;
  /** As it is printed: `ggr.xlsx › Data!C41`. */
  readonly place: string;
  readonly message: string;
}

/** How many problems of one severity are kept in words. */
const SHOWN = 200;

export class Problems {
  readonly #kept: Problem[] = [];
  readonly #counts: Record<Severity, number> = { unreadable: 0, error: 0, warning: 0, note: 0 };

  add(severity: Severity, place: Place, message: string): void {
    this.#counts[severity] += 1;
    if (this.#counts[severity] > SHOWN) return;
    this.#kept.push({ severity, ...place, place: printed(place), message });
  }

  /** Counts problems that were found but not fetched. */
  addUnseen(severity: Severity, count: number): void {
    this.#counts[severity] += count;
  }

  /** The first 200 of each severity, worst first, otherwise in the order found. */
  list(): readonly Problem[] {
    const order: readonly Severity[] = ['unreadable', 'error', 'warning', 'note'];
    return order.flatMap((severity) => this.#kept.filter((problem) => problem.severity === severity));
  }

  /** How many errors there are so far. */
  get errors(): number {
    return this.#counts.error;
  }

  count(...severities: readonly Severity[]): number {
    return severities.reduce((sum, severity) => sum + this.#counts[severity], 0);
  }

  /** How many of a severity were found beyond those kept in words. */
  beyond(severity: Severity): number {
    return Math.max(0, this.#counts[severity] - SHOWN);
  }
}

/** `ggr.xlsx › Data!C41`, `ggr.csv › line 41, column fx`, `ggr.xlsx › Data` or `ggr.xlsx`. */
export function printed({ file, sheet, cell }: Place): string {
  if (sheet !== null) return `${file} › ${cell === null ? sheet : `${sheet}!${cell}`}`;
  return cell === null ? file : `${file} › ${cell}`;
}

/** Takes a reader's message apart: `ggr.xlsx › Data!C41: holds …` is a place and what is wrong there. */
export function placedMessage(message: string, file: string): { place: Place; message: string } {
  const said = message.startsWith(file) ? message.slice(file.length) : `: ${message}`;
  const [, where, what = said.replace(/^: | /, '')] = /^ › (.+?): (.*)$/s.exec(said) ?? [];
  if (where === undefined) return { place: wholeFile(file), message: what };
  if (!/\.xls[xm]$/i.test(file)) return { place: { file, sheet: null, cell: where }, message: what };
  const [, sheet = where, cell = null] = /^(.+)!([A-Z]+\d+)$/s.exec(where) ?? [];
  return { place: { file, sheet, cell }, message: what };
}

/** A table that rows come from, as far as naming its places needs it. */
export interface Origin {
  readonly file: string;
  readonly sheet: string | null;
  readonly format: FileFormat;
  /** Column index by name; empty where rows were computed from the table (a recipe). */
  readonly columns: ReadonlyMap<string, number>;
}

/** The place of a row: its first cell in a spreadsheet, else its number. */
export function placeOfRow({ file, sheet, format, columns }: Origin, row: number, column?: number): Place {
  if (format !== 'xlsx') return { file, sheet, cell: `${format === 'csv' ? 'line' : 'row'} ${row}` };
  const index = column ?? Math.min(...columns.values());
  return { file, sheet, cell: `${Number.isFinite(index) ? columnLetters(index) : ''}${row}` };
}

/** The place of a cell, its column given by index or, where the header is known, by name alone. */
export function placeOfCell(
  origin: Origin,
  row: number,
  name: string,
  column = origin.columns.get(name),
): Place {
  const place = placeOfRow(origin, row, column);
  return origin.format === 'xlsx' ? place : { ...place, cell: `${place.cell}, column ${name}` };
}

export const wholeTable = ({ file, sheet }: Origin): Place => ({ file, sheet, cell: null });

export const wholeFile = (file: string): Place => ({ file, sheet: null, cell: null });
