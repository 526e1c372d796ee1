// Finds reported figures that cannot be right yet: of years that have not ended, and forecasts that were relabelled.

import { CHANGE_KIND } from '../rows/matchedRows.ts';
import type { Change, PatternSearch } from './cellChanges.ts';
import { CALLED_REPORTED, type LastReportableYears } from './forecastsCalledReported.ts';
import { patternsByCountry } from './patternsByCountry.ts';
import type { Pattern } from './patternTypes.ts';

/**
 * The patterns `early`, `running` and `confirmed`: new reported figures of years that have not ended by the published
 * month, and first reports that repeat the forecasts.
 */
export function findEarlyReports(search: PatternSearch, { monthYear }: LastReportableYears): Pattern[] {
  const { matched, changes } = search;
  const isLater = matched.codes.flags('year', (year) => Number(year) > monthYear);
  const isCalled = (value: number) => (change: Change) => changes.calledReported[change] === value;
  const isEarly = (change: Change) =>
    changes.calledReported[change] === CALLED_REPORTED.sure ||
    (changes.forecast[change] === 0 && isLater[changes.code('year', change)] === true);
  const families = [
    ['early', isEarly],
    ['running', isCalled(CALLED_REPORTED.perhaps)],
    ['confirmed', isCalled(CALLED_REPORTED.repeated)],
  ] as const;
  return families.flatMap(([family, isOf]) =>
    patternsByCountry(search, { family }, changes.unexplained(CHANGE_KIND.added, isOf)),
  );
}
