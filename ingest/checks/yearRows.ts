// Groups the rows of a query into series with one row a year, and makes faults from the wrong years of a series.

/** The rows of one series, in the order of years. */
export type YearRows = readonly (readonly unknown[])[];

/**
 * Groups rows into series. Of several rows of a year, such as a reported one and a forecast, only the first is taken, because they
 * may rightly differ.
 *
 * @param rows Sorted by series, year and place.
 * @param keys How many columns identify the series. The next column is the year.
 */
export function seriesIn(rows: YearRows, keys: number): readonly YearRows[] {
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

/** Where a fault is: the years of a series that are wrong. */
export interface YearsFault<Year> {
  readonly at: Year;
  readonly lastYear: number;
}

/**
 * One fault about all wrong years, in a list; an empty list when there are none.
 *
 * @param years The wrong years.
 * @param describe Receives the first wrong year.
 */
export function faultIn<Year extends { readonly year: number }, What>(
  years: readonly Year[],
  describe: (first: Year) => What,
): readonly (YearsFault<Year> & What)[] {
  const [at] = years;
  if (at === undefined) return [];
  return [{ at, lastYear: years.at(-1)?.year ?? at.year, ...describe(at) }];
}
