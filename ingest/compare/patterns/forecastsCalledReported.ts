// Finds rows that are still forecasts but are called reported: their year has not ended, or they repeat the forecasts.

import { groupBy } from '../../../src/basics/lists.ts';
import { hasManyDigits } from '../../figures/digits.ts';
import type { Arrivals } from '../rowChanges.ts';
import type { MatchedRows } from '../rows/matchedRows.ts';

/** The number of a country's figures that must repeat their forecasts. Fewer may do so by chance. */
const FEWEST_REPEATED = 3;

/** The share of a country's first reports of a year that must repeat their forecasts. */
const REPEATED_SHARE = 0.5;

/**
 * The number of countries from which on early reports are a mistake in the label. In fewer countries, they may be right: a
 * financial year may have ended before the calendar year.
 */
const COUNTRIES_OF_WRONG_LABEL = 10;

/** The share of a country's first reports in a currency that must repeat the forecasts of a year that has ended. */
const REPEATED_SHARE_OF_ENDED = 0.9;

/**
 * The number of other countries whose first reports must differ from their forecasts. With fewer, repeating may be usual.
 */
const FEWEST_OTHERS = 3;

/**
 * Whether a forecast is called reported by mistake. `sure` and `perhaps`: its year has not ended. `repeated`: its year has
 * ended, and it repeats the forecast.
 */
export const CALLED_REPORTED = { no: 0, sure: 1, perhaps: 2, repeated: 3 } as const;

/** The last years that may be reported on the later side, by its month. */
export interface LastReportableYears {
  /** The year of the month. */
  readonly monthYear: number;
  /** The last year that has ended. A December may have figures of its whole year, so its year counts as ended. */
  readonly ended: number;
}

/** The last years that may be reported in a snapshot of this month. */
export function lastReportableYears(month: string): LastReportableYears {
  const monthYear = Number(month.slice(0, 4));
  return { monthYear, ended: month.endsWith('-12') ? monthYear : monthYear - 1 };
}

/**
 * The rows of the later side that were forecasts and are called reported by mistake, each with its value of
 * `CALLED_REPORTED`:
 *
 * - In years after the month's own year, all of them: `sure`.
 * - In the month's own year, rows of ggr and turnover. Rates and indicators may be published during their year. The rows
 *   are `sure` where many countries have some, or where they repeat the forecasts. Otherwise they are `perhaps`: in a few
 *   countries a financial year may have ended, and its figures differ from the forecasts.
 * - In years that have ended, rows of ggr and turnover: `repeated`. Nearly all first reports of a country in a currency
 *   repeat the forecasts to the last digit, while the first reports of most other countries differ from theirs.
 */
export function forecastsCalledReported(
  matched: MatchedRows,
  { forecastOf }: Arrivals,
  { monthYear, ended }: LastReportableYears,
): ReadonlyMap<number, number> {
  const { codes, before, after } = matched;
  const found = new Map<number, number>();
  const [ofMonthYear, ofEnded]: [number[], number[]] = [[], []];
  for (const row of forecastOf.keys()) {
    const year = codes.yearOf(after, row);
    if (year > monthYear) found.set(row, CALLED_REPORTED.sure);
    else if (codes.has('fx') && after.value(0, row) !== 0) (year > ended ? ofMonthYear : ofEnded).push(row);
  }
  const isSame = (row: number) => after.value(0, row) === before.value(0, forecastOf.get(row) ?? row);
  const byCountry = groupBy(ofMonthYear, (row) => after.code('country', row));
  for (const rows of byCountry.values()) {
    const same = rows.filter(isSame);
    const isRepeated = same.length >= FEWEST_REPEATED && same.length >= REPEATED_SHARE * rows.length;
    const early =
      isRepeated || byCountry.size >= COUNTRIES_OF_WRONG_LABEL
        ? CALLED_REPORTED.sure
        : CALLED_REPORTED.perhaps;
    for (const row of rows) found.set(row, early);
  }
  const repeated: number[][] = [];
  let others = 0;
  for (const rows of groupBy(ofEnded, (row) => after.code('country', row)).values()) {
    // Forecasts in foreign currencies change with the exchange rates, so one currency that repeats them is enough.
    const same = [...groupBy(rows, (row) => after.code('fx', row)).values()].flatMap((ofCurrency) => {
      const equal = ofCurrency.filter((row) => isSame(row) && hasManyDigits(after.value(0, row)));
      return equal.length >= FEWEST_REPEATED && equal.length >= REPEATED_SHARE_OF_ENDED * ofCurrency.length
        ? equal
        : [];
    });
    if (same.length > 0) repeated.push(same);
    else if (rows.length >= FEWEST_REPEATED) others += 1;
  }
  if (others >= FEWEST_OTHERS && others >= repeated.length)
    for (const row of repeated.flat()) found.set(row, CALLED_REPORTED.repeated);
  return found;
}
