// Finds new reported figures of years that have not ended, and first reports that are forecasts.

import { KIND } from '../rows/matched.ts';
import { patternsByCountry } from './byCountry.ts';
import { EARLY, type LastYears } from './calledReported.ts';
import type { Search } from './shifts.ts';
import type { Pattern } from './types.ts';

/** Finds new reported figures of years that have not ended in the month that is published, and forecasts under another label. */
export function findEarly(search: Search, { own }: LastYears): Pattern[] {
  const { codes } = search.matched;
  const { shifts } = search;
  if (!codes.has('temporal') || search.rows.added === 0) return [];
  const isLater = codes.flags('year', (year) => Number(year) > own);
  const early = shifts.unexplained(
    KIND.added,
    (i) =>
      shifts.early[i] === EARLY.sure ||
      (shifts.forecast[i] === 0 && isLater[shifts.code('year', i)] === true),
  );
  const running = shifts.unexplained(KIND.added, (i) => shifts.early[i] === EARLY.perhaps);
  const confirmed = shifts.unexplained(KIND.added, (i) => shifts.early[i] === EARLY.repeated);
  return [
    ...patternsByCountry(search, 'early', early),
    ...patternsByCountry(search, 'running', running),
    ...patternsByCountry(search, 'confirmed', confirmed),
  ];
}
