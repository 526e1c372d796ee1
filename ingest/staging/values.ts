// Reads cells as years and numbers, and says in words why a cell is none.

import type { Cell, OddCell } from '../sources/readers/raw.ts';

/** The year in a cell, as a number or in text; undefined when it is no whole number from 1000 to 9999. */
export function yearIn(cell: Cell | undefined): number | undefined {
  const text = typeof cell === 'string' ? cell.trim() : undefined;
  const year = text === undefined ? plainNumber(cell) : /^\d{4}$/.test(text) ? Number(text) : undefined;
  return Number.isInteger(year) && year !== undefined && year >= 1000 && year <= 9999 ? year : undefined;
}

/** The finite number in a cell; text is one when JSON would take it, anything else would be guessing. */
export function numberIn(cell: Cell | undefined, unit: string): number | undefined {
  if (showsPercent(cell, unit)) return undefined;
  const value = typeof cell === 'string' ? numberInText(cell) : plainNumber(cell);
  return Number.isFinite(value) ? value : undefined;
}

/** Why `numberIn` finds none, in words that follow the metric's name. */
export function whyNoNumber(cell: Cell | undefined, unit: string): string {
  if (showsPercent(cell, unit)) {
    return `shows ${described(cell)} and holds ${cell.value}, while its unit is percent; write ${shownPercent(cell.value)} without the percent format`;
  }
  const value = typeof cell === 'string' ? numberInText(cell) : plainNumber(cell);
  if (value === undefined) return unfit(cell, NUMBER_FORM);
  const what = Number.isNaN(value) ? 'NaN' : 'beyond the largest number';
  return `is ${what}; leave the cell empty or write ${NUMBER_FORM}`;
}

/** What a cell holds instead of what was `asked`, and the remedy, in words that follow the column's name. */
export function unfit(cell: Cell | undefined, asked: string): string {
  const isUncalculated = typeof cell === 'object' && cell?.kind === 'uncalculated';
  return `is ${described(cell)}; ${isUncalculated ? CALCULATE : `write ${asked}`}`;
}

/** What a cell holds, in words. */
export function described(cell: Cell | undefined): string {
  if (typeof cell === 'string') return `"${cell.trim()}"`;
  if (typeof cell === 'number') return `the number ${cell}`;
  if (typeof cell === 'boolean') return `the truth value ${String(cell).toUpperCase()}`;
  return cell === null || cell === undefined ? 'empty' : describedOdd(cell);
}

/** Whether a cell holds nothing, or spaces alone. */
export const isEmpty = (cell: Cell | undefined): boolean =>
  cell === null || cell === undefined || (typeof cell === 'string' && isBlank(cell));

/** Nearly every text begins with a letter or digit: trimming millions of them would cost more than looking. */
function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  return !(first > SPACE && first < DELETE) && text.trim() === '';
}

const SPACE = 0x20;
const DELETE = 0x7f;

const NUMBER_FORM = 'a plain number such as 1234.5';

const CALCULATE = 'open the file in a spreadsheet program, let it calculate, save it again';

type PercentCell = Extract<OddCell, { kind: 'percent' }>;

/** 0.05 shown as 5 % is 5 to whoever reads the sheet, and would be 0.05 percent to whoever reads the data. */
const showsPercent = (cell: Cell | undefined, unit: string): cell is PercentCell =>
  typeof cell === 'object' && cell?.kind === 'percent' && unit === 'percent';

function plainNumber(cell: Cell | undefined): number | undefined {
  if (typeof cell === 'number') return cell;
  return typeof cell === 'object' && cell?.kind === 'percent' ? cell.value : undefined;
}

function numberInText(text: string): number | undefined {
  const trimmed = text.trim();
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(trimmed) ? Number(trimmed) : undefined;
}

function describedOdd(cell: OddCell): string {
  switch (cell.kind) {
    case 'date':
      return `the date ${cell.iso}`;
    case 'error':
      return `the error ${cell.code}`;
    case 'percent':
      return `${shownPercent(cell.value)} %`;
    case 'uncalculated':
      return 'a formula without a calculated value';
  }
}

/** Without the digits that multiplying adds: 0.07 is 7 %. */
export const shownPercent = (value: number): number => Number((value * 100).toPrecision(15));
