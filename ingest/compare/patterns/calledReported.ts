// Finds forecasts that are called reported before their year ended, or that first reports repeat.

import { groupBy } from '../../../src/groupBy.ts';
import type { Arrivals } from '../rowChanges.ts';
import type { Matched } from '../rows/matched.ts';
import { isExact } from './equalValues.ts';

/** Fewer figures of a country that repeat their forecasts may do so by chance. */
const FEWEST_REPEATED = 3;

/** The share of a country's first reports of a year that must repeat their forecasts. */
const REPEATED_SHARE = 0.5;

/** In this many countries, early reports are no financial years that end early: forecasts have lost their label. */
const MANY_COUNTRIES = 10;

/** The share of a country's first reports in a currency that must repeat the forecasts of a year that has ended. */
const NEARLY_ALL = 0.9;

/** With fewer other countries whose first reports differ, repeated forecasts may be usual in a source. */
const FEWEST_OTHERS = 3;

/** Whether a forecast is called reported by mistake; `repeated` where its year has ended. */
export const EARLY = { no: 0, sure: 1, perhaps: 2, repeated: 3 } as const;

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
 * The rows on the later side that were forecasts and are called reported by mistake.
 *
 * Of later years, these are all such rows, and all are mistakes. Of the month's own year, these are rows of ggr and
 * turnover, because rates and indicators are published during their year. They are mistakes where many countries have
 * some, or where they repeat the forecasts: a financial year may have ended in a few countries, and its figures differ
 * from the forecasts.
 *
 * Of years that have ended, these are figures of ggr and turnover in countries whose first reports repeat the forecasts
 * to the last digit in some currency, where those of most other countries differ.
 */
export function calledReported(
  matched: Matched,
  { forecastOf }: Arrivals,
  { own, ended }: LastYears,
): ReadonlyMap<number, number> {
  const { codes, before, after } = matched;
  const found = new Map<number, number>();
  const [ofOwn, ofEnded]: [number[], number[]] = [[], []];
  for (const row of forecastOf.keys()) {
    const year = Number(codes.valueOf('year', after.code('year', row)));
    if (year > own) found.set(row, EARLY.sure);
    else if (codes.has('fx') && after.value(0, row) !== 0) (year > ended ? ofOwn : ofEnded).push(row);
  }
  const isSame = (row: number) => after.value(0, row) === before.value(0, forecastOf.get(row) ?? row);
  const byCountry = groupBy(ofOwn, (row) => after.code('country', row));
  for (const rows of byCountry.values()) {
    const same = rows.filter(isSame);
    const isRepeated = same.length >= FEWEST_REPEATED && same.length >= REPEATED_SHARE * rows.length;
    const early = isRepeated || byCountry.size >= MANY_COUNTRIES ? EARLY.sure : EARLY.perhaps;
    for (const row of rows) found.set(row, early);
  }
  const repeated: number[][] = [];
  let others = 0;
  for (const rows of groupBy(ofEnded, (row) => after.code('country', row)).values()) {
    // Forecasts in other currencies move with the rates, also where those in local currency were not touched.
    const same = [...groupBy(rows, (row) => after.code('fx', row)).values()].flatMap((ofCurrency) => {
      const equal = ofCurrency.filter((row) => isSame(row) && isExact(after.value(0, row)));
      return equal.length >= FEWEST_REPEATED && equal.length >= NEARLY_ALL * ofCurrency.length ? equal : [];
    });
    if (same.length > 0) repeated.push(same);
    else if (rows.length >= FEWEST_REPEATED) others += 1;
  }
  if (others >= FEWEST_OTHERS && others >= repeated.length)
    for (const row of repeated.flat()) found.set(row, EARLY.repeated);
  return found;
}
