// Recognises a field of a csv that holds whole lines of the file, because stray quotes enclose them.

import type { Diagnostic } from '../messages/fault.ts';
import type { CellAt } from './remarks.ts';
import type { TableContext } from './tableContext.ts';

/**
 * The fault of a cell whose quotes enclose whole lines of a csv; null for other cells.
 *
 * @param name The column of the cell, for the message.
 */
export function enclosedLinesFault(
  { remarks }: TableContext,
  { row, index }: CellAt,
  name: string,
): Diagnostic | null {
  const cell = row.cells[index];
  if (typeof cell !== 'string' || remarks.originOf(row).format !== 'csv') return null;
  // A recipe computes its cells, so they need not be fields of the file.
  if (row.source !== undefined) return null;
  const lines = linesOf(cell);
  const lineEnds = lines.length - 1;
  if (lineEnds === 0 || !holdsFields(cell, lineEnds)) return null;
  const before = row.cells.slice(0, index).filter((one) => typeof one === 'string');
  const opens = row.row + before.reduce((sum, text) => sum + linesOf(text).length - 1, 0);
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
