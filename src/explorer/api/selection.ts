// From a question to its selection and the counts beside every filter: one request, two when the first guess was wrong.

import type { Question } from '../model/question.ts';
import { isSameSelection, pairsOf, resolve, type Selection } from '../model/resolve.ts';
import type { Ask, Failure } from './client.ts';
import type { DatasetFacts, Values } from './shapes.ts';

export interface Counted {
  readonly selection: Selection;
  readonly counts: Values;
}

export type Context = { readonly ask: Ask; readonly snapshot: string; readonly signal: AbortSignal };

/** Unknown filter values are refused, so that the page can say which value was meant. */
export async function countedSelection(
  question: Question,
  dataset: DatasetFacts,
  { ask, snapshot, signal }: Context,
): Promise<Counted | Failure> {
  let selection = resolve(question, dataset, null);
  // The second guess rests on the counts of the first; the third would be the second again.
  for (let guesses = 1; ; guesses++) {
    const typed = question.from === null && question.to === null ? null : selection.period;
    const pairs = [['dataset', dataset.name] as const, ...pairsOf(selection.filters, typed)];
    const reply = await ask<Values>('/v1/values', pairs, { snapshot, signal, isStrict: true });
    if (reply.kind !== 'ok') return reply;
    const better = resolve(question, dataset, reply.body);
    if (isSameSelection(selection, better) || guesses === 3) return { selection: better, counts: reply.body };
    selection = better;
  }
}

export const isFailure = <Value extends object>(value: Value | Failure): value is Failure =>
  'kind' in value && FAILURES.has((value as Failure).kind);

const FAILURES = new Set<string>([
  'refused',
  'unauthorised',
  'limited',
  'away',
  'cancelled',
] satisfies Failure['kind'][]);
