// Recognises the rows that are headers, and reads their cells as text.

import { type DatasetName, isFinancial } from '../../../src/catalog/datasets.ts';
import { type Cell, isMarkedYear, type RawRow } from '../readers/raw.ts';
import { columnOf } from './columnOf.ts';

/** Whether a row names enough columns of the dataset: three, or two of a lookup table. Years do not count. */
export const isHeaderOf = (dataset: DatasetName, row: RawRow): boolean =>
  knownColumns(dataset, row) >= (isFinancial(dataset) ? 3 : 2);

/** Counts the different columns of the dataset that a row names. Years do not count. */
function knownColumns(dataset: DatasetName, row: RawRow): number {
  const names = row.cells.map((cell) => {
    const text = typeof cell === 'object' && cell?.kind === 'footnoted' ? cell.value : cell;
    return typeof text === 'string' ? columnOf(dataset, text) : undefined;
  });
  return new Set(
    names.flatMap((column) => (column === undefined || column.kind === 'year' ? [] : [column.name])),
  ).size;
}

/**
 * Whether a row likely names the columns of a table of unknown content: three cells or more without a gap, each a
 * text or a whole number (a year), at least one of them a text.
 */
export function looksLikeHeader({ cells }: RawRow): boolean {
  const isName = (cell: Cell) =>
    (typeof cell === 'string' && cell.trim() !== '') ||
    Number.isInteger(numberIn(cell)) ||
    isMarkedYear(cell);
  return cells.length >= 3 && cells.every(isName) && cells.some((cell) => typeof cell === 'string');
}

/** A cell without its currency format: people who format a whole sheet as currency format its years, too. */
const numberIn = (cell: Cell): Cell =>
  typeof cell === 'object' && cell?.kind === 'priced' ? cell.value : cell;

/** Returns the text of a header's cell without footnote marks and surrounding spaces; `''` for an empty cell. */
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
