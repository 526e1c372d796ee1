// Recognises a field of a csv that holds whole lines of the file, because stray quotes enclose them.

import type { Diagnostic } from '../messages/fault.ts';
import type { FileFormat } from '../messages/fileFormats.ts';
import type { LocatedRow } from './remarks.ts';

/** The column and the format of the file of a cell. */
interface CellColumn {
  readonly name: string;
  readonly format: FileFormat;
}

/**
 * The fault of a cell whose quotes enclose whole lines of a csv; null for other cells.
 *
 * @param index The index of the cell in the row.
 */
export function enclosedLinesFault(
  { row, cells, source }: LocatedRow,
  index: number,
  { name, format }: CellColumn,
): Diagnostic | null {
  const cell = cells[index];
  // A recipe computes its cells, so they need not be fields of the file.
  if (typeof cell !== 'string' || format !== 'csv' || source !== undefined) return null;
  const lines = linesOf(cell);
  const lineEnds = lines.length - 1;
  if (lineEnds === 0 || !holdsFields(cell, lineEnds)) return null;
  const before = cells.slice(0, index).filter((one) => typeof one === 'string');
  const opens = row + before.reduce((sum, text) => sum + linesOf(text).length - 1, 0);
  return {
    problem: `${name} begins with a quote on line ${opens}, and ends with one on line ${opens + lineEnds}, behind "${lines.at(-1)?.slice(-SHOWN)}"`,
    remedy: 'delete these two quotes if they are stray, so that each row is a line again',
    kind: `${name} in quotes that close on a later line`,
  };
}

/** The most characters of the field that the message quotes. */
const SHOWN = 30;

const linesOf = (text: string): readonly string[] => text.split(/\r\n|\n|\r/);

/**
 * Whether a text has at least two separators for each line end. A table has at least three columns, and so two in each
 * line.
 */
const holdsFields = (text: string, lineEnds: number): boolean =>
  SEPARATORS.some((separator) => text.split(separator).length > 2 * lineEnds);

const SEPARATORS = [',', ';', '\t', '|'];
