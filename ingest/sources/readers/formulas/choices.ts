// Finds the argument that CHOOSE, IFS and SWITCH give.

import type { Expression } from './expression.ts';
import { isNumber, isTextResult, numberOf, type Result } from './results.ts';

/** What such a function asks of the formula around it. */
export interface Asked {
  readonly of: (expression: Expression) => Result;
  /** Whether a condition is fulfilled; null when it is not known. */
  readonly isTrue: (condition: Expression) => boolean | null;
}

type Choice = Expression | '#N/A' | 'unknown';

const CHOICES: Readonly<Record<string, (given: readonly Expression[], asked: Asked) => Choice>> = {
  CHOOSE([index, ...choices], { of }) {
    const at = index === undefined ? 'unknown' : numberOf(of(index));
    return isNumber(at) && Number.isInteger(at.value) ? (choices[at.value - 1] ?? 'unknown') : 'unknown';
  },
  IFS(given, { isTrue }) {
    if (given.length % 2 === 1) return 'unknown';
    return firstTrue(given, isTrue) ?? '#N/A';
  },
  SWITCH([subject, ...cases], { of, isTrue }) {
    const result = subject === undefined ? 'unknown' : of(subject);
    // Whether an empty cell is 0 or an empty text here depends on the program.
    if (subject === undefined || !(isNumber(result) || isTextResult(result))) return 'unknown';
    const isSubject = (right: Expression) => isTrue({ kind: 'binary', operator: '=', left: subject, right });
    const otherwise = cases.length % 2 === 1 ? cases.at(-1) : undefined;
    return firstTrue(cases, isSubject) ?? otherwise ?? '#N/A';
  },
};

/** Of pairs of a condition and a value: the value of the first condition that is fulfilled; undefined when none is. */
function firstTrue(
  pairs: readonly Expression[],
  isTrue: (condition: Expression) => boolean | null,
): Expression | 'unknown' | undefined {
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const holds = isTrue(pairs[at] as Expression);
    if (holds === null) return 'unknown';
    if (holds) return pairs[at + 1];
  }
  return undefined;
}

/** The argument that a function gives; undefined for a function that gives none of its arguments. */
export const choiceOf = (name: string, given: readonly Expression[], asked: Asked): Choice | undefined =>
  CHOICES[name]?.(given, asked);
