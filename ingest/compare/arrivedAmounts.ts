// Adds up the amounts of forecasts that became reported figures.

import { addTo } from '../../src/maps.ts';
import { isCountedOnce } from './countrySums.ts';
import type { Arrivals } from './rowChanges.ts';
import type { Matched } from './rows/matchedRows.ts';

/**
 * The sum of a metric over the rows that were forecasts before and are reported now, for each currency and year. The key is
 * the currency's code × the number of years + the year's code. A country and its states count once.
 */
export function arrivedAmounts(
  { codes, after, stateRows }: Matched,
  metricIndex: number,
  forecastOf: Arrivals['forecastOf'],
): ReadonlyMap<number, number> {
  const amounts = new Map<number, number>();
  const isCounted = isCountedOnce(after, stateRows.after);
  for (const row of forecastOf.keys()) {
    const value = after.value(metricIndex, row);
    if (Number.isNaN(value) || !isCounted(row)) continue;
    const fx = codes.has('fx') ? after.code('fx', row) : 0;
    addTo(amounts, fx * codes.size('year') + after.code('year', row), value);
  }
  return amounts;
}
