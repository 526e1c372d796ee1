// Looks values up as VLOOKUP, HLOOKUP, XLOOKUP, MATCH and INDEX do. Only lookups of exact matches are understood.

import { areaOf, type Evaluation } from './evaluation.ts';
import type { Expression } from './expression.ts';
import { exactly, type FormulaResult, isNumber, isTextResult, wholeNumber } from './results.ts';
import { type Area, heightOf, type WorkbookCells, widthOf } from './workbookCells.ts';

/**
 * The value that a lookup searches for: a whole number, or the number that stands for a text. Null for a value for which
 * spreadsheet programs may find different cells.
 */
export function soughtValue(result: FormulaResult, cells: WorkbookCells): number | null {
  if (isTextResult(result)) return cells.texts.isCertain(result.text) ? result.text : null;
  if (!isNumber(result) || !Number.isSafeInteger(result.value)) return null;
  return result.error <= 1e-6 ? result.value : null;
}

/** The result of VLOOKUP, which searches the first column of a table, or of HLOOKUP, which searches its first row. */
export function lookupByFirst(
  [sought, table, place, exact, ...others]: readonly Expression[],
  formula: Evaluation,
  name: string,
): FormulaResult {
  const { cells } = formula;
  const area = areaOf(table, formula);
  const index = place && wholeNumber(formula.compute(place));
  if (!sought || !area || index == null || !isExact(exact) || others.length > 0) return 'unknown';
  const isColumn = name === 'VLOOKUP';
  if (index < 1 || index > (isColumn ? widthOf(area) : heightOf(area))) return 'unknown';
  const keys = isColumn ? { ...area, right: area.left } : { ...area, bottom: area.top };
  const at = positionIn(keys, formula.compute(sought), cells);
  if (typeof at !== 'number') return at;
  const [down, right] = isColumn ? [at, index - 1] : [index - 1, at];
  return cells.resultAt(area.sheet, area.top + down, area.left + right);
}

/**
 * The result of XLOOKUP. It is unknown unless the match is exact, which is the default. It is also unknown when a sixth
 * argument sets the direction of the search.
 */
export function xlookup(args: readonly Expression[], formula: Evaluation): FormulaResult {
  const [sought, keys, values, otherwise, exact] = args;
  const [ofKeys, ofValues] = [areaOf(keys, formula), areaOf(values, formula)];
  if (!sought || !ofKeys || !ofValues || args.length > 5) return 'unknown';
  if (exact && !isExact(exact)) return 'unknown';
  if (heightOf(ofKeys) !== heightOf(ofValues) || widthOf(ofKeys) !== widthOf(ofValues)) return 'unknown';
  const at = positionIn(ofKeys, formula.compute(sought), formula.cells);
  if (at === '#N/A' && otherwise) return formula.compute(otherwise);
  if (typeof at !== 'number') return at;
  const isColumn = widthOf(ofKeys) === 1;
  return formula.cells.resultAt(
    ofValues.sheet,
    ofValues.top + (isColumn ? at : 0),
    ofValues.left + (isColumn ? 0 : at),
  );
}

/** The result of MATCH. */
export function match(args: readonly Expression[], formula: Evaluation): FormulaResult {
  const [sought, keys, exact] = args;
  const area = areaOf(keys, formula);
  if (args.length !== 3 || !sought || !area || !isExact(exact)) return 'unknown';
  const at = positionIn(area, formula.compute(sought), formula.cells);
  return typeof at === 'number' ? exactly(at + 1) : at;
}

/**
 * The result of INDEX of a range. Without a second number, the range must be a single row or column, and the first number
 * is the position in it.
 */
export function cellAtPosition(args: readonly Expression[], formula: Evaluation): FormulaResult {
  const [range, firstPlace, secondPlace] = args;
  const area = areaOf(range, formula);
  if (!area || !firstPlace || args.length > 3) return 'unknown';
  const places = [formula.compute(firstPlace), secondPlace ? formula.compute(secondPlace) : exactly(1)];
  for (const place of places) if (place === '#N/A') return place;
  const [first, second] = places.map(wholeNumber);
  if (first == null || second == null) return 'unknown';
  const isAlongRow = secondPlace === undefined && heightOf(area) === 1;
  if (secondPlace === undefined && !isAlongRow && widthOf(area) !== 1) return 'unknown';
  const [row, column] = isAlongRow ? [1, first] : [first, second];
  if (row < 1 || column < 1 || row > heightOf(area) || column > widthOf(area)) return 'unknown';
  return formula.cells.resultAt(area.sheet, area.top + row - 1, area.left + column - 1);
}

/** Whether an argument is FALSE or 0, which both ask for an exact match. */
const isExact = (expression: Expression | undefined): boolean =>
  (expression?.kind === 'truth' && !expression.isTrue) ||
  (expression?.kind === 'number' && expression.value === 0);

/** The position, from 0, of the first match in a row or column; `#N/A` when no cell matches. */
function positionIn(area: Area, result: FormulaResult, cells: WorkbookCells): number | '#N/A' | 'unknown' {
  if (result === '#N/A') return result;
  const sought = soughtValue(result, cells);
  if (sought === null) return 'unknown';
  if (area.left === area.right) return rowIn(area, sought, cells);
  if (area.top !== area.bottom) return 'unknown';
  for (let column = area.left; column <= area.right; column++) {
    const isFound = cells.spendOnSearch(1)
      ? cells.isSame(cells.valueAt(area.sheet, area.top, column), sought)
      : null;
    if (isFound === null) return 'unknown';
    if (isFound) return column - area.left;
  }
  return '#N/A';
}

function rowIn(
  { sheet, top, bottom, left }: Area,
  sought: number,
  cells: WorkbookCells,
): number | '#N/A' | 'unknown' {
  const index = cells.indexOf(sheet, left);
  if (index === null) return 'unknown';
  let row = index.firstRow(sought);
  for (; row > 0 && row < top; row = index.rowAfter(row)) if (!cells.spendOnSearch(1)) return 'unknown';
  const isFound = row > 0 && row <= bottom;
  if (!cells.spendOnSearch(1) || index.hasDoubt(sought, top, isFound ? row : bottom)) return 'unknown';
  return isFound ? row - top : '#N/A';
}
