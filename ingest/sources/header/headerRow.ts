// Recognises the rows that are headers, and reads their cells: as text, and as columns of the dataset.

import { type DatasetName, datasetOf, isFinancial, metricNames } from '../../../src/catalog/datasets.ts';
import { headingKey } from '../../messages/spelling.ts';
import { withoutMarks } from '../readers/footnotes.ts';
import { type Cell, isKind, type RawRow } from '../readers/rawFile.ts';
import type { Column } from './headerTypes.ts';

/** The column that a heading names, such as `GGR`, `Sub channel` or `2024`; undefined for any other text. */
export function columnOf(dataset: DatasetName, heading: string): Column | undefined {
  const key = headingKey(heading);
  const dimension = datasetOf(dataset).dimensions.find((name) => headingKey(name) === key);
  if (dimension !== undefined) return { kind: 'dimension', name: dimension };
  const metrics = metricNames(dataset);
  const metric = metrics.find((name) => headingKey(name) === key);
  if (metric !== undefined) return { kind: 'metric', name: metric };
  if (metrics.length === 0) return undefined;
  if (key === 'metric') return { kind: 'metric name', name: 'metric' };
  const [year] = /^[1-9]\d{3}(?=(?:\.0+)?$)/.exec(key) ?? [];
  return year === undefined ? undefined : { kind: 'year', name: year, year: Number(year), metric: null };
}

/** Whether a row names enough columns of the dataset: three, or two for a lookup table. Years do not count. */
export const isHeaderOf = (dataset: DatasetName, row: RawRow): boolean =>
  knownColumns(dataset, row) >= (isFinancial(dataset) ? 3 : 2);

/** Counts the different columns of the dataset that a row names. Years do not count. */
function knownColumns(dataset: DatasetName, row: RawRow): number {
  const names = row.cells.map((cell) => {
    const text = withoutMarks(cell);
    return typeof text === 'string' ? columnOf(dataset, text) : undefined;
  });
  return new Set(
    names.flatMap((column) => (column === undefined || column.kind === 'year' ? [] : [column.name])),
  ).size;
}

/**
 * Whether a row is probably the header of a table whose dataset is unknown. Such a row has at least three cells. Each of
 * them holds a text or a year, and at least one holds a text. A row with empty cells or other numbers is not a header.
 */
export function looksLikeHeader({ cells }: RawRow): boolean {
  const isText = (cell: Cell) => typeof cell === 'string' && cell.trim() !== '' && !FIGURE.test(cell);
  const isName = (cell: Cell) => isText(cell) || isYear(numberIn(cell)) || isKind(cell, 'marked year');
  return cells.length >= 3 && cells.every(isName) && cells.some(isText);
}

/** Matches numbers that are written as text: `19 972`, `1.234,5`, `-3`. */
const FIGURE = /^\s*[-+\u2212]?\d[\d\s.,'’]*$/;

function isYear(cell: Cell): boolean {
  const year = typeof cell === 'string' && /^\s*\d{4}\s*$/.test(cell) ? Number(cell) : cell;
  return typeof year === 'number' && Number.isInteger(year) && year >= 1800 && year < 2200;
}

/**
 * The number of a cell that is shown as a currency or a date; any other cell as it is. Years are shown as a currency when
 * people format a whole sheet as one.
 */
const numberIn = (cell: Cell): Cell =>
  isKind(cell, 'with currency') || isKind(cell, 'dated year') ? cell.value : cell;

/** The text of a cell of a header, without footnote marks and surrounding spaces; `''` for an empty cell. */
export function headingText(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell !== 'object') return String(cell).trim();
  switch (cell.kind) {
    case 'date':
      return cell.iso;
    case 'error':
      return cell.code;
    case 'with unit':
    case 'divided':
    case 'with currency':
    case 'dated year':
      return String(cell.value);
    case 'marked year':
    case 'misshown':
      return cell.shown;
    case 'footnoted':
      return cell.value.trim();
    default:
      return '?';
  }
}

/** A heading on one line, as messages quote it. */
export const onOneLine = (heading: string): string => heading.replace(/\s+/g, ' ');

/**
 * The rows of a table. If R wrote it, its first column has row numbers without a heading, so its header gets an empty cell
 * at its beginning. R wrote it if the rows below the header begin with 1, 2, 3 and so on, and the longest has one cell more
 * than the header.
 */
export function withRowNumbers(rows: readonly RawRow[], headerIndex: number): readonly RawRow[] {
  const header = rows[headerIndex];
  const below = rows.slice(headerIndex + 1);
  if (header === undefined || below.length === 0) return rows;
  const width = header.cells.length;
  const isNumbered = below.every(
    ({ cells }, i) => cells.length <= width + 1 && `${cells[0] ?? ''}`.trim() === `${i + 1}`,
  );
  if (!isNumbered || below.every(({ cells }) => cells.length <= width)) return rows;
  return rows.with(headerIndex, { ...header, cells: [null, ...header.cells] });
}
