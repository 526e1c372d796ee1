// Writes a page as CSV (RFC 4180): UTF-8 without a byte-order mark, lines end in CRLF, numbers as in JSON.

import { getOrInsert } from '../../basics/maps.ts';
import { type Draft, finishedDraft } from '../../cache/rendering.ts';
import type { Table } from '../../catalog/columns.ts';
import { BytesWriter } from './bytesWriter.ts';
import type { Frame, FrameColumn } from './frame.ts';
import { bytesOfPiece, piecesOf } from './pieces.ts';
import { draftInSteps, type Representation, type TableRows } from './representation.ts';

/** Pages as CSV. */
export const CSV_REPRESENTATION: Representation = {
  name: 'csv',
  contentType: 'text/csv; charset=utf-8; header=present',
  draftPage({ rows, frame }, buffers) {
    const out = new BytesWriter(buffers);
    if (rows !== undefined) return draftTableRows(out, rows);
    writeCsv(out, frame());
    return finishedDraft(out.take());
  },
};

function draftTableRows(out: BytesWriter, { table, positions }: TableRows): Draft {
  const write = csvWriterOf(table);
  out.text(csvHeader(table));
  return draftInSteps(out, positions.length, (begin, end) => {
    for (let row = begin; row < end; row++) write(out, positions[row] ?? 0);
  });
}

/** The line of a table's column names. */
export const csvHeader = ({ dimensions, metrics }: Table): string =>
  csvLine([...dimensions.keys(), ...metrics.keys()]);

/** Writes the row at a position of a table. */
export type RowWriter = (out: BytesWriter, position: number) => void;

// A writer holds texts prepared from its table, and lives as long as the table's snapshot.
const writers = new WeakMap<Table, RowWriter>();

/** The writer that writes rows of a table as lines. */
export const csvWriterOf = (table: Table): RowWriter => getOrInsert(writers, table, () => prepare(table));

/** Makes the writer of a table. It prepares each text of the dictionaries only once. */
function prepare({ dimensions, metrics }: Table): RowWriter {
  const columns = [...dimensions.values()].map(({ codes, values }, column) => ({
    codes,
    size: values.length,
    fragments: values.map((value) => (column === 0 ? '' : ',') + csvField(value)),
  }));
  const pieces = piecesOf(columns);
  const numbers = [...metrics.values()];
  return (out, position) => {
    for (const piece of pieces) out.bytes(bytesOfPiece(piece, position));
    for (const values of numbers) {
      out.bytes(SEPARATOR_BYTES);
      const value = values[position] ?? Number.NaN;
      // NaN stands for a missing value, which is an empty field.
      if (!Number.isNaN(value)) out.number(value);
    }
    out.bytes(LINE_END_BYTES);
  };
}

function writeCsv(out: BytesWriter, { rows, columns }: Frame): void {
  out.text(csvLine(columns.map(({ name }) => name)));
  const cells = columns.map((column, i) => cellWriter(column, i === 0 ? '' : ','));
  for (let row = 0; row < rows; row++) {
    for (const write of cells) write(out, row);
    out.bytes(LINE_END_BYTES);
  }
}

/** Texts as a line, with its line end. */
const csvLine = (texts: readonly string[]): string => texts.map(csvField).join(',') + LINE_END;

/** A text as a field, in quotes when it contains a comma, a quote or a line end. */
const csvField = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const LINE_END = '\r\n';

const LINE_END_BYTES = Buffer.from(LINE_END);
const SEPARATOR_BYTES = Buffer.from(',');

/** Returns a function that writes the column's cell of a row, with the separator before it. */
function cellWriter(column: FrameColumn, separator: ',' | ''): (out: BytesWriter, row: number) => void {
  if (column.kind === 'text') {
    const { codes, values } = column;
    const fields = fieldsOf(values, separator);
    return (out, row) => {
      const code = codes[row] ?? 0;
      fields[code] ??= Buffer.from(separator + csvField(values[code] ?? ''));
      out.bytes(fields[code]);
    };
  }
  const before = Buffer.from(separator);
  const { numbers } = column;
  return (out, row) => {
    out.bytes(before);
    const number = numbers[row] ?? Number.NaN;
    // A missing value is an empty field.
    if (!Number.isNaN(number)) out.number(number);
  };
}

// The fields live as long as their dictionary, which all pages of a snapshot share.
const fieldsOfValues = { '': new WeakMap<object, Buffer[]>(), ',': new WeakMap<object, Buffer[]>() };

/** The encoded fields of a dictionary. Each is added when it is first written. */
const fieldsOf = (values: readonly string[], separator: ',' | ''): Buffer[] =>
  getOrInsert(fieldsOfValues[separator], values, () => []);
