// Finds forecasts that are called reported before their year ended.

import { groupBy } from '../../../src/groupBy.ts';
import type { Arrivals } from '../rowChanges.ts';
import type { Matched } from '../rows/matched.ts';

/** Fewer figures of a country that repeat their forecasts may do so by chance. */
const FEWEST = 3;

/** The share of a country's first reports of a year that must repeat their forecasts. */
const MOST = 0.5;

/** Financial years do not end early in so many countries: there the label of forecasts was lost. */
const MANY_COUNTRIES = 10;

/** Whether a forecast is called reported by mistake. */
export const EARLY = { no: 0, sure: 1, perhaps: 2 } as const;

/** The last years that the month of the later side may have reported figures of. */
export interface LastYears {
  /** The month's own year. */
  readonly own: number;
  /** The last one that has ended. A month of December may hold all of its year. */
  readonly ended: number;
}

export function lastYearsOf(month: string): LastYears {
  const own = Number(month.slice(0, 4));
  return { own, ended: month.endsWith('-12') ? own : own - 1 };
}

/**
 * The rows on the later side that were forecasts and are called reported before their year ended.
 *
 * Of later years, these are all such rows, and all are mistakes. Of the month's own year, these are rows of ggr and
 * turnover, because rates and indicators are published during their year. They are mistakes where many countries have
 * some, or where they repeat the forecasts: a financial year may have ended in a few countries, and its figures differ
 * from the forecasts.
 */
export function calledReported(
  matched: Matched,
  { forecastOf }: Arrivals,
  { own, ended }: LastYears,
): ReadonlyMap<number, number> {
  const { codes, before, after } = matched;
  const found = new Map<number, number>();
  const ofOwn: number[] = [];
  for (const row of forecastOf.keys()) {
    const year = Number(codes.valueOf('year', after.code('year', row)));
    if (year > own) found.set(row, EARLY.sure);
    else if (year > ended && codes.has('fx') && after.value(0, row) !== 0) ofOwn.push(row);
  }
  const byCountry = groupBy(ofOwn, (row) => after.code('country', row));
  for (const rows of byCountry.values()) {
    const same = rows.filter((row) => after.value(0, row) === before.value(0, forecastOf.get(row) ?? row));
    const isSame = same.length >= FEWEST && same.length >= MOST * rows.length;
    const early = isSame || byCountry.size >= MANY_COUNTRIES ? EARLY.sure : EARLY.perhaps;
    for (const row of rows) found.set(row, early);
  }
  return found;
}
