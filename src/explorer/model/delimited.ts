// Rows as text for a file or a spreadsheet: CSV as the API writes it (RFC 4180), or cells between tabs.

import type { Column } from './table.ts';

type Cells = Readonly<Record<string, string | number | null>>;

/** Numbers with all their digits, missing values empty. */
export function textOf(columns: readonly Column[], rows: readonly Cells[], kind: 'csv' | 'tsv'): string {
  const cell = kind === 'csv' ? csvCell : tsvCell;
  const separator = kind === 'csv' ? ',' : '\t';
  const end = kind === 'csv' ? '\r\n' : '\n';
  const lines = [
    columns.map(({ name }) => cell(name)),
    ...rows.map((row) => columns.map(({ name }) => cell(row[name] ?? ''))),
  ];
  return lines.map((line) => line.join(separator) + end).join('');
}

const csvCell = (value: string | number): string => {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/**
 * A spreadsheet would take text that begins with = for a formula, and text that begins with a quote for one that ends with
 * the next quote, whatever lies between.
 */
const tsvCell = (value: string | number): string => {
  const text = String(value).replace(/[\t\r\n]+/g, ' ');
  if (text.startsWith('"')) return `"${text.replaceAll('"', '""')}"`;
  return typeof value === 'string' && /^[=+@-]/.test(text) ? `'${text}` : text;
};
