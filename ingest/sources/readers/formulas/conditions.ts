// Decides whether the condition of a formula, such as that of IF, is fulfilled.

import type { Expression } from './expression.ts';
import { compare, isFault, isNumber, isTextResult, numberOf, type Result } from './results.ts';
import type { Texts } from './texts.ts';

/** Decides conditions with the values of cells. */
export class Conditions {
  readonly #compute: (expression: Expression) => Result;
  readonly #texts: Texts;
  readonly #isPerCell: () => boolean;

  /**
   * @param compute Computes an expression of the condition.
   * @param isPerCell Whether ranges are computed cell by cell, as in SUMPRODUCT. If so, the results of NOT and of functions
   * such as ISERROR are unknown.
   */
  constructor(compute: (expression: Expression) => Result, texts: Texts, isPerCell: () => boolean) {
    this.#compute = compute;
    this.#texts = texts;
    this.#isPerCell = isPerCell;
  }

  /** Whether a condition is fulfilled; null when it is not known. */
  readonly isTrue = (condition: Expression): boolean | null => {
    if (condition.kind === 'truth') return condition.isTrue;
    if (condition.kind === 'call') return this.#isCallTrue(condition.name, condition.args);
    if (condition.kind !== 'binary') return null;
    const { operator, left, right } = condition;
    const [one, other] = [this.#compute(left), this.#compute(right)];
    if (isTextResult(one) || isTextResult(other)) {
      const isEqual = this.#areEqual(one, other);
      if (isEqual === null || (operator !== '=' && operator !== '<>')) return null;
      return isEqual === (operator === '=');
    }
    const [a, b] = [numberOf(one), numberOf(other)];
    return isNumber(a) && isNumber(b) ? compare(operator, a, b) : null;
  };

  #isCallTrue(name: string, args: readonly Expression[]): boolean | null {
    const [first] = args;
    if (name === 'AND' || name === 'OR') {
      const all = args.map((arg) => this.isTrue(arg));
      if (all.includes(null)) return null;
      return name === 'AND' ? !all.includes(false) : all.includes(true);
    }
    if (first === undefined || args.length !== 1 || this.#isPerCell()) return null;
    if (name === 'NOT') {
      const isTrue = this.isTrue(first);
      return isTrue === null ? null : !isTrue;
    }
    const result = this.#compute(first);
    if (result === 'unknown') return null;
    if (name === 'ISERROR') return isFault(result);
    if (name === 'ISNA') return result === '#N/A';
    return name === 'ISNUMBER' && !isTextResult(result) ? isNumber(result) : null;
  }

  /** Whether two results, one of which is a text, are equal; null when that is unknown. An empty cell equals an empty text. */
  #areEqual(one: Result, other: Result): boolean | null {
    const texts = this.#texts;
    const [a, b] = [one, other].map((result) => {
      if (result === 'empty') return texts.valueOf('');
      return isTextResult(result) ? result.text : null;
    });
    if (a != null && b != null) return texts.areEqual(a, b);
    const [text, number] = isTextResult(one) ? [one.text, other] : [b, one];
    return text != null && isNumber(number) && !texts.mayBeNumber(text) ? false : null;
  }
}
