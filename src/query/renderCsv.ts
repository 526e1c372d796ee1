// Writes a page as CSV (RFC 4180): UTF-8 without a byte-order mark, lines end in CRLF, numbers as in JSON.

import { finishedDraft } from '../cache/responseCache.ts';
import { BytesWriter } from './bytesWriter.ts';
import type { Frame, FrameColumn } from './frame.ts';
import type { Representation } from './render.ts';

export const CSV_REPRESENTATION: Representation = {
  name: 'csv',
  contentType: 'text/csv; charset=utf-8; header=present',
  draftPage(page, buffers) {
    const out = new BytesWriter(buffers);
    writeCsv(out, page.frame());
    return finishedDraft(out.take());
  },
};

function writeCsv(out: BytesWriter, { rows, columns }: Frame): void {
  out.text(csvLine(columns.map(({ name }) => name)));
  const cells = columns.map(cellWriter);
  for (let row = 0; row < rows; row++) {
    for (const [i, write] of cells.entries()) {
      if (i > 0) out.text(',');
      write(out, row);
    }
    out.text(LINE_END);
  }
}

/** A line of texts with its end. */
export const csvLine = (texts: readonly string[]): string => texts.map(csvField).join(',') + LINE_END;

/** A text as a field: quoted where it holds what would end it. */
export const csvField = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

const LINE_END = '\r\n';

function cellWriter(column: FrameColumn): (out: BytesWriter, row: number) => void {
  if (column.kind === 'text') {
    const fields = new Map<number, Buffer>();
    return (out, row) => {
      const code = column.codes[row] ?? 0;
      const field = fields.get(code) ?? Buffer.from(csvField(column.values[code] ?? ''));
      fields.set(code, field);
      out.bytes(field);
    };
  }
  return (out, row) => {
    const number = column.numbers[row] ?? Number.NaN;
    // A missing value is an empty field.
    if (!Number.isNaN(number)) out.number(number);
  };
}
