// Finds all patterns of a dataset: groups of cells that changed in the same way. A cell is in one pattern at most.

import type { DimensionChange, RenamedValue } from '../comparisonTypes.ts';
import type { CountrySums } from '../countrySums.ts';
import { findFactors } from '../factors/manyCountries.ts';
import type { Arrivals } from '../rowChanges.ts';
import type { MatchedRows } from '../rows/matchedRows.ts';
import type { Merger } from '../sharedMergers.ts';
import { findChanges } from './cellChanges.ts';
import { findCopies } from './copiedFigures.ts';
import { findCountedTwice } from './countedTwice.ts';
import { findCountedUp } from './countedUp.ts';
import { findEarlyReports } from './earlyReports.ts';
import { findExchangedDigits } from './exchangedDigits.ts';
import type { LastReportableYears } from './forecastsCalledReported.ts';
import { findRepeats } from './indicatorRepeats.ts';
import { findMergedRows } from './mergedRows.ts';
import { findMisfiledRows } from './misfiledRows.ts';
import type { Pattern } from './patternTypes.ts';
import { findRenamedRows } from './renamedRows.ts';
import { findRepeatedYears } from './repeatedYears.ts';
import { findRoundedValues } from './roundedValues.ts';
import { findSumsAndParts } from './sumsAndParts.ts';
import { findValuePatterns, findVanishedRows } from './valuePatterns.ts';

/** The results of the earlier steps of the comparison. */
export interface PriorFindings {
  readonly arrivals: Arrivals;
  readonly dimensions: readonly DimensionChange[];
  readonly renamedValues: readonly RenamedValue[];
  readonly mergers: readonly Merger[];
  readonly lastYears: LastReportableYears;
}

/**
 * The patterns of a dataset. The most specific families are searched for first. Each step leaves out the cells of the steps
 * before it:
 *
 * 1. products that were merged, and rows that were renamed inside a country;
 * 2. forecasts that are called reported, rows that count twice, totals among their parts, parts beside their total;
 * 3. values that were rounded, count up by one, or are copies; indicators that repeat others; percentages with exchanged
 *    digits; new rows under another category or channel than all others;
 * 4. values that became zero or empty, changed their sign, or moved; then values that moved by one factor;
 * 5. a few values that repeat the year before or after;
 * 6. rows that vanished.
 *
 * @param sums The sums by country on the earlier side.
 */
export function findPatterns(
  matched: MatchedRows,
  sums: CountrySums,
  prior: PriorFindings,
): readonly Pattern[] {
  const { arrivals, dimensions, renamedValues, mergers, lastYears } = prior;
  if (matched.metrics.length === 0) return [];
  const search = { matched, sums, changes: findChanges(matched, sums, arrivals, lastYears) };
  return [
    ...findMergedRows(search, mergers),
    ...findRenamedRows(search, renamedValues),
    ...findEarlyReports(search, lastYears),
    ...findCountedTwice(search),
    ...findSumsAndParts(search),
    ...findRoundedValues(search),
    ...findCountedUp(search),
    ...findCopies(search),
    ...findRepeats(search),
    ...findExchangedDigits(search),
    ...findMisfiledRows(search),
    ...findValuePatterns(search),
    ...findFactors(search),
    ...findRepeatedYears(search),
    ...findVanishedRows(search, dimensions),
  ];
}
