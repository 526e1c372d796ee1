// Finds the row of a series in a year.

import type { CheckedFigures } from './checkedFigures.ts';

/**
 * The most cells of a table of series and years. With more of them, the table would take more memory than its checks are
 * worth.
 */
const MOST_CELLS = 4_000_000;

const NO_ROW = -1;

/** The rows of each series by year. Of several rows of a series in a year, it has the first one. */
export class SeriesYears {
  /** The years in ascending order. */
  readonly #years: Int32Array;
  /** The row of each series in each year, one series after the other; `NO_ROW` for none. */
  readonly #rows: Int32Array;

  private constructor(years: Int32Array, rows: Int32Array) {
    this.#years = years;
    this.#rows = rows;
  }

  /** The table of all series; null when it would be too large. */
  static of({ rows, series }: Pick<CheckedFigures, 'rows' | 'series'>): SeriesYears | null {
    const yearOf = rows.dimension('year');
    const byYear = rows.numbered('year');
    const unsorted = new Int32Array(byYear.count);
    for (let row = 0; row < rows.count; row += 1)
      unsorted[byYear.numbers[row] as number] = yearOf[row] as number;
    const years = unsorted.toSorted();
    if (series.count * years.length > MOST_CELLS) return null;
    const indexes = unsorted.map((year) => years.indexOf(year));
    const table = new Int32Array(series.count * years.length).fill(NO_ROW);
    for (let row = 0; row < rows.count; row += 1) {
      const index = indexes[byYear.numbers[row] as number] as number;
      const cell = (series.numbers[row] as number) * years.length + index;
      if (table[cell] === NO_ROW) table[cell] = row;
    }
    return new SeriesYears(years, table);
  }

  get count(): number {
    return this.#years.length;
  }

  yearOf(index: number): number {
    return this.#years[index] as number;
  }

  /** The row of a series in the year at `index` of the years; -1 for none. */
  row(series: number, index: number): number {
    return this.#rows[series * this.#years.length + index] as number;
  }

  /**
   * The figure of a series `distance` years after the year at `index` of the years: 0 without a row of that later year, NaN
   * if its figure is empty. `values` has the figure of each row.
   */
  figure(values: Float64Array, series: number, index: number, distance = 0): number {
    // Years that the dataset lacks have no index. Where one lies between, `other` is the index of a later year.
    const other = index + distance;
    if (this.#years[other] !== this.yearOf(index) + distance) return 0;
    const row = this.row(series, other);
    return row === NO_ROW ? 0 : (values[row] as number);
  }
}
