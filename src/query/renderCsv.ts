// Writes a page as CSV (RFC 4180): UTF-8 without a byte-order mark, lines end in CRLF, numbers as in JSON.

import { type Draft, finishedDraft } from '../cache/rendering.ts';
import type { Table } from '../catalog/columns.ts';
import { BytesWriter } from './bytesWriter.ts';
import type { Frame, FrameColumn } from './frame.ts';
import { draftInSteps, type Representation, type TableRows } from './render.ts';
import { type RowLayout, type RowWriter, rowWriter } from './rowWriter.ts';

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

// The texts prepared from a table live as long as its snapshot does.
const writers = new WeakMap<Table, RowWriter>();

/** Writes a row of a table as a line. */
export function csvWriterOf(table: Table): RowWriter {
  const known = writers.get(table);
  if (known) return known;
  const writer = rowWriter(table, LAYOUT);
  writers.set(table, writer);
  return writer;
}

function writeCsv(out: BytesWriter, { rows, columns }: Frame): void {
  out.text(csvLine(columns.map(({ name }) => name)));
  const cells = columns.map((column, i) => cellWriter(column, i === 0 ? '' : ','));
  for (let row = 0; row < rows; row++) {
    for (const write of cells) write(out, row);
    out.bytes(LINE_END_BYTES);
  }
}

/** A line of texts with its end. */
export const csvLine = (texts: readonly string[]): string => texts.map(csvField).join(',') + LINE_END;

/** A text as a field: quoted where it holds what would end it. */
export const csvField = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

const LINE_END = '\r\n';

const LAYOUT: RowLayout = {
  open: '',
  close: LINE_END,
  separator: ',',
  text: csvField,
  integer: (value) => value,
  number: ['', ''],
  missing: '',
};

const LINE_END_BYTES = Buffer.from(LINE_END);

/** Writes a cell of the row, with the separator before it. */
function cellWriter(column: FrameColumn, separator: ',' | ''): (out: BytesWriter, row: number) => void {
  if (column.kind === 'text') {
    const { codes, values } = column;
    const fields = fieldsOf(values, separator);
    return (out, row) => {
      const code = codes[row] ?? 0;
      let field = fields[code];
      if (field === undefined) {
        field = Buffer.from(separator + csvField(values[code] ?? ''));
        fields[code] = field;
      }
      out.bytes(field);
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

type Fields = (Buffer | undefined)[];

// A dictionary's fields live as long as the dictionary, which all pages of a snapshot share.
const fieldsOfValues = { '': new WeakMap<object, Fields>(), ',': new WeakMap<object, Fields>() };

/** The encoded fields of a dictionary, filled as they are needed. */
function fieldsOf(values: readonly string[], separator: ',' | ''): Fields {
  const known = fieldsOfValues[separator].get(values);
  if (known) return known;
  const fields: Fields = [];
  fieldsOfValues[separator].set(values, fields);
  return fields;
}
