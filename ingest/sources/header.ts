// Finds the header of a sheet below its preamble and reads what each column holds: long form or wide.

import {
  type DatasetName,
  type DimensionName,
  datasetOf,
  dimensionOf,
  metricNames,
} from '../../src/catalog/datasets.ts';
import { columnLetters } from '../messages/place.ts';
import { didYouMean, headingKey } from '../messages/spelling.ts';
import type { Cell, RawRow } from './readers/raw.ts';

export type Column =
  | { readonly kind: 'dimension'; readonly name: DimensionName }
  | { readonly kind: 'metric'; readonly name: string }
  /** Wide form: the values of one year. */
  | { readonly kind: 'year'; readonly name: string; readonly year: number }
  /** Wide form of a dataset with several metrics: which of them a row holds. */
  | { readonly kind: 'metric name'; readonly name: 'metric' };

export interface Header {
  /** The number of its last row; data begins below. */
  readonly row: number;
  readonly form: 'long' | 'wide';
  /** By column index; undefined where there is no heading or none that is known. */
  readonly columns: readonly (Column | undefined)[];
  /** What is wrong with it; `index` names the column. */
  readonly faults: readonly { readonly index: number; readonly message: string }[];
  /** False when a column of the dataset is missing: its rows cannot be told apart. */
  readonly complete: boolean;
}

/** How far down a header is looked for, in rows that hold anything. */
export const HEADER_WITHIN_ROWS = 200;

/**
 * The header of `dataset` among a table's first rows, or null when no row names enough of its columns.
 *
 * A header may be split over two rows by merged cells: what its row leaves empty is looked for in the row
 * above (names) and the row below (names and years).
 */
export function findHeader(dataset: DatasetName, rows: readonly RawRow[]): Header | null {
  const index = rows.findIndex((row) => isHeaderOf(dataset, row));
  const found = rows[index];
  if (found === undefined) return null;
  const above = rows[index - 1];
  const below = rows[index + 1];
  const headings = found.cells.map(headingText);
  const isKnown = (text: string) => columnOf(dataset, text) !== undefined;
  if (above?.row === found.row - 1) {
    above.cells.forEach((cell, i) => {
      const text = headingText(cell);
      const fills = (headings[i] ?? '') === '' && text !== '' && columnOf(dataset, text)?.kind !== 'year';
      if (fills && isKnown(text)) headings[i] = text;
    });
  }
  const continues =
    below?.row === found.row + 1 &&
    below.cells.every(
      (cell, i) => cell === null || (isKnown(headingText(cell)) && !isKnown(headings[i] ?? '')),
    );
  if (continues) {
    below.cells.forEach((cell, i) => {
      if (cell !== null) headings[i] = headingText(cell);
    });
  }
  return read(dataset, continues ? below.row : found.row, headings);
}

/** Whether a row names enough columns of the dataset: three, of a lookup two. */
export const isHeaderOf = (dataset: DatasetName, row: RawRow): boolean =>
  knownColumns(dataset, row) >= (metricNames(dataset).length === 0 ? 2 : 3);

/**
 * Whether a row likely names the columns of a table nobody described: three cells or more, none missing between
 * them, all text or whole numbers (years), not all numbers.
 */
export function looksLikeHeader({ cells }: RawRow): boolean {
  const names = (cell: Cell) => (typeof cell === 'string' && cell.trim() !== '') || Number.isInteger(cell);
  return cells.length >= 3 && cells.every(names) && cells.some((cell) => typeof cell === 'string');
}

function read(dataset: DatasetName, row: number, headings: readonly (string | undefined)[]): Header {
  const faults: { index: number; message: string }[] = [];
  const columns: (Column | undefined)[] = [];
  const places = new Map<string, number>();
  const known = [...datasetOf(dataset).dimensions, ...metricNames(dataset)];
  Array.from(headings).forEach((heading = '', index) => {
    if (heading === '') return;
    const column = columnOf(dataset, heading);
    if (column === undefined) {
      const hint = didYouMean(heading, known) || `; rename it to one of: ${known.join(', ')}, or delete it`;
      faults.push({
        index,
        message: `column "${oneLine(heading)}" is neither a dimension nor a metric of ${dataset}${hint}`,
      });
      return;
    }
    const earlier = places.get(column.name);
    if (earlier !== undefined) {
      const message = `column ${column.name} stands twice, in ${columnLetters(earlier)} and ${columnLetters(index)}; delete one`;
      faults.push({ index, message });
      return;
    }
    places.set(column.name, index);
    columns[index] = column;
  });
  const form = [...columns].some((column) => column?.kind === 'year') ? 'wide' : 'long';
  const missing = expected(dataset, form).filter((name) => !places.has(name));
  if (missing.length > 0) {
    const [it, are] = missing.length === 1 ? ['column', 'is'] : ['columns', 'are'];
    const years = missing.includes('year') ? ' (or a column per year)' : '';
    faults.push({
      index: 0,
      message: `${it} ${missing.join(', ')}${years} ${are} missing from the header; add ${missing.length === 1 ? 'it' : 'them'}`,
    });
  }
  faults.push(...mixedForms(form, columns, metricNames(dataset)));
  return { row, form, columns, faults, complete: missing.length === 0 };
}

/** The columns without which a header is not complete. */
function expected(dataset: DatasetName, form: Header['form']): readonly string[] {
  const metrics = metricNames(dataset);
  const { dimensions } = datasetOf(dataset);
  if (form === 'long') return [...dimensions, ...metrics];
  return [
    ...dimensions.filter((d) => dimensionOf(d).type !== 'integer'),
    ...(metrics.length > 1 ? ['metric'] : []),
  ];
}

/** A year or metric column beside a column per year says the same twice; so does `metric` in long form. */
function mixedForms(form: Header['form'], columns: Header['columns'], metrics: readonly string[]) {
  const misplaced = form === 'wide' ? ['year', ...metrics] : ['metric'];
  const besides = form === 'wide' ? 'a column per year' : 'a year column';
  return Array.from(columns).flatMap((column, index) =>
    column !== undefined && misplaced.includes(column.name)
      ? [{ index, message: `column ${column.name} stands beside ${besides}; keep the one or the other` }]
      : [],
  );
}

function columnOf(dataset: DatasetName, heading: string): Column | undefined {
  const key = headingKey(heading);
  const dimension = datasetOf(dataset).dimensions.find((name) => headingKey(name) === key);
  if (dimension !== undefined) return { kind: 'dimension', name: dimension };
  const metrics = metricNames(dataset);
  const metric = metrics.find((name) => headingKey(name) === key);
  if (metric !== undefined) return { kind: 'metric', name: metric };
  if (metrics.length === 0) return undefined;
  if (key === 'metric') return { kind: 'metric name', name: 'metric' };
  return /^[1-9]\d{3}$/.test(key) ? { kind: 'year', name: key, year: Number(key) } : undefined;
}

/** How many different columns of the dataset a row names; years do not count. */
function knownColumns(dataset: DatasetName, row: RawRow): number {
  const names = row.cells.map((cell) => (typeof cell === 'string' ? columnOf(dataset, cell) : undefined));
  return new Set(
    names.flatMap((column) => (column === undefined || column.kind === 'year' ? [] : [column.name])),
  ).size;
}

function headingText(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'object')
    return cell.kind === 'date' ? cell.iso : cell.kind === 'error' ? cell.code : '?';
  return String(cell).trim();
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ');
