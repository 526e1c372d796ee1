// Computes the calls of functions in formulas. Each function is an entry in one table.

import { arithmetic } from './arithmetic.ts';
import { offset } from './computedReferences.ts';
import { isTrue } from './conditions.ts';
import { conditionalTotal } from './criteria.ts';
import type { Compute, Evaluation, RangePosition } from './evaluation.ts';
import type { Expression, Reference } from './expression.ts';
import { forEachPart } from './expressionParts.ts';
import { cellAtPosition, lookupByFirst, match, xlookup } from './lookupFunctions.ts';
import {
  type ComputedNumber,
  calculate,
  exactly,
  type FormulaError,
  type FormulaResult,
  isFormulaError,
  isNumber,
  isTextResult,
  numberOf,
  Totals,
  wholeNumber,
  withRoundingError,
} from './results.ts';
import { type Area, heightOf, widthOf } from './workbookCells.ts';

/** The result of a function of these arguments. It is unknown for functions that give truth values: see `conditions.ts`. */
export const resultOf: Compute = (args, formula, name) => {
  const compute = FUNCTIONS[name];
  if (compute === undefined) return 'unknown';
  if (typeof formula.scope === 'object' && !worksPerCell(name, args)) return 'unknown';
  return compute(args, formula, name);
};

const each = (names: string, compute: Compute) =>
  Object.fromEntries(names.split(' ').map((name) => [name, compute]));

/** An INDIRECT that `computedReferences.ts` did not replace depends on other cells, and is not in the table. */
const FUNCTIONS: Readonly<Record<string, Compute>> = {
  ...each('SUM AVERAGE COUNT MIN MAX PRODUCT', aggregate),
  ...each('SUMIF SUMIFS COUNTIF COUNTIFS AVERAGEIF AVERAGEIFS MAXIFS MINIFS', conditionalTotal),
  ...each('ABS INT MOD POWER ROUND ROUNDDOWN ROUNDUP SIGN SQRT TRUNC', arithmetic),
  ...each('MEDIAN LARGE SMALL', ranked),
  ...each('VLOOKUP HLOOKUP', unlessDeleted(lookupByFirst)),
  ...each('IFERROR IFNA', ifError),
  XLOOKUP: unlessDeleted(xlookup),
  MATCH: unlessDeleted(match),
  INDEX: unlessDeleted(cellAtPosition),
  SUMPRODUCT: (args, formula) => sumOfProducts(args, formula),
  SUBTOTAL: (args, formula, name) => formula.subtotals?.result(args, formula, name) ?? 'unknown',
  AGGREGATE: (args, formula, name) => formula.subtotals?.aggregate(args, formula, name) ?? 'unknown',
  IF: ([condition, second, third, ...others], formula) => {
    if (condition === undefined || second === undefined || others.length > 0) return 'unknown';
    const isFulfilled = isTrue(condition, formula);
    const chosen = isFulfilled ? second : third;
    return isFulfilled === null || chosen === undefined ? 'unknown' : formula.compute(chosen);
  },
  IFS: (args, formula) =>
    args.length % 2 === 1 ? 'unknown' : firstTrue(args, formula, (condition) => condition),
  SWITCH: ([subject, ...cases], formula) => {
    const result = subject === undefined ? 'unknown' : formula.compute(subject);
    // Programs differ in whether an empty cell is 0 or an empty text here.
    if (subject === undefined || !(isNumber(result) || isTextResult(result))) return 'unknown';
    return firstTrue(cases, formula, (right) => ({ kind: 'binary', operator: '=', left: subject, right }));
  },
  CHOOSE: ([index, ...choices], formula) => {
    const at = index === undefined ? null : wholeNumber(numberOf(formula.compute(index)));
    const chosen = at === null ? undefined : choices[at - 1];
    return chosen === undefined ? 'unknown' : formula.compute(chosen);
  },
  VALUE: ([text, ...others], formula) => {
    const result = text === undefined || others.length > 0 ? 'unknown' : formula.compute(text);
    const digits = isTextResult(result) ? formula.cells.texts.textOf(result.text) : null;
    if (digits === null) return isNumber(result) ? result : 'unknown';
    // The meaning of any other text depends on the user's country.
    return /^\d{1,15}$/.test(digits) ? exactly(Number(digits)) : 'unknown';
  },
  OFFSET: (args, formula) => {
    const moved = movedBy(args, formula);
    return moved === null ? 'unknown' : formula.cellOf(moved);
  },
};

function unlessDeleted(compute: Compute): Compute {
  return (args, formula, name) =>
    args.some(({ kind }) => kind === 'deleted') ? '#REF!' : compute(args, formula, name);
}

/**
 * The result of IFERROR or IFNA: the first value, or the second one when the first is an error that the function replaces.
 */
function ifError(
  [first, second, ...others]: readonly Expression[],
  formula: Evaluation,
  name: string,
): FormulaResult {
  if (first === undefined || second === undefined || others.length > 0) return 'unknown';
  const result = formula.compute(first);
  const isReplaced = result === '#N/A' || (isFormulaError(result) && name === 'IFERROR');
  return isReplaced ? formula.compute(second) : result;
}

/**
 * The value of the first pair (case, value) whose condition is fulfilled, or else that of a single argument behind the
 * pairs. Unknown when a condition before the first fulfilled one is unknown.
 */
function firstTrue(
  pairs: readonly Expression[],
  formula: Evaluation,
  conditionOf: (one: Expression) => Expression,
): FormulaResult {
  for (let at = 0; at < pairs.length; at += 2) {
    const [one, value] = [pairs[at] as Expression, pairs[at + 1]];
    if (value === undefined) return formula.compute(one);
    const holds = isTrue(conditionOf(one), formula);
    if (holds === null) return 'unknown';
    if (holds) return formula.compute(value);
  }
  return '#N/A';
}

/** The cells of a reference, or of an OFFSET whose distances are known; the result of any other expression. */
function areaOrResult(expression: Expression, formula: Evaluation): Area | FormulaResult {
  const isOffset = expression.kind === 'call' && expression.name === 'OFFSET';
  const reference = isOffset ? movedBy(expression.args, formula) : expression;
  if (reference?.kind !== 'reference') return isOffset ? 'unknown' : formula.compute(expression);
  return formula.cells.areaOf(reference) ?? 'unknown';
}

const isArea = (arg: Area | FormulaResult): arg is Area => typeof arg === 'object' && 'top' in arg;

/** The reference of an OFFSET whose distances and sizes may depend on cells; null when one of them is unknown. */
function movedBy([from, ...distances]: readonly Expression[], formula: Evaluation): Reference | null {
  const constants = distances.map((expression): Expression => {
    const distance = numberOf(formula.compute(expression));
    return isNumber(distance) ? { kind: 'number', value: distance.value } : expression;
  });
  return from === undefined ? null : offset([from, ...constants]);
}

function aggregate(args: readonly Expression[], formula: Evaluation, name: string): FormulaResult {
  const totals = new Totals();
  for (const arg of args) {
    const result = areaOrResult(arg, formula);
    if (isArea(result)) {
      if (!formula.cells.addNumbers(result, totals)) return 'unknown';
      continue;
    }
    if (result === 'unknown' && formula.scope === 'array of one cell' && args.length === 1)
      return name === 'COUNT' ? result : sumOfProducts(args, formula, name);
    // Only some programs leave out an empty cell that a function such as IF gives. COUNT also leaves out errors.
    if (result === 'empty' || (name === 'COUNT' && !isNumber(result))) return 'unknown';
    const number = numberOf(result);
    if (!isNumber(number)) return number;
    totals.add(number.value, number.error);
  }
  return totals.of(name);
}

/** The result of MEDIAN, LARGE or SMALL. Cells without a number are left out. */
function ranked(args: readonly Expression[], formula: Evaluation, name: string): FormulaResult {
  if (name !== 'MEDIAN' && args.length !== 2) return 'unknown';
  const numbers: ComputedNumber[] = [];
  const add = (value: number, error: number) => numbers.push({ value, error });
  for (const arg of name === 'MEDIAN' ? args : args.slice(0, 1)) {
    const result = areaOrResult(arg, formula);
    if (isArea(result)) {
      if (!formula.cells.addNumbers(result, { add })) return 'unknown';
    } else if (isNumber(result)) numbers.push(result);
    else return 'unknown';
  }
  if (!formula.cells.spend(STEPS_TO_SORT * numbers.length)) return 'unknown';
  numbers.sort((a, b) => a.value - b.value);
  if (name === 'MEDIAN') return middleOf(numbers);
  const place = wholeNumber(args[1] === undefined ? 'unknown' : numberOf(formula.compute(args[1])));
  if (place === null || place < 1) return 'unknown';
  return numbers.at(name === 'LARGE' ? -place : place - 1) ?? 'unknown';
}

/** Sorting one number counts as this many steps. */
const STEPS_TO_SORT = 10;

function middleOf(sorted: readonly ComputedNumber[]): FormulaResult {
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  if (low === undefined || high === undefined) return 'unknown';
  return withRoundingError((low.value + high.value) / 2, Math.max(low.error, high.error));
}

/**
 * Whether a function can be computed for one cell of each range at a time: it is applied to that cell alone, or it reduces
 * the whole range to one number.
 */
const worksPerCell = (name: string, args: readonly Expression[]): boolean =>
  /^(?:ABS|INT|TRUNC|ROUND(?:UP|DOWN)?)$/.test(name) ||
  (FUNCTIONS[name] === aggregate && args.every((arg) => arg.kind === 'reference'));

/** Computing with one cell of a range counts as this many steps. */
const STEPS_PER_CELL = 30;

/**
 * The total of the products of cells at the same positions. In a range that is a factor by itself, a text counts as 0.
 */
function sumOfProducts(args: readonly Expression[], formula: Evaluation, total = 'SUM'): FormulaResult {
  const size = sizeOfRanges(args, formula);
  if (size === null) return 'unknown';
  const { ranges, height, width } = size;
  if (!formula.cells.spendOnSearch(STEPS_PER_CELL * ranges * height * width)) return 'unknown';
  const totals = new Totals();
  const element: RangePosition = { row: 0, column: 0, height, width };
  const { scope } = formula;
  formula.scope = element;
  try {
    for (; element.row < height; element.row++)
      for (element.column = 0; element.column < width; element.column++) {
        const product = productOf(args, formula);
        if (!isNumber(product)) return product;
        totals.add(product.value, product.error);
      }
  } finally {
    formula.scope = scope;
  }
  return totals.of(total);
}

function productOf(
  args: readonly Expression[],
  formula: Evaluation,
): ComputedNumber | FormulaError | 'unknown' {
  let product: ComputedNumber | FormulaError | 'unknown' = exactly(1);
  for (const arg of args) {
    const result = formula.compute(arg);
    const factor = arg.kind === 'reference' && isTextResult(result) ? exactly(0) : numberOf(result);
    if (!isNumber(factor)) return factor;
    product = calculate('*', product, factor);
    if (!isNumber(product)) return product;
  }
  return product;
}

/**
 * The size of the first range in the factors, and the number of ranges. Null when a factor is a single cell or a condition,
 * or contains whole columns. Programs count a condition that is a factor by itself as 0.
 */
function sizeOfRanges(args: readonly Expression[], { cells }: Evaluation) {
  const ranges: Reference[] = [];
  for (const factor of args) {
    if (factor.kind === 'binary' && /[<>=]/.test(factor.operator)) return null;
    if (factor.kind === 'reference' && factor.isOneCell) return null;
    forEachPart(factor, (part) => {
      if (part.kind === 'reference' && !part.isOneCell) ranges.push(part);
    });
  }
  const [first] = ranges;
  const area = first && cells.areaOf(first);
  if (!area || ranges.some(({ rows }) => rows === null)) return null;
  return { height: heightOf(area), width: widthOf(area), ranges: ranges.length };
}
