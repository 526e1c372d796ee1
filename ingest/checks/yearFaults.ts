// Groups the rows of a query into series with one row for each year, and makes one fault of all wrong years of a series.

import { yearSpans } from '../messages/numbers.ts';

/** The rows of one series, in the order of years. */
type SeriesRows = readonly (readonly unknown[])[];

/**
 * Groups rows into series. `rows` must be sorted by series, year and place. Their first `keys` columns identify the series,
 * and the next column is the year. Of several rows of a year, it takes only the first one: a reported figure and a forecast
 * may rightly differ.
 */
export function seriesIn(rows: SeriesRows, keys: number): readonly SeriesRows[] {
  const all: (readonly unknown[])[][] = [];
  let before: readonly unknown[] = [];
  for (const row of rows) {
    let isSame = before.length > 0;
    for (let column = 0; column < keys; column++) isSame &&= row[column] === before[column];
    if (!isSame) all.push([row]);
    else if (row[keys] !== before[keys]) all.at(-1)?.push(row);
    before = row;
  }
  return all;
}

/** The first wrong year of a series, whose place the fault gets, and the last wrong year. */
export interface YearsFault<Year> {
  readonly at: Year;
  readonly lastYear: number;
}

/**
 * A list with one fault about all wrong years; an empty list when there are none. `describe` receives the first wrong year,
 * and gives the rest of the fault.
 */
export function faultIn<Year extends { readonly year: number }, Rest>(
  years: readonly Year[],
  describe: (first: Year) => Rest,
): readonly (YearsFault<Year> & Rest)[] {
  const [at] = years;
  if (at === undefined) return [];
  return [{ at, lastYear: years.at(-1)?.year ?? at.year, ...describe(at) }];
}

/** The country, and the state if there is one, as messages name them. */
export const nameOfPlace = ({
  country,
  state,
}: {
  readonly country: string;
  readonly state: string;
}): string => (state === '' ? country : `${state}, ${country},`);

/** The years in words: `2003–2007, 2010`. */
export const yearsText = (years: readonly { readonly year: number }[]): string =>
  yearSpans(years.map(({ year }) => year));
