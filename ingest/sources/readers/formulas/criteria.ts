// Adds up the cells that fulfil criteria, as SUMIFS, COUNTIFS and functions like them do.

import { areaOf, type Evaluation } from './evaluation.ts';
import type { Expression } from './expression.ts';
import { soughtValue } from './lookupFunctions.ts';
import {
  compare,
  exactly,
  type FormulaResult,
  isNumber,
  isTextResult,
  RELATIVE_ERROR,
  stored,
  Totals,
} from './results.ts';
import { isFigure, isText, TEXT, UNKNOWN } from './textCodes.ts';
import { type Area, heightOf, type WorkbookCells, widthOf } from './workbookCells.ts';

/** Testing one cell with one criterion counts as this many steps. */
const STEPS_TO_TEST = 8;

interface Criterion {
  readonly area: Area;
  readonly operator: string;
  /** A whole number, or the number that stands for a text. */
  readonly value: number;
}

/**
 * The result of a function with criteria. It is known only when each criterion is a whole number or a word, with or without
 * an operator before it: `2024`, `<>2024`, `Malta`.
 */
export function conditionalTotal(
  args: readonly Expression[],
  formula: Evaluation,
  name: string,
): FormulaResult {
  const { cells } = formula;
  const [range, pairs] = rangesOf(name, args);
  const criteria = criteriaOf(pairs, formula);
  const [first] = criteria ?? [];
  if (criteria === null || first === undefined) return 'unknown';
  const area = range === null ? first.area : areaOf(range, formula);
  if (area === null || !criteria.every((one) => isAsLarge(one.area, area))) return 'unknown';
  const areas = [area, ...criteria.map((one) => one.area)];
  if (!areas.every((one) => cells.isKnown(one))) return 'unknown';
  const lastOffset = Math.min(
    heightOf(area) - 1,
    Math.max(...areas.map((one) => cells.lastRow(one.sheet) - one.top)),
  );
  const totals = new Totals();
  // The empty cells below the last row fulfil a criterion with `<>`, too, but are not counted here.
  if (
    range === null &&
    lastOffset < heightOf(area) - 1 &&
    criteria.every(({ operator }) => operator === '<>')
  )
    return 'unknown';
  const isKnown = forEachOffset(criteria, lastOffset, cells, (row, column) => {
    const fulfils = fulfilsAll(criteria, row, column, cells);
    if (!fulfils) return fulfils !== null;
    if (range === null) totals.add(1, 0);
    else {
      const value = cells.valueAt(area.sheet, area.top + row, area.left + column);
      if (value === UNKNOWN) return false;
      if (isFigure(value)) totals.add(value, Math.abs(value) * RELATIVE_ERROR);
    }
    return true;
  });
  return isKnown ? totals.of(name.replace(/IFS?$/, '')) : 'unknown';
}

/** The range that is added up (null when cells are only counted), and the pairs of a range and its criterion. */
function rangesOf(
  name: string,
  args: readonly Expression[],
): readonly [range: Expression | null, pairs: readonly Expression[]] {
  if (name.startsWith('COUNTIF')) return [null, name === 'COUNTIF' && args.length > 2 ? [] : args];
  const [first, second, third, ...others] = args;
  if (!first || !second) return [null, []];
  if (name.endsWith('IFS')) return [first, args.slice(1)];
  return [third ?? first, others.length > 0 ? [] : [first, second]];
}

function criteriaOf(pairs: readonly Expression[], formula: Evaluation): readonly Criterion[] | null {
  if (pairs.length % 2 !== 0) return null;
  const criteria: Criterion[] = [];
  for (let i = 0; i < pairs.length; i += 2) {
    const area = areaOf(pairs[i], formula);
    const written = pairs[i + 1];
    const wanted = written && wantedBy(formula.compute(written), formula.cells);
    if (area === null || !wanted) return null;
    criteria.push({ area, ...wanted });
  }
  return criteria;
}

function wantedBy(result: FormulaResult, cells: WorkbookCells): Omit<Criterion, 'area'> | null {
  if (isNumber(result)) {
    const value = soughtValue(result, cells);
    return value === null ? null : { operator: '=', value };
  }
  const text = isTextResult(result) ? cells.texts.textOf(result.text) : null;
  if (text === null) return null;
  const [, operator = '=', operand = ''] = /^(<=|>=|<>|[<>=])?(.*)$/s.exec(text) ?? [];
  // Programs in other languages write decimals differently, so only whole numbers are understood.
  const isWhole = /^(?:0|-?[1-9]\d{0,14})$/.test(operand);
  const value = isWhole ? Number(operand) : soughtValue({ text: cells.texts.codeOf(operand) }, cells);
  if (value === null || (!isWhole && !EQUAL.has(operator))) return null;
  return { operator, value };
}

const EQUAL: ReadonlySet<string> = new Set(['=', '<>']);

const isAsLarge = (one: Area, other: Area): boolean =>
  heightOf(one) === heightOf(other) && widthOf(one) === widthOf(other);

/**
 * Calls `use` for each cell that may fulfil the criteria, with its row and column in the ranges, both from 0.
 *
 * @returns False when a cell is uncertain, no steps are left, or `use` returns false.
 */
function forEachOffset(
  criteria: readonly Criterion[],
  lastOffset: number,
  cells: WorkbookCells,
  use: (row: number, column: number) => boolean,
): boolean {
  const rarest = rarestOf(criteria, cells);
  const [area] = criteria.map((one) => one.area);
  if (area === undefined) return false;
  if (rarest === null) {
    for (let row = 0; row <= lastOffset; row++)
      for (let column = 0; column < widthOf(area); column++)
        if (!cells.spendOnSearch(STEPS_TO_TEST * criteria.length) || !use(row, column)) return false;
    return true;
  }
  const { sheet, top, left } = rarest.area;
  const index = cells.indexOf(sheet, left);
  if (index === null || index.hasDoubt(rarest.value, top, top + lastOffset)) return false;
  for (
    let row = index.firstRow(rarest.value);
    row > 0 && row <= top + lastOffset;
    row = index.rowAfter(row)
  ) {
    if (!cells.spendOnSearch(STEPS_TO_TEST * criteria.length)) return false;
    if (row >= top && !use(row - top, 0)) return false;
  }
  return cells.spendOnSearch(STEPS_TO_TEST * criteria.length);
}

/**
 * The criterion with the fewest matching rows, among the criteria with `=` whose range is a single column; null when there
 * is none.
 */
function rarestOf(criteria: readonly Criterion[], cells: WorkbookCells): Criterion | null {
  let rarest: Criterion | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const criterion of criteria) {
    if (criterion.operator !== '=' || widthOf(criterion.area) !== 1) continue;
    const count = cells.indexOf(criterion.area.sheet, criterion.area.left)?.countOf(criterion.value);
    if (count === undefined || count >= fewest) continue;
    [rarest, fewest] = [criterion, count];
  }
  return rarest;
}

/** Whether cells fulfil all criteria; null when that is not certain. */
function fulfilsAll(
  criteria: readonly Criterion[],
  row: number,
  column: number,
  cells: WorkbookCells,
): boolean | null {
  let isKnown = true;
  for (const { area, operator, value } of criteria) {
    const cellValue = cells.valueAt(area.sheet, area.top + row, area.left + column);
    const fulfils = fulfilsOne(cellValue, operator, value, cells);
    if (fulfils === false) return false;
    isKnown &&= fulfils !== null;
  }
  return isKnown ? true : null;
}

function fulfilsOne(
  cellValue: number,
  operator: string,
  value: number,
  cells: WorkbookCells,
): boolean | null {
  if (EQUAL.has(operator)) {
    const isSame = cells.isSame(cellValue, value);
    return isSame === null ? null : isSame === (operator === '=');
  }
  if (isFigure(cellValue)) return compare(operator, stored(cellValue), exactly(value));
  return cellValue === UNKNOWN ||
    cellValue === TEXT ||
    (isText(cellValue) && cells.texts.mayBeNumber(cellValue))
    ? null
    : false;
}
