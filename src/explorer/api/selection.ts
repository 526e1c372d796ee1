// From a question to its selection and the counts beside every filter: one request, or more when the first guess was wrong.

import type { Facts } from '../model/facts.ts';
import type { Filters, Question } from '../model/question.ts';
import { isSameSelection, pairsOf, resolve, type Selection, typedPeriod } from '../model/resolve.ts';
import type { Ask, Failure, Fields } from './client.ts';
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

/** Asks with strict values: the API refuses unknown ones and names the value that was probably meant. */
export async function countedSelection(
  question: Question,
  dataset: DatasetFacts,
  { ask, snapshot, signal }: Context,
): Promise<Counted | Failure> {
  let selection = resolve(question, dataset, null);
  // Each guess uses the counts of the one before. The second is usually right; after the third the loop ends in any case.
  for (let guesses = 1; ; guesses++) {
    const count = (filters: Filters) =>
      ask<Values>('/v1/values', [['dataset', dataset.name], ...pairsOf(filters, typedPeriod(question))], {
        snapshot,
        signal,
        isStrict: true,
      });
    let reply = await count(selection.filters);
    const guessed = reply.kind === 'refused' ? guessesIn(selection, reply.fields) : [];
    // The data may have no USD, or none of the countries that are usually drawn: nobody asked for them.
    if (guessed.length > 0) reply = await count(without(selection.filters, guessed));
    if (reply.kind !== 'ok') return reply;
    const better = resolve(question, dataset, reply.body);
    if (isSameSelection(selection, better) || guesses === 3) return { selection: better, counts: reply.body };
    selection = better;
  }
}

/** The refused dimensions whose values are defaults. */
const guessesIn = ({ assumed }: Selection, refused: Fields): string[] =>
  assumed.map(({ dimension }) => dimension).filter((dimension) => refused[dimension] !== undefined);

const without = (filters: Filters, dimensions: readonly string[]): Filters =>
  Object.fromEntries(Object.entries(filters).filter(([dimension]) => !dimensions.includes(dimension)));

export const isFailure = <Value extends object>(value: Value | Failure): value is Failure =>
  'kind' in value && FAILURES.has((value as Failure).kind);

const FAILURES = new Set<string>([
  'refused',
  'unauthorised',
  'limited',
  'away',
  'cancelled',
] satisfies Failure['kind'][]);
