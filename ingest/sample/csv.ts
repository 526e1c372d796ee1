// Writes rows as csv text.

import type { Heading } from './headings.ts';
import type { Columns } from './layouts.ts';

export interface CsvForm {
  readonly separator: ',' | ';';
  readonly lineEnd: '\n' | '\r\n';
  /** Begins with a byte order mark, as spreadsheet programs write it. */
  readonly mark: boolean;
}

/** A heading line and a line per row; texts are quoted where they must be. */
export function csvText(form: CsvForm, headings: readonly Heading[], rows: readonly Columns[]): string {
  const { separator, lineEnd, mark } = form;
  const quoted = (text: string) =>
    [separator, '"', '\n'].some((special) => text.includes(special))
      ? `"${text.replaceAll('"', '""')}"`
      : text;
  const line = (cells: readonly string[]) => cells.map(quoted).join(separator) + lineEnd;
  return [
    mark ? '\ufeff' : '',
    line(headings.map(({ text }) => text)),
    ...rows.map((row) => line(headings.map(({ column }) => String(row[column] ?? '')))),
  ].join('');
}
