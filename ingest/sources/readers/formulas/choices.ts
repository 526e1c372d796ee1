// Finds the argument whose value CHOOSE, IFS or SWITCH gives as its result.

import type { Expression } from './expression.ts';
import { isNumber, isTextResult, numberOf, type Result, wholeNumber } from './results.ts';

/** The functions of the evaluator that CHOOSE, IFS and SWITCH need. */
export interface ChoiceEvaluator {
  readonly compute: (expression: Expression) => Result;
  /** Whether a condition is fulfilled; null when it is not known. */
  readonly isTrue: (condition: Expression) => boolean | null;
}

type Choice = Expression | '#N/A' | 'unknown';

const CHOICES: Readonly<Record<string, (args: readonly Expression[], evaluator: ChoiceEvaluator) => Choice>> =
  {
    CHOOSE([index, ...choices], { compute }) {
      const at = index === undefined ? null : wholeNumber(numberOf(compute(index)));
      return at === null ? 'unknown' : (choices[at - 1] ?? 'unknown');
    },
    IFS(args, { isTrue }) {
      if (args.length % 2 === 1) return 'unknown';
      return firstTrue(args, isTrue) ?? '#N/A';
    },
    SWITCH([subject, ...cases], { compute, isTrue }) {
      const result = subject === undefined ? 'unknown' : compute(subject);
      // Programs differ in whether an empty cell is 0 or an empty text here.
      if (subject === undefined || !(isNumber(result) || isTextResult(result))) return 'unknown';
      const isSubject = (right: Expression) =>
        isTrue({ kind: 'binary', operator: '=', left: subject, right });
      const otherwise = cases.length % 2 === 1 ? cases.at(-1) : undefined;
      return firstTrue(cases, isSubject) ?? otherwise ?? '#N/A';
    },
  };

/**
 * The value of the first pair (condition, value) whose condition is fulfilled. Undefined when no condition is fulfilled,
 * and `unknown` when a condition before the first fulfilled one is unknown.
 */
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

/** The argument whose value is the result of a call; undefined for any function but CHOOSE, IFS and SWITCH. */
export const choiceOf = (
  name: string,
  args: readonly Expression[],
  evaluator: ChoiceEvaluator,
): Choice | undefined => CHOICES[name]?.(args, evaluator);
