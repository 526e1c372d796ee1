// Writes rows as text: as CSV in the form of the API (RFC 4180), or with tabs for pasting into a spreadsheet.

import type { FlatRow } from './tableRows.ts';

/** A column of the text. `heading` stands in its first line; `name` when left out. */
interface TextColumn {
  readonly name: string;
  readonly heading?: string;
}

/** The rows as text. Numbers have all their digits, and missing values are empty. */
export function delimitedText(
  columns: readonly TextColumn[],
  rows: readonly FlatRow[],
  kind: 'csv' | 'tsv',
): string {
  const cell = kind === 'csv' ? csvCell : tsvCell;
  const separator = kind === 'csv' ? ',' : '\t';
  const end = kind === 'csv' ? '\r\n' : '\n';
  const lines = [
    columns.map(({ name, heading }) => cell(heading ?? name)),
    ...rows.map((row) => columns.map(({ name }) => cell(row[name] ?? ''))),
  ];
  return lines.map((line) => line.join(separator) + end).join('');
}

const csvCell = (value: string | number): string => {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/**
 * A cell between tabs. Text that begins with `=`, `+`, `-` or `@` gets an apostrophe, because a spreadsheet would read it
 * as a formula. Text that begins with a quote is quoted, because a spreadsheet would look for its closing quote in later
 * cells.
 */
const tsvCell = (value: string | number): string => {
  const text = String(value).replace(/[\t\r\n]+/g, ' ');
  if (text.startsWith('"')) return `"${text.replaceAll('"', '""')}"`;
  return typeof value === 'string' && /^[=+@-]/.test(text) ? `'${text}` : text;
};
