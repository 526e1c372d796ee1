// Writes rows as csv text.

import type { Heading } from './headings.ts';
import type { Columns } from './layouts.ts';

export interface CsvForm {
  readonly separator: ',' | ';';
  readonly lineEnd: '\n' | '\r\n';
  /** Whether the text begins with a byte order mark, as in files of spreadsheet programs. */
  readonly mark: boolean;
}

/** A line of headings and a line for each row. A text is quoted only when it must be. */
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
