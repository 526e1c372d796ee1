// Answers a question of the page by itself where the chosen period has only one answer.

import type { Filters } from '../model/question.ts';
import type { FieldErrors } from './client.ts';
import type { CountedSelection } from './loadCountedSelection.ts';

/**
 * The selection with the only value of each of these dimensions as a filter; null if one of them has several or none.
 * Sums are requested for all years, so the API may refuse them although the chosen years have one value.
 */
export function withOnlyValues(counted: CountedSelection, fields: FieldErrors): CountedSelection | null {
  const { selection, counts } = counted;
  const only: Record<string, readonly string[]> = {};
  for (const dimension of Object.keys(fields)) {
    const chosen = selection.filters[dimension];
    const existing = (counts.values[dimension] ?? []).map(({ value }) => String(value));
    const values = existing.filter((value) => chosen?.includes(value) ?? true);
    if (values.length !== 1) return null;
    only[dimension] = values;
  }
  const filters: Filters = { ...selection.filters, ...only };
  return { ...counted, selection: { ...selection, filters } };
}
