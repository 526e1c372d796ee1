// Finds the header of a table below any title rows, and the column of the dataset that each heading names.

import type { DatasetName } from '../../../src/catalog/datasets.ts';
import { isKind, type RawRow, type RawTable } from '../readers/rawFile.ts';
import {
  missingColumnFaults,
  missingColumns,
  mixedFormFaults,
  type RepeatedColumn,
  repeatedColumnFaults,
} from './columnFaults.ts';
import { columnOf, headingText, isHeaderOf } from './headerRow.ts';
import type { Column, Header, HeaderRemark } from './headerTypes.ts';
import { isYearInOtherForm, unknownHeading } from './unknownHeading.ts';
import {
  titlesOfOtherDatasets,
  unreadTitles,
  withMetricOfTitle,
  type YearTitles,
  yearTitles,
} from './yearTitles.ts';

/** How many rows are searched for a header. Empty rows do not count. */
export const HEADER_WITHIN_ROWS = 200;

/** The first rows of a table, among which its header is searched for. */
export async function headOf(table: RawTable): Promise<readonly RawRow[]> {
  const first: RawRow[] = [];
  for await (const batch of table.rows()) {
    first.push(...batch);
    if (first.length >= HEADER_WITHIN_ROWS) break;
  }
  return first;
}

/**
 * The header of `dataset` among a table's first rows, or null when no row names enough of its columns.
 *
 * Merged cells may split a header into two rows. A column then has its heading in either row. Above years, the upper row
 * may name their metric. Merged cells hold that name once, above the first year.
 */
export function findHeader(dataset: DatasetName, rows: readonly RawRow[]): Header | null {
  const headings = findHeadings(dataset, rows);
  return headings === null ? null : readHeadings(dataset, headings);
}

/** The texts of a header, which has one row or two. */
interface Headings {
  readonly row: number;
  /** The heading of each column, by its index; `''` for a column without one. */
  readonly texts: readonly string[];
  /** The texts of the upper row, which may hold the titles of the years. */
  readonly upper: readonly string[];
  /** The rows of the header from top to bottom. For a header of one row, also the row right above it. */
  readonly rows: readonly RawRow[];
  /** The rows above the lowest row of the header. */
  readonly above: readonly RawRow[];
}

function findHeadings(dataset: DatasetName, rows: readonly RawRow[]): Headings | null {
  const index = rows.findIndex((row) => isHeaderOf(dataset, row));
  const found = rows[index];
  if (found === undefined) return null;
  const texts = found.cells.map(headingText);
  const below = rows[index + 1];
  if (below?.row === found.row + 1 && isSecondRow(dataset, texts, below)) {
    const both = byColumn(below.cells.map(headingText), texts, (lower, upper) => lower || upper);
    return {
      row: below.row,
      texts: both,
      upper: texts,
      rows: [found, below],
      above: rows.slice(0, index + 1),
    };
  }
  const above = rows.slice(0, index).filter(({ row }) => row === found.row - 1);
  const upper = above.flatMap(({ cells }) => cells.map(headingText));
  const both = byColumn(texts, upper, (text, textAbove) => {
    const named = columnOf(dataset, textAbove);
    return text || (named !== undefined && named.kind !== 'year' ? textAbove : '');
  });
  return { row: found.row, texts: both, upper, rows: [...above, found], above: rows.slice(0, index) };
}

/**
 * Whether the row below a header belongs to it. Each of its cells must name a column that the row above does not name, or a
 * year below the name of a metric.
 */
function isSecondRow(dataset: DatasetName, headings: readonly string[], below: RawRow): boolean {
  return below.cells.every((cell, i) => {
    if (cell === null) return true;
    const lower = columnOf(dataset, headingText(cell));
    const upper = columnOf(dataset, headings[i] ?? '');
    return lower !== undefined && (upper === undefined || (lower.kind === 'year' && upper.kind === 'metric'));
  });
}

/** Combines the texts of two rows column by column. A row that is too short gives `''`. */
const byColumn = (
  a: readonly string[],
  b: readonly string[],
  combine: (a: string, b: string) => string,
): readonly string[] =>
  Array.from({ length: Math.max(a.length, b.length) }, (_, i) => combine(a[i] ?? '', b[i] ?? ''));

function readHeadings(dataset: DatasetName, headings: Headings): Header {
  const { row, texts, upper, rows, above } = headings;
  const titles = yearTitles(dataset, texts, upper);
  const { columns, faults } = readColumns(dataset, headings, titles);
  const form = formOf(dataset, texts, columns);
  const missing = missingColumns(dataset, form, columns);
  const yearsAbove = missing.includes('year') ? yearsAboveFault(dataset, texts, row, above) : null;
  const unread = unreadTitles(dataset, titles, columns);
  const inUpperRow = (remark: HeaderRemark): HeaderRemark => ({ ...remark, row: rows[0]?.row ?? row });
  return {
    row,
    form,
    columns,
    faults: [
      ...faults,
      ...[...titlesOfOtherDatasets(dataset, titles), ...unread.faults].map(inUpperRow),
      ...(yearsAbove === null ? missingColumnFaults(dataset, texts, columns, missing) : [yearsAbove]),
      ...mixedFormFaults(dataset, form, columns),
    ],
    warnings: unread.warnings.map(inUpperRow),
    notes: droppedMarks(dataset, rows, columns),
    complete: missing.length === 0,
    isReadable: yearsAbove === null,
  };
}

/**
 * The form of a header. A heading such as `FY2022` makes it wide, although it names no column. In long form, a second fault
 * would say that the column `year` is missing.
 */
function formOf(dataset: DatasetName, texts: readonly string[], columns: Header['columns']): Header['form'] {
  if (columns.some((column) => column?.kind === 'year')) return 'wide';
  if (columns.some((column) => column?.name === 'year')) return 'long';
  const hasYears = texts.some((text, i) => columns[i] === undefined && isYearInOtherForm(dataset, text));
  return hasYears ? 'wide' : 'long';
}

/** The column of each heading. A heading gets a fault when it names no column, or the same column as an earlier heading. */
function readColumns(
  dataset: DatasetName,
  { texts, rows }: Headings,
  titles: YearTitles,
): { readonly columns: readonly (Column | undefined)[]; readonly faults: readonly HeaderRemark[] } {
  const columns: (Column | undefined)[] = [];
  const faults: HeaderRemark[] = [];
  const repeated: RepeatedColumn[] = [];
  const indexes = new Map<string, number>();
  for (const [index, text] of texts.entries()) {
    if (text === '') continue;
    // A number format that shows 2022 as `2022E` may mark an estimate, so the heading gets a fault.
    const isFormatted = rows.some(
      ({ cells }) => isKind(cells[index], 'marked year') && cells[index].shown === text,
    );
    const named = isFormatted ? undefined : columnOf(dataset, text);
    const column = withMetricOfTitle(dataset, named, titles[index]);
    const earlier = column === undefined ? undefined : indexes.get(column.name);
    if (column === undefined) faults.push({ index, ...unknownHeading(dataset, text, isFormatted, texts) });
    else if (earlier !== undefined) repeated.push({ name: column.name, earlier, index });
    else {
      indexes.set(column.name, index);
      columns[index] = column;
    }
  }
  return { columns, faults: [...faults, ...repeatedColumnFaults(repeated)] };
}

/**
 * The notes on footnote marks that were dropped from headings. The row above a header may hold titles, which get no such
 * note.
 */
const droppedMarks = (
  dataset: DatasetName,
  rows: readonly RawRow[],
  columns: Header['columns'],
): readonly HeaderRemark[] =>
  rows.flatMap(({ cells }) =>
    cells.flatMap((cell, index) => {
      if (!isKind(cell, 'footnoted')) return [];
      if (columns[index] === undefined || columnOf(dataset, headingText(cell)) === undefined) return [];
      const problem = `the footnote mark "${cell.mark}" was dropped from the heading "${cell.value.trim()}"`;
      return [{ index, problem, remedy: null }];
    }),
  );

/** The years may stand this many rows above the other headings: pandas writes a row for each level of its columns. */
const WITHIN_ROWS = 6;

/** A single year above a column without a heading may be part of a title. */
const FEWEST_YEARS = 2;

/**
 * The fault of a header without years whose columns without a heading have years further up. Null if there are no such
 * years.
 *
 * @param texts The heading of each column, by its index.
 * @param row The number of the row of the headings.
 */
function yearsAboveFault(
  dataset: DatasetName,
  texts: readonly string[],
  row: number,
  above: readonly RawRow[],
): HeaderRemark | null {
  const isYear = (text: string) => columnOf(dataset, text)?.kind === 'year';
  const found = above.findLast(
    ({ row: number, cells }) =>
      number >= row - WITHIN_ROWS &&
      cells.filter((cell, i) => !texts[i] && isYear(headingText(cell))).length >= FEWEST_YEARS,
  );
  if (found === undefined) return null;
  return {
    index: null,
    problem: `the years are in row ${found.row}, above the other headings, and no row below was read`,
    remedy: `write the years into row ${row}, and what else the columns differ in, such as the currency, into columns of its own; with pandas, write the frame before its pivot, with index=False`,
    kind: 'the years are above the other headings',
  };
}
