// Groups the rows of a query by series, one row a year, and reports the years of a series that are wrong.

/** The rows of one series, in the order of years. */
export type YearRows = readonly (readonly unknown[])[];

/**
 * Groups rows into series. A query has sorted them by series, year and place. The first `keys` columns name the series,
 * and the next one is the year.
 *
 * A year that is both Current and Forecast counts as its first row, because the two may rightly differ.
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

/** What is wrong in some years of a series. */
export interface YearsFault<Year> {
  /** The first year that is wrong. */
  readonly at: Year;
  /** The last one. */
  readonly lastYear: number;
}

/**
 * The fault of the wrong years; none when all are right.
 *
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
