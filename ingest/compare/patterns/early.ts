// Finds new reported figures of years that have not ended.

import { KIND } from '../matched.ts';
import { patternsByCountry } from './byCountry.ts';
import type { Search } from './shifts.ts';
import type { Pattern } from './types.ts';

/** Finds new reported figures of years that have not ended in the month that is published. */
export function findEarly(search: Search, lastYear: number): Pattern[] {
  const { codes } = search.matched;
  const { shifts } = search;
  if (!codes.has('temporal') || search.rows.added === 0) return [];
  const isLater = codes.flags('year', (year) => Number(year) > lastYear);
  const early = shifts.unexplained(
    KIND.added,
    (i) => shifts.forecast[i] === 0 && isLater[shifts.code('year', i)] === true,
  );
  return patternsByCountry(search, 'early', early);
}
