// Reads single cells as years or numbers, and explains why a cell holds no year or number.

import type { Diagnostic } from '../messages/fault.ts';
import { CALCULATE_REMEDY } from '../messages/remedies.ts';
import { vanishes } from '../sources/numberForms.ts';
import { type Cell, type CellOf, isKind, type OddCell, storedNumber } from '../sources/readers/rawFile.ts';
import { PLAIN_FORMAT } from '../sources/yearForms.ts';

/**
 * The year in a cell, as a number or as text: a whole number from 1000 to 9999; undefined for other cells. `2024.0` counts,
 * too, because programs that hold years as floating-point numbers write them so. `plain/plainSqlRows.ts` tests years by
 * SQL.
 */
export function yearIn(cell: Cell | undefined): number | undefined {
  if (isKind(cell, 'marked year') || isKind(cell, 'misshown')) return undefined;
  const year = wholeYearIn(cell);
  return Number.isInteger(year) && year !== undefined && year >= 1000 && year <= 9999 ? year : undefined;
}

/** The number in a cell that may be a year; undefined when there is none. */
function wholeYearIn(cell: Cell | undefined): number | undefined {
  if (typeof cell === 'string') return /^\d{4}(?:\.0+)?$/.test(cell.trim()) ? Number(cell) : undefined;
  return storedNumber(cell);
}

/**
 * The finite number in a cell; undefined for none. A text must be a number in JSON, because other forms may mean two
 * numbers.
 */
export function numberIn(cell: Cell | undefined, unit: string): number | undefined {
  if (showsPercent(cell, unit)) return undefined;
  const value = typeof cell === 'string' ? numberInText(cell) : plainNumber(cell);
  if (value === undefined || !Number.isFinite(value)) return undefined;
  return typeof cell === 'string' && vanishes(cell, value) ? undefined : value;
}

/** The reason why `numberIn` finds no number in a cell. The words of the problem follow the name of the metric. */
export function whyNoNumber(cell: Cell | undefined, unit: string): Diagnostic {
  if (showsPercent(cell, unit))
    return {
      problem: `shows ${describeCell(cell)} and holds ${cell.value}, while its unit is percent`,
      remedy: 'write the number that it shows, without the percent format',
    };
  const value = typeof cell === 'string' ? numberInText(cell) : plainNumber(cell);
  if (value === undefined) return unexpectedCell(cell, NUMBER_FORM);
  const remedy = `leave the cell empty or write ${NUMBER_FORM}`;
  if (typeof cell === 'string' && vanishes(cell, value))
    return { problem: `is "${cell.trim()}", closer to 0 than the smallest number`, remedy };
  return { problem: `is ${Number.isNaN(value) ? 'NaN' : 'beyond the largest number'}`, remedy };
}

/**
 * The fault of a cell whose content was not expected. The words of the problem follow the name of the column. The remedy
 * says to write `expected`.
 */
export function unexpectedCell(cell: Cell | undefined, expected: string): Diagnostic {
  return { problem: `is ${describeCell(cell)}`, remedy: remedyFor(cell, expected) };
}

function remedyFor(cell: Cell | undefined, expected: string): string {
  if (isKind(cell, 'error')) return `${remedyForError(cell)}, or write ${expected}`;
  switch (typeof cell === 'object' ? cell?.kind : undefined) {
    case 'uncalculated':
      return CALCULATE_REMEDY;
    case 'footnoted':
      return 'delete the footnote mark';
    case 'marked year':
    case 'misshown':
      return PLAIN_FORMAT;
    case 'dated year':
      return `${PLAIN_FORMAT}, and correct the number if that shows the wrong one`;
    case 'date':
      return expected === NUMBER_FORM
        ? `write ${expected}; in a workbook, ${PLAIN_FORMAT}`
        : `write ${expected}`;
    default:
      return `write ${expected}`;
  }
}

const remedyForError = ({ code, isRich }: CellOf<'error'>): string =>
  isRich
    ? 'convert it to text in Excel (Data Type, Convert to Text), or correct the formula'
    : (ERROR_REMEDIES.find(([pattern]) => pattern.test(code))?.[1] ?? 'correct the formula');

/** Remedies for errors that occur even if the formula is correct. */
const ERROR_REMEDIES: readonly (readonly [code: RegExp, remedy: string])[] = [
  [
    /^#NAME\?$/i,
    'calculate it in a program that knows its functions, such as that in which it was made, and save it again',
  ],
  [/^#+$/, `${PLAIN_FORMAT}, and correct the number if that shows the wrong one`],
  [
    /^#(?:BUSY|CONNECT|GETTING_DATA|EXTERNAL)\b/i,
    'wait until the program has loaded its data, and save it again',
  ],
];

/** The diagnostic with the name of the column in front of its problem. */
export const withColumnName = (name: string, { problem, remedy }: Diagnostic, kind?: string): Diagnostic => ({
  problem: `${name} ${problem}`,
  remedy,
  ...(kind === undefined ? {} : { kind }),
});

/** The note on a dropped footnote mark. Its words follow the name of the column. */
export const MARK_DROPPED = 'had its footnote mark dropped';

/** The content of a cell, in words for a message. */
export function describeCell(cell: Cell | undefined): string {
  if (typeof cell === 'string') return `"${cell.trim()}"`;
  if (typeof cell === 'number') return `the number ${cell}`;
  if (typeof cell === 'boolean') return `the truth value ${String(cell).toUpperCase()}`;
  return cell === null || cell === undefined ? 'empty' : describeOddCell(cell);
}

/** Whether a cell is empty or holds only spaces. */
export const isEmpty = (cell: Cell | undefined): boolean =>
  cell === null || cell === undefined || (typeof cell === 'string' && isBlank(cell));

/**
 * Whether a text is blank. Nearly all texts begin with a visible ASCII character. Testing this is cheaper than trimming.
 */
function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  return !(first > SPACE && first < DELETE) && text.trim() === '';
}

const SPACE = 0x20;
const DELETE = 0x7f;

const NUMBER_FORM = 'a plain number such as 1234.5';

/** Whether a cell of a metric in percent has a percent format. The cell shows 0.05 as 5 %, and would be read as 0.05 %. */
const showsPercent = (cell: Cell | undefined, unit: string): cell is CellOf<'percent'> =>
  unit === 'percent' && isKind(cell, 'percent');

/** The number in a cell that holds a number, not a text or a date; undefined for other cells. */
const plainNumber = (cell: Cell | undefined): number | undefined =>
  isKind(cell, 'dated year') ? undefined : storedNumber(cell);

/** The number in a text that is written as in JSON; undefined for any other text. */
export function numberInText(text: string): number | undefined {
  const trimmed = text.trim();
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(trimmed) ? Number(trimmed) : undefined;
}

function describeOddCell(cell: OddCell): string {
  switch (cell.kind) {
    case 'date':
      return cell.iso.startsWith('T') ? `the time ${cell.iso.slice(1)}` : `the date ${cell.iso}`;
    case 'error':
      return cell.isRich
        ? `a data type, a picture or a new kind of error, which the file holds as ${cell.code}`
        : `the error ${cell.code}`;
    case 'dated year':
      return `the date ${cell.iso}, shown as "${cell.value}"`;
    case 'percent':
      return `${shownPercent(cell.value)} %`;
    case 'divided':
    case 'with currency':
      return `the number ${cell.value}`;
    case 'with unit':
      return `${cell.value / cell.divisor} ${cell.unit}`;
    case 'marked year':
    case 'misshown':
      return `the number ${cell.value}, shown as "${cell.shown}"`;
    case 'uncalculated':
      return 'a formula without a calculated value';
    case 'footnoted':
      return `"${cell.value.trim()}" with the footnote mark "${cell.mark}"`;
  }
}

/** A fraction in percent. It is rounded to 15 digits, so 0.07 gives 7 and not 7.000000000000001. */
export const shownPercent = (value: number): number => Number((value * 100).toPrecision(15));
