// Groups the rows of a query by series, one row a year.

/** The rows of one series, in the order of years. */
export type YearRows = readonly (readonly unknown[])[];

/**
 * The series of rows that a query has put in order of series, year and place. The first `keys` columns name the series, and
 * the next one is the year. A year that is both Current and Forecast counts as what its first row is, because the other one
 * differs by right.
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
