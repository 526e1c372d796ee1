// Reports cells of a metric that hold no number, or a number that its number format or its column contradicts.

import { isAmount, metricUnit } from '../../../src/catalog/datasets.ts';
import type { Diagnostic } from '../../messages/fault.ts';
import { count as grouped } from '../../messages/numbers.ts';
import { unitBesideNumber } from '../../messages/statedUnits.ts';
import { vanishes } from '../../sources/numberForms.ts';
import { type Cell, type CellOf, isKind } from '../../sources/readers/rawFile.ts';
import type { SuspectColumn } from '../../sources/suspectColumns.ts';
import { whyNoNumber, withColumnName } from '../cellValues.ts';
import { enclosedLinesFault } from '../enclosedLines.ts';
import { asTyped, type NumberStyle } from '../readingOptions.ts';
import type { MetricCell, TableContext } from '../tableContext.ts';
import { styledNumber } from './numberText.ts';
import { faultOfUnit } from './unitFaults.ts';
import { unsupportedNumberForm } from './unsupportedForms.ts';

/**
 * Reports a number that is probably not the one that people mean: its number format shows another number or states a
 * unit, or a program may have taken a dot between thousands for its decimal point. Returns whether it reported the cell.
 */
export function refuseMisread(table: TableContext, at: MetricCell): boolean {
  const { name, cell } = at;
  if (isKind(cell, 'misshown') || (isKind(cell, 'marked year') && !cell.shown.includes(`${cell.value}`))) {
    table.remarks.error(at, {
      problem: `${name} is ${cell.value}, and its number format shows "${cell.shown}"`,
      remedy: 'give the cell the number format 0, and correct the number if that shows the wrong one',
      kind: `${name}: a number format that shows another number`,
    });
    return true;
  }
  if (isKind(cell, 'with unit')) return refuseUnit(table, at, cell);
  const figure = isKind(cell, 'with currency') ? cell.value : cell;
  if (typeof figure !== 'number' || !mayHaveLostDot(table, name, figure)) return false;
  table.remarks.error(at, {
    problem: `${name} is the number ${figure}, beside texts with dots between thousands: a program may have taken such a dot for a decimal point`,
    remedy: `export the column again as numbers; if the number is right, use ${asTyped('numbers', 'de', table.file)}`,
    kind: `${name}: numbers beside texts with dots between thousands`,
  });
  return true;
}

/** Reports a number whose format states a unit, unless `--scale` fits it. Returns whether it reported the cell. */
function refuseUnit(
  table: TableContext,
  at: MetricCell,
  { value, unit, divisor }: CellOf<'with unit'>,
): boolean {
  const { name } = at;
  const stated = unitBesideNumber(unit, divisor);
  if (stated === null) return false;
  const space = /^[.,'’]/.test(unit) ? '' : ' ';
  const problem = `${name} is ${value}, and its number format shows "${value / divisor}${space}${unit}"`;
  const fault = faultOfUnit(problem, stated, table, name);
  if (fault === null) return false;
  const isScaled = table.options.scale.has(name);
  table.remarks.error(at, {
    ...fault,
    kind: `${name}: a number format that states a unit${isScaled ? ' other than --scale' : ''}`,
  });
  return true;
}

/** Whether a number has decimals in a column whose texts have dots between thousands. */
function mayHaveLostDot(table: TableContext, name: string, figure: number): boolean {
  const { options, survey } = table;
  if (Number.isInteger(figure) || options.numbers !== null) return false;
  return survey?.dottedMetrics.has(table.mapping.header.form === 'wide' ? '' : name) ?? false;
}

/** Reports a cell that holds neither a text nor a number. */
export function refuseNonText(table: TableContext, at: MetricCell): void {
  const fault = notNumber(table, at);
  const isNotAvailable = textOfMissing(at.cell) === '#n/a';
  const hint = isNotAvailable
    ? `; if it stands for no value, use ${asTyped('missing', '#N/A', table.file)}`
    : '';
  table.remarks.error(at, { ...fault, remedy: `${fault.remedy ?? ''}${hint}` });
}

/**
 * Reports a number that stands for an error of Excel, such as -2146826246 for `#N/A`. Programs that read cells through
 * Excel get such numbers. Returns whether it reported the cell.
 */
export function refuseErrorNumber(table: TableContext, at: MetricCell, value: number): boolean {
  const error = EXCEL_ERRORS.get(value - FIRST_EXCEL_ERROR);
  if (error === undefined) return false;
  table.remarks.error(at, {
    problem: `${at.name} is ${value}, which stands for the error ${error} of Excel`,
    remedy: 'correct the formula that the figure is from, or leave the cell empty',
    kind: `${at.name} is the number of an error of Excel`,
  });
  return true;
}

/** Reports a word for no value, once for all such words of the column. */
export function refusePlaceholder(table: TableContext, at: MetricCell, word: string): void {
  const { name } = at;
  table.remarks.columnError(at, name, word.trim(), (count, texts) => ({
    problem: `${name} is ${texts.map((text) => `"${text}"`).join(' or ')}${count > 1 ? ` in ${count} cells` : ''}`,
    remedy: `leave the cell empty, or use ${asTyped('missing', texts.join(','), table.file)}`,
    kind: `${name} is a word for no value`,
  }));
}

/** Reports a text that is not a number. `style` is that of the column's numbers; null if no style is known. */
export function refuseText(
  table: TableContext,
  at: MetricCell,
  text: string,
  style: NumberStyle | null,
): void {
  const enclosed = enclosedLinesFault(table, at, at.name);
  if (enclosed !== null) {
    table.remarks.error(at, enclosed);
    return;
  }
  if (refuseUnitAlone(table, at, text)) return;
  if (style !== null) {
    refuseOtherStyle(table, at, text, style);
    return;
  }
  const fault =
    unsupportedNumberForm(at.name, text, asTyped('numbers', 'en', table.file)) ?? notNumber(table, at);
  const hint =
    isReadable(text, 'de') || isReadable(text, 'en')
      ? `, or use ${asTyped('numbers', 'de', table.file)} (or en)`
      : '';
  table.remarks.error(at, { ...fault, remedy: `${fault.remedy ?? ''}${hint}` });
}

/** Reports a unit without a number, as in a row of units below the header. Returns whether it reported the cell. */
function refuseUnitAlone(table: TableContext, at: MetricCell, text: string): boolean {
  const { name } = at;
  const unit = /[1-9]/.test(text) ? null : unitBesideNumber(text);
  if (unit === null) return false;
  const problem = `${name} is "${text.trim()}", a unit, not a number`;
  const { remedy, ...fault } = faultOfUnit(problem, unit, table, name) ?? {
    problem,
    remedy: null,
  };
  const drop = 'delete the row if it holds no figures';
  table.remarks.error(at, { ...fault, remedy: remedy === null ? drop : `${remedy}; ${drop}` });
  return true;
}

/** Reports a text that is not a number in the style of `--numbers`, or of the rest of its column. */
function refuseOtherStyle(table: TableContext, at: MetricCell, text: string, style: NumberStyle): void {
  const { name } = at;
  const isOfOption = table.options.numbers !== null;
  const expected = isOfOption
    ? `in the style of --numbers ${style}`
    : 'in the style of the rest of the column';
  table.remarks.error(at, {
    problem: `${name} is "${text.trim()}", which is not a number ${expected}`,
    remedy: isOfOption
      ? `correct it, or give the option only for the files written so, as in --numbers FILE=${style}`
      : 'correct it',
    kind: `${name} is not a number ${expected}`,
  });
}

function notNumber(table: TableContext, { name, cell }: MetricCell): Diagnostic {
  return withColumnName(
    name,
    whyNoNumber(cell, metricUnit(table.mapping.dataset, name)),
    `${name} is not a number`,
  );
}

/** Reports a metric whose dots may all separate thousands: as an error for amounts in several rows, else as a warning. */
export function reportDots(
  { mapping, remarks, file }: TableContext,
  { column: name, count, at, text }: SuspectColumn<string, MetricCell>,
): void {
  const isError = isAmount(metricUnit(mapping.dataset, name)) && count > 1;
  const german = asTyped('numbers', 'de', file);
  remarks.add(isError ? 'error' : 'warning', at, {
    problem: `${name} is "${text}", whose dot may separate thousands or decimals${count > 1 ? `: all ${grouped(count)} such numbers have three digits after it` : ''}`,
    remedy: `if it separates thousands, write ${text.replaceAll('.', '')} or use ${german}; if it begins decimals, use ${asTyped('numbers', 'en', file)}`,
    kind: `${name}: dots that may separate thousands`,
  });
}

/** The number for `#NULL!`. */
const FIRST_EXCEL_ERROR = -2_146_826_288;

/** The errors by the difference between their numbers and `FIRST_EXCEL_ERROR`. */
const EXCEL_ERRORS: ReadonlyMap<number, string> = new Map([
  [0, '#NULL!'],
  [7, '#DIV/0!'],
  [15, '#VALUE!'],
  [23, '#REF!'],
  [29, '#NAME?'],
  [36, '#NUM!'],
  [42, '#N/A'],
]);

/** Whether `--numbers` with this style would read the text as a number. */
const isReadable = (text: string, style: NumberStyle): boolean => {
  const value = styledNumber(text, style);
  return value !== undefined && Number.isFinite(value) && !vanishes(text, value);
};

/** What is compared with `--missing`: the text of a cell, or the code of its error, in lower case; null for other cells. */
export function textOfMissing(cell: Cell | undefined): string | null {
  if (typeof cell === 'string') return cell.trim().toLowerCase();
  return isKind(cell, 'error') && !cell.isRich ? cell.code.toLowerCase() : null;
}
