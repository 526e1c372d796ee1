// Finds reported figures that cannot be right yet: those of years that have not ended, and forecasts that were only relabelled.

import { KIND } from '../rows/matchedRows.ts';
import { patternsByCountry } from './byCountry.ts';
import { EARLY, type LastYears } from './calledReported.ts';
import type { Search } from './changes.ts';
import type { Pattern } from './types.ts';

/**
 * The patterns `early`, `running` and `confirmed`: new reported figures of years that have not ended by the published month, and
 * first reports that repeat the forecasts.
 */
export function findEarlyReports(search: Search, { monthYear }: LastYears): Pattern[] {
  const { codes } = search.matched;
  const { changes } = search;
  if (search.rows.added === 0) return [];
  const isLater = codes.flags('year', (year) => Number(year) > monthYear);
  const early = changes.unexplained(
    KIND.added,
    (change) =>
      changes.early[change] === EARLY.sure ||
      (changes.forecast[change] === 0 && isLater[changes.code('year', change)] === true),
  );
  const running = changes.unexplained(KIND.added, (change) => changes.early[change] === EARLY.perhaps);
  const confirmed = changes.unexplained(KIND.added, (change) => changes.early[change] === EARLY.repeated);
  return [
    ...patternsByCountry(search, { family: 'early' }, early),
    ...patternsByCountry(search, { family: 'running' }, running),
    ...patternsByCountry(search, { family: 'confirmed' }, confirmed),
  ];
}
