// Arranges rows as sheets in long form (a row for each year) and in wide form (a column for each year).

import { columnLetters } from '../messages/place.ts';
import type { CellInput, SheetInput } from '../workbook/sheets.ts';
import type { Heading } from './headings.ts';
import { YEARS } from './tables/calendar.ts';

/** A row of a dataset: its values by the names of columns. */
export type Columns = Readonly<Record<string, string | number | null>>;

export interface LongLayout {
  readonly name: string;
  readonly title: string;
  /** The rows between the title and the header. */
  readonly preamble: readonly (readonly CellInput[])[];
  readonly headerRow: number;
  readonly headings: readonly Heading[];
  /** The cell for an empty text: null for a missing cell, or an empty text. */
  readonly empty: null | '';
  /** A footnote in column A, below the data and an empty row. */
  readonly footnote?: string;
}

/** A sheet with a row for each year. */
export function longSheet(layout: LongLayout, rows: readonly Columns[]): SheetInput {
  const { name, title, preamble, headerRow, headings, empty, footnote } = layout;
  const cell = (value: string | number | null | undefined): CellInput =>
    value === '' ? empty : (value ?? null);
  return {
    name,
    rows: [
      [title],
      ...preamble,
      { row: headerRow, cells: headings.map(({ text }) => text) },
      ...rows.map((row) => headings.map(({ column }) => cell(row[column]))),
      ...(footnote === undefined ? [] : [[], [footnote]]),
    ],
    formats: headings.map(({ format }) => format),
    merged: [acrossRow(1, 0, headings.length - 1)],
  };
}

export interface WideLayout {
  readonly name: string;
  readonly title: string;
  readonly headerRow: number;
  /** A heading in the row above the header, merged over the years. */
  readonly band?: string;
  readonly headings: readonly Heading[];
  readonly yearHeading: (year: number) => string | number;
  readonly format: (row: Columns) => string;
}

/** A sheet with a column for each year. `metric` is the name of the column of `rows` with the values. */
export function wideSheet(layout: WideLayout, rows: readonly Columns[], metric: string): SheetInput {
  const { name, title, headerRow, band, headings, yearHeading, format } = layout;
  const width = headings.length + YEARS.length;
  const beside = headings.map(() => null);
  return {
    name,
    rows: [
      [title],
      ...(band === undefined ? [] : [{ row: headerRow - 1, cells: [...beside, band] }]),
      { row: headerRow, cells: [...headings.map(({ text }) => text), ...YEARS.map(yearHeading)] },
      ...widened(rows, headings, metric).map(({ row, values }) => [
        ...headings.map(({ column }) => row[column] || null),
        ...YEARS.map((year): CellInput => {
          const value = values.get(year);
          return value === undefined ? null : { value, format: format(row) };
        }),
      ]),
    ],
    merged: [
      acrossRow(1, 0, width - 1),
      ...(band === undefined ? [] : [acrossRow(headerRow - 1, headings.length, width - 1)]),
    ],
  };
}

/** Joins the years of rows that have the same values below all headings. A series without any value gets no row. */
function widened(rows: readonly Columns[], headings: readonly Heading[], metric: string) {
  const found = new Map<string, { row: Columns; values: Map<number, number> }>();
  for (const row of rows) {
    const value = row[metric];
    if (typeof value !== 'number') continue;
    const key = JSON.stringify(headings.map(({ column }) => row[column]));
    const wide = found.get(key) ?? { row, values: new Map() };
    wide.values.set(Number(row.year), value);
    found.set(key, wide);
  }
  return [...found.values()];
}

/** A merged range in one row, between two columns counted from 0. */
const acrossRow = (row: number, from: number, to: number) =>
  `${columnLetters(from)}${row}:${columnLetters(to)}${row}`;
