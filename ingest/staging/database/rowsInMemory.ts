// Holds the rows of a small dataset in memory while they are staged, so that the checks need not read them back.

/** The most rows of a dataset that are held in memory. Checks query the database for larger datasets. */
export const MOST_ROWS_IN_MEMORY = 50_000;

/**
 * The first size of the columns, small because many datasets have few rows. Columns that are full grow to
 * `MOST_ROWS_IN_MEMORY`.
 */
const FIRST_ROWS = 2048;

/** Rows as columns. The first `count` elements of each column are filled. */
export interface ColumnsInMemory {
  readonly count: number;
  readonly sources: Int32Array;
  readonly rowNumbers: Int32Array;
  /** The index of the column that the place of each row names. */
  readonly placeColumns: Int32Array;
  /** The index of the metric that each row holds, or `EVERY_METRIC`. */
  readonly metrics: Int8Array;
  /** The code or year of each row, by dimension. The dimensions are in the dataset's order. */
  readonly dimensions: readonly Int32Array[];
  /** The value of each row, by metric; NaN where a row has none. The metrics are in the dataset's order. */
  readonly values: readonly Float64Array[];
}

interface BufferColumns extends Omit<ColumnsInMemory, 'count'> {
  /** A number for each row, by metric: 1 where the row has no value. */
  readonly nulls: readonly Uint8Array[];
}

/** Collects the rows of one dataset. */
export class RowsInMemory {
  /** Null when there are too many rows, or when some of them are only in the database. */
  #columns: ColumnsInMemory | null;

  constructor(dimensions: number, metrics: number) {
    this.#columns = {
      count: 0,
      sources: new Int32Array(FIRST_ROWS),
      rowNumbers: new Int32Array(FIRST_ROWS),
      placeColumns: new Int32Array(FIRST_ROWS),
      metrics: new Int8Array(FIRST_ROWS),
      dimensions: Array.from({ length: dimensions }, () => new Int32Array(FIRST_ROWS)),
      values: Array.from({ length: metrics }, () => new Float64Array(FIRST_ROWS)),
    };
  }

  add(from: BufferColumns, count: number): void {
    if (this.#columns === null) return;
    const start = this.#columns.count;
    if (start + count > MOST_ROWS_IN_MEMORY) {
      this.drop();
      return;
    }
    const columns =
      start + count <= this.#columns.rowNumbers.length ? this.#columns : withFullCapacity(this.#columns);
    copyColumn(columns.sources, from.sources, start, count);
    copyColumn(columns.rowNumbers, from.rowNumbers, start, count);
    copyColumn(columns.placeColumns, from.placeColumns, start, count);
    copyColumn(columns.metrics, from.metrics, start, count);
    for (const [i, codes] of columns.dimensions.entries())
      copyColumn(codes, from.dimensions[i], start, count);
    for (const [i, values] of columns.values.entries()) {
      copyColumn(values, from.values[i], start, count);
      const nulls = from.nulls[i] as Uint8Array;
      for (let row = nulls.indexOf(1); row >= 0 && row < count; row = nulls.indexOf(1, row + 1))
        values[start + row] = Number.NaN;
    }
    this.#columns = { ...columns, count: start + count };
  }

  /** Drops the rows, because the table will have other rows than these. */
  drop(): void {
    this.#columns = null;
  }

  /** All rows that were added; null after a drop, or when they were too many. */
  get columns(): ColumnsInMemory | null {
    return this.#columns;
  }
}

function copyColumn<Column extends Int8Array | Int32Array | Float64Array>(
  into: Column,
  from: Column | undefined,
  start: number,
  count: number,
): void {
  if (from === undefined) throw new Error('a buffer lacks a column of its dataset');
  into.set(from.subarray(0, count), start);
}

/** The same rows in columns for `MOST_ROWS_IN_MEMORY` rows. */
function withFullCapacity(full: ColumnsInMemory): ColumnsInMemory {
  const grown = <Column extends Int8Array | Int32Array | Float64Array>(column: Column, larger: Column) => {
    larger.set(column);
    return larger;
  };
  return {
    count: full.count,
    sources: grown(full.sources, new Int32Array(MOST_ROWS_IN_MEMORY)),
    rowNumbers: grown(full.rowNumbers, new Int32Array(MOST_ROWS_IN_MEMORY)),
    placeColumns: grown(full.placeColumns, new Int32Array(MOST_ROWS_IN_MEMORY)),
    metrics: grown(full.metrics, new Int8Array(MOST_ROWS_IN_MEMORY)),
    dimensions: full.dimensions.map((codes) => grown(codes, new Int32Array(MOST_ROWS_IN_MEMORY))),
    values: full.values.map((numbers) => grown(numbers, new Float64Array(MOST_ROWS_IN_MEMORY))),
  };
}
