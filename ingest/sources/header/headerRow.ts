// Recognises the rows that are headers, and reads their cells as text.

import { type DatasetName, isFinancial } from '../../../src/catalog/datasets.ts';
import { isFootnoted } from '../readers/footnotes.ts';
import { type Cell, isMarkedYear, type RawRow } from '../readers/raw.ts';
import { columnOf } from './columnOf.ts';

/** Whether a row names enough columns of the dataset: three, or two for a lookup table. Years do not count. */
export const isHeaderOf = (dataset: DatasetName, row: RawRow): boolean =>
  knownColumns(dataset, row) >= (isFinancial(dataset) ? 3 : 2);

/** Counts the different columns of the dataset that a row names. Years do not count. */
function knownColumns(dataset: DatasetName, row: RawRow): number {
  const names = row.cells.map((cell) => {
    const text = isFootnoted(cell) ? cell.value : cell;
    return typeof text === 'string' ? columnOf(dataset, text) : undefined;
  });
  return new Set(
    names.flatMap((column) => (column === undefined || column.kind === 'year' ? [] : [column.name])),
  ).size;
}

/**
 * Whether a row is probably the header of a table whose dataset is unknown. Such a row has at least three cells. Each of them
 * holds a text or a year, and at least one holds a text. A row with empty cells or other numbers is not a header.
 */
export function looksLikeHeader({ cells }: RawRow): boolean {
  const isText = (cell: Cell) => typeof cell === 'string' && cell.trim() !== '' && !FIGURE.test(cell);
  const isName = (cell: Cell) => isText(cell) || isYear(numberIn(cell)) || isMarkedYear(cell);
  return cells.length >= 3 && cells.every(isName) && cells.some(isText);
}

/** Matches numbers that are written as text: `19 972`, `1.234,5`, `-3`. */
const FIGURE = /^\s*[-+\u2212]?\d[\d\s.,'’]*$/;

/** Whether the number in a cell is a year from 1800 to 2199. */
function isYear(cell: Cell): boolean {
  const year = typeof cell === 'string' && /^\s*\d{4}\s*$/.test(cell) ? Number(cell) : cell;
  return typeof year === 'number' && Number.isInteger(year) && year >= 1800 && year < 2200;
}

/**
 * The number of a cell that is shown as a currency or a date; any other cell as it is. Years are shown as a currency when people
 * format a whole sheet as one.
 */
const numberIn = (cell: Cell): Cell =>
  typeof cell === 'object' && (cell?.kind === 'priced' || cell?.kind === 'dated year') ? cell.value : cell;

/** The text of a cell of a header, without footnote marks and surrounding spaces; `''` for an empty cell. */
export function headingText(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell !== 'object') return String(cell).trim();
  switch (cell.kind) {
    case 'date':
      return cell.iso;
    case 'error':
      return cell.code;
    case 'united':
    case 'divided':
    case 'priced':
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
