// Turns a question into a selection, and loads the row counts of its values.
// It needs one request if the first guess at the default filters is right.

import type { Filters, Question } from '../model/question.ts';
import {
  type CountedSelection,
  chosenPeriod,
  isSameSelection,
  queryPairsOf,
  selectionFor,
} from '../model/selection.ts';
import type { RequestContext } from './client.ts';
import type { Failure } from './failure.ts';
import type { DatasetFacts, Values } from './responseTypes.ts';

/**
 * Resolves a question and counts its rows. If a default filter does not fit the data, it is replaced, and the rows are
 * counted again.
 *
 * These requests are not strict, because the browser's console would show the refusal of a default that nobody chose.
 * If a chosen value has no rows, a strict request follows. The API then refuses unknown values, and suggests known
 * ones.
 */
export async function loadCountedSelection(
  question: Question,
  dataset: DatasetFacts,
  { ask, snapshot, signal }: RequestContext,
): Promise<CountedSelection | Failure> {
  let guess = selectionFor(question, dataset, null);
  const loadCounts = (filters: Filters, { isStrict = false } = {}) =>
    ask<Values>('/v1/values', [['dataset', dataset.name], ...queryPairsOf(filters, chosenPeriod(question))], {
      snapshot,
      signal,
      isStrict,
    });
  // Each guess is made from the counts of the guess before, until a guess equals the one before. After three requests,
  // the last guess is used in any case.
  for (let guesses = 1; ; guesses++) {
    const reply = await loadCounts(guess.filters);
    if (reply.kind !== 'ok') return reply;
    if (guesses === 1 && !hasRowsOfAll(reply.body, question.filters)) {
      const checked = await loadCounts(question.filters, { isStrict: true });
      if (checked.kind !== 'ok') return checked;
    }
    const nextGuess = selectionFor(question, dataset, reply.body);
    if (isSameSelection(guess, nextGuess) || guesses === 3)
      return { selection: nextGuess, counts: reply.body };
    guess = nextGuess;
  }
}

/** Whether each chosen value has rows. The values of a dimension are counted without the filter on this dimension. */
const hasRowsOfAll = ({ values }: Values, chosen: Filters): boolean =>
  Object.entries(chosen).every(([dimension, wanted]) =>
    wanted.every((value) => values[dimension]?.some((one) => String(one.value) === value)),
  );
