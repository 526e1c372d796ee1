// Decides whether the condition of a formula, such as that of IF, is fulfilled.

import type { Evaluation } from './evaluation.ts';
import type { Expression } from './expression.ts';
import { compare, type FormulaResult, isFormulaError, isNumber, isTextResult, numberOf } from './results.ts';
import type { TextCodes } from './textCodes.ts';

/** Whether a condition is fulfilled; null when it is not known. */
export function isTrue(condition: Expression, formula: Evaluation): boolean | null {
  if (condition.kind === 'truth') return condition.isTrue;
  if (condition.kind === 'call') return isCallTrue(condition.name, condition.args, formula);
  if (condition.kind !== 'binary') return null;
  const { operator, left, right } = condition;
  const [one, other] = [formula.compute(left), formula.compute(right)];
  if (isTextResult(one) || isTextResult(other)) {
    const isEqual = areEqual(one, other, formula.cells.texts);
    if (isEqual === null || (operator !== '=' && operator !== '<>')) return null;
    return isEqual === (operator === '=');
  }
  const [a, b] = [numberOf(one), numberOf(other)];
  return isNumber(a) && isNumber(b) ? compare(operator, a, b) : null;
}

function isCallTrue(name: string, args: readonly Expression[], formula: Evaluation): boolean | null {
  const [first] = args;
  if (name === 'AND' || name === 'OR') {
    const all = args.map((arg) => isTrue(arg, formula));
    if (all.includes(null)) return null;
    return name === 'AND' ? !all.includes(false) : all.includes(true);
  }
  // Where ranges are computed cell by cell, as in SUMPRODUCT, the other functions are unknown.
  if (first === undefined || args.length !== 1 || typeof formula.scope === 'object') return null;
  if (name === 'NOT') {
    const isFirstTrue = isTrue(first, formula);
    return isFirstTrue === null ? null : !isFirstTrue;
  }
  const result = formula.compute(first);
  if (result === 'unknown') return null;
  if (name === 'ISERROR') return isFormulaError(result);
  if (name === 'ISNA') return result === '#N/A';
  return name === 'ISNUMBER' && !isTextResult(result) ? isNumber(result) : null;
}

/**
 * Whether two results, one of which is a text, are equal; null when that is unknown. An empty cell equals an empty text.
 */
function areEqual(one: FormulaResult, other: FormulaResult, texts: TextCodes): boolean | null {
  const [a, b] = [one, other].map((result) => {
    if (result === 'empty') return texts.codeOf('');
    return isTextResult(result) ? result.text : null;
  });
  if (a != null && b != null) return texts.areEqual(a, b);
  const [text, number] = isTextResult(one) ? [one.text, other] : [b, one];
  return text != null && isNumber(number) && !texts.mayBeNumber(text) ? false : null;
}
