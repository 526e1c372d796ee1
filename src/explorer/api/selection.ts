// From a question to its selection and the counts beside every filter: one request, or more when the first guess was wrong.

import type { Facts } from '../model/facts.ts';
import type { Filters, Question } from '../model/question.ts';
import { isSameSelection, pairsOf, resolve, type Selection, typedPeriod } from '../model/resolve.ts';
import type { Ask, Failure } from './client.ts';
import type { DatasetFacts, Values } from './shapes.ts';

export interface Counted {
  readonly selection: Selection;
  readonly counts: Values;
}

/**
 * The id of the snapshot that a name means. A retained id costs no request; a month or a day is resolved by the API, so
 * that all requests of one answer name the same snapshot.
 */
export async function snapshotId(
  name: string,
  dataset: string,
  { snapshots }: Facts,
  { ask, signal }: Pick<Context, 'ask' | 'signal'>,
): Promise<{ readonly snapshot: string } | Failure> {
  if (snapshots.some(({ id }) => id === name)) return { snapshot: name };
  const reply = await ask<DatasetFacts>(`/v1/datasets/${dataset}`, [], { snapshot: name, signal });
  return reply.kind === 'ok' ? { snapshot: reply.snapshot } : reply;
}

export type Context = { readonly ask: Ask; readonly snapshot: string; readonly signal: AbortSignal };

/**
 * Resolves a question and counts its rows. Default filters that turn out not to fit are replaced, which takes another request.
 *
 * The defaults are not asked for with strict values, because a refusal of something that nobody chose would appear in the
 * browser's console. Chosen values without rows are asked for once more, strictly: the API refuses unknown ones and names
 * the value that was probably meant.
 */
export async function countedSelection(
  question: Question,
  dataset: DatasetFacts,
  { ask, snapshot, signal }: Context,
): Promise<Counted | Failure> {
  let selection = resolve(question, dataset, null);
  const count = (filters: Filters, isStrict: boolean) =>
    ask<Values>('/v1/values', [['dataset', dataset.name], ...pairsOf(filters, typedPeriod(question))], {
      snapshot,
      signal,
      isStrict,
    });
  // Each selection is made with the counts of the one before. The second is usually right, and the third is final.
  for (let guesses = 1; ; guesses++) {
    const reply = await count(selection.filters, false);
    if (reply.kind !== 'ok') return reply;
    if (guesses === 1 && !hasAll(reply.body, question.filters)) {
      const checked = await count(question.filters, true);
      if (checked.kind !== 'ok') return checked;
    }
    const better = resolve(question, dataset, reply.body);
    if (isSameSelection(selection, better) || guesses === 3) return { selection: better, counts: reply.body };
    selection = better;
  }
}

/** Whether rows have each of the chosen values. The values of a dimension are counted without its own filter. */
const hasAll = ({ values }: Values, chosen: Filters): boolean =>
  Object.entries(chosen).every(([dimension, wanted]) =>
    wanted.every((value) => values[dimension]?.some((one) => String(one.value) === value)),
  );

export const isFailure = <Value extends object>(value: Value | Failure): value is Failure =>
  'kind' in value && FAILURES.has((value as Failure).kind);

const FAILURES = new Set<string>([
  'refused',
  'unauthorised',
  'limited',
  'away',
  'cancelled',
] satisfies Failure['kind'][]);
