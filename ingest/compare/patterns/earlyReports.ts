// Finds reported figures that cannot be right yet: of years that have not ended, and forecasts that were relabelled.

import { CHANGE_KIND } from '../rows/matchedRows.ts';
import type { PatternSearch } from './cellChanges.ts';
import { CALLED_REPORTED, type LastReportableYears } from './forecastsCalledReported.ts';
import { patternsByCountry } from './patternsByCountry.ts';
import type { Pattern } from './patternTypes.ts';

/**
 * The patterns `early`, `running` and `confirmed`: new reported figures of years that have not ended by the published
 * month, and first reports that repeat the forecasts.
 */
export function findEarlyReports(search: PatternSearch, { monthYear }: LastReportableYears): Pattern[] {
  const { codes } = search.matched;
  const { changes } = search;
  if (search.rows.added === 0) return [];
  const isLater = codes.flags('year', (year) => Number(year) > monthYear);
  const early = changes.unexplained(
    CHANGE_KIND.added,
    (change) =>
      changes.calledReported[change] === CALLED_REPORTED.sure ||
      (changes.forecast[change] === 0 && isLater[changes.code('year', change)] === true),
  );
  const running = changes.unexplained(
    CHANGE_KIND.added,
    (change) => changes.calledReported[change] === CALLED_REPORTED.perhaps,
  );
  const confirmed = changes.unexplained(
    CHANGE_KIND.added,
    (change) => changes.calledReported[change] === CALLED_REPORTED.repeated,
  );
  return [
    ...patternsByCountry(search, { family: 'early' }, early),
    ...patternsByCountry(search, { family: 'running' }, running),
    ...patternsByCountry(search, { family: 'confirmed' }, confirmed),
  ];
}
