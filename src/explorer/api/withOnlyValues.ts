// Answers a question of the page by itself where the chosen period has only one answer.

import type { Filters } from '../model/question.ts';
import { type CountedSelection, valuesWithRows } from '../model/selection.ts';
import type { FieldErrors } from './failure.ts';

/**
 * The selection with the only value of each of these dimensions as a filter; null if one of them has several or none.
 * Sums are requested for all years, so the API may refuse them although the chosen years have one value.
 */
export function withOnlyValues(
  countedSelection: CountedSelection,
  fields: FieldErrors,
): CountedSelection | null {
  const { selection, counts } = countedSelection;
  const only: Record<string, readonly string[]> = {};
  for (const dimension of Object.keys(fields)) {
    const values = valuesWithRows(dimension, selection.filters, counts);
    if (values.length !== 1) return null;
    only[dimension] = values;
  }
  const filters: Filters = { ...selection.filters, ...only };
  return { ...countedSelection, selection: { ...selection, filters } };
}
