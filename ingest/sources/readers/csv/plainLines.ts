// Checks that each line of a csv file is one record, so that DuckDB and `CsvRecords` read the same records.

import { isUtf8 } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import { CR, LF, QUOTE } from '../ascii.ts';

/** A csv file whose first records have been read row by row. SQL reads the others. */
export interface CsvFile {
  readonly path: string;
  readonly name: string;
  readonly handle: FileHandle;
  readonly separator: string;
  /** The byte and the line at which the next record begins. */
  readonly byte: number;
  readonly line: number;
}

/** The lines of a csv file in which each line is one record. */
export interface PlainLines {
  readonly count: number;
  /** The line ending of all lines, in the form of DuckDB's option `new_line`. */
  readonly newLine: '\\n' | '\\r\\n';
}

const PIECE_BYTES = 1024 * 1024;

/**
 * Counts the lines from `byte` on, where line number `line` begins.
 *
 * The result is null when one of these is false:
 * - The lines are valid UTF-8 without quotes, NUL and blank lines, and have the same line ending.
 * - No line ends in an empty field beyond the columns. DuckDB would ignore such a field.
 * - `line` is one more than the number of line ends before the byte.
 */
export async function plainLines(
  { handle, byte, line, separator }: CsvFile,
  columns: number,
): Promise<PlainLines | null> {
  let lineEndsBefore = 0;
  for await (const piece of piecesOf(handle, 0, byte)) lineEndsBefore += countOf(piece, LF);
  if (lineEndsBefore !== line - 1) return null;
  const table = { separator: separator.charCodeAt(0), columns };
  let count = 0;
  let carriageReturns = 0;
  // All pieces use the same buffer, because DuckDB needs memory at the same time. An incomplete line at the end of a piece
  // is moved to the beginning of the buffer.
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  let incompleteBytes = 0;
  for (let at = byte; ; ) {
    const { bytesRead } = await handle.read(buffer, incompleteBytes, buffer.length - incompleteBytes, at);
    if (bytesRead === 0) break;
    at += bytesRead;
    const bytes = buffer.subarray(0, incompleteBytes + bytesRead);
    const end = bytes.lastIndexOf(LF) + 1;
    incompleteBytes = bytes.length - end;
    // A line that is longer than a piece is left to `CsvRecords`.
    if (incompleteBytes === buffer.length) return null;
    const lines = bytes.subarray(0, end);
    if (end > 0 && !arePlain(lines)) return null;
    const wholeLines = linesIn(lines, table);
    if (wholeLines === null) return null;
    count += wholeLines;
    carriageReturns += countOf(lines, CR);
    buffer.copyWithin(0, end, bytes.length);
  }
  if (carriageReturns !== 0 && carriageReturns !== count) return null;
  const newLine = carriageReturns === 0 ? '\\n' : '\\r\\n';
  const lastLine = buffer.subarray(0, incompleteBytes);
  if (lastLine.length === 0) return { count, newLine };
  if (!arePlain(lastLine) || lastLine.includes(CR) || isTooWide(lastLine, 0, lastLine.length, table))
    return null;
  return { count: count + 1, newLine };
}

/**
 * The line ending of the lines that follow a byte. Null when one of the complete lines in the first megabyte is not plain,
 * or when there is none.
 */
export async function lineEndAfter(handle: FileHandle, byte: number): Promise<PlainLines['newLine'] | null> {
  for await (const piece of piecesOf(handle, byte)) {
    const lines = piece.subarray(0, piece.lastIndexOf(LF) + 1);
    if (lines.length === 0 || !arePlain(lines)) return null;
    return lines.includes(CR) ? '\\r\\n' : '\\n';
  }
  return null;
}

/**
 * Whether these complete lines are plain: DuckDB and `CsvRecords` split them in the same way, and none of them is blank.
 */
function arePlain(lines: Buffer): boolean {
  if (lines.includes(QUOTE) || lines.includes(0) || !isUtf8(lines)) return false;
  if (lines[0] === LF || lines[0] === CR || lines.includes('\n\n') || lines.includes('\n\r')) return false;
  for (let at = lines.indexOf(CR); at >= 0; at = lines.indexOf(CR, at + 1))
    if (lines[at + 1] !== LF) return false;
  return true;
}

/**
 * Yields the lines with the given numbers, in ascending order.
 *
 * @param byte The byte at which line number `line` begins.
 * @param numbers Line numbers in ascending order, none of them below `line`.
 */
export async function* linesAt(
  handle: FileHandle,
  byte: number,
  line: number,
  numbers: readonly number[],
): AsyncGenerator<{ readonly number: number; readonly bytes: Buffer }> {
  let next = 0;
  let number = line;
  let incomplete: Buffer = Buffer.alloc(0);
  for await (const piece of piecesOf(handle, byte)) {
    const bytes = incomplete.length === 0 ? piece : Buffer.concat([incomplete, piece]);
    let start = 0;
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, start)) {
      if (number === numbers[next]) {
        yield { number, bytes: bytes.subarray(start, end + 1) };
        next += 1;
        if (next === numbers.length) return;
      }
      number += 1;
      start = end + 1;
    }
    incomplete = bytes.subarray(start);
  }
  if (incomplete.length > 0 && number === numbers[next]) yield { number, bytes: incomplete };
}

interface TableWidth {
  readonly separator: number;
  readonly columns: number;
}

/** The number of whole lines; null when one of them ends in an empty field beyond the columns. */
function linesIn(lines: Buffer, width: TableWidth): number | null {
  let count = 0;
  let start = 0;
  for (let end = lines.indexOf(LF); end >= 0; end = lines.indexOf(LF, start)) {
    if (isTooWide(lines, start, end, width)) return null;
    count += 1;
    start = end + 1;
  }
  return count;
}

/** Whether a line ends in an empty field beyond the columns. */
function isTooWide(lines: Buffer, start: number, end: number, { separator, columns }: TableWidth): boolean {
  const last = lines[end - 1] === CR ? end - 2 : end - 1;
  if (lines[last] !== separator) return false;
  let fields = 1;
  for (let at = start; at <= last; at += 1) if (lines[at] === separator) fields += 1;
  return fields > columns;
}

function countOf(bytes: Buffer, byte: number): number {
  let count = 0;
  for (let at = bytes.indexOf(byte); at >= 0; at = bytes.indexOf(byte, at + 1)) count += 1;
  return count;
}

async function* piecesOf(
  handle: FileHandle,
  from: number,
  to = Number.POSITIVE_INFINITY,
): AsyncGenerator<Buffer> {
  for (let at = from; at < to; ) {
    const buffer = Buffer.allocUnsafe(Math.min(PIECE_BYTES, to - at));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
