// Holds the rows of a small dataset in memory while they are staged, so that the checks need not read them back.

/** The most rows of a dataset that are held in memory. Checks query the database for larger datasets. */
export const MOST_HELD_ROWS = 50_000;

/** The first size of the columns, small because many datasets have few rows. Columns that are full grow to `MOST_HELD_ROWS`. */
const FIRST_ROWS = 2048;

/** Rows as columns. The first `count` elements of each column are filled. */
export interface HeldColumns {
  readonly count: number;
  readonly sources: Int32Array;
  readonly rows: Int32Array;
  /** The index of the column that the place of each row names. */
  readonly placeColumns: Int32Array;
  /** The index of the metric that each row holds, or `EVERY_METRIC`. */
  readonly metrics: Int8Array;
  /** The code or year of each row, by dimension. The dimensions are in the dataset's order. */
  readonly dimensions: readonly Int32Array[];
  /** The value of each row, by metric; NaN where a row has none. The metrics are in the dataset's order. */
  readonly values: readonly Float64Array[];
}

interface BufferColumns {
  readonly sources: Int32Array;
  readonly rowNumbers: Int32Array;
  readonly placeColumns: Int32Array;
  readonly metrics: Int8Array;
  readonly dimensions: readonly Int32Array[];
  readonly values: readonly Float64Array[];
  /** A number for each row, by metric: 1 where the row has no value. */
  readonly nulls: readonly Uint8Array[];
}

/** Collects the rows of one dataset. */
export class HeldRows {
  /** Null when there are too many rows, or when some of them are only in the database. */
  #columns: HeldColumns | null;

  constructor(dimensions: number, metrics: number) {
    this.#columns = {
      count: 0,
      sources: new Int32Array(FIRST_ROWS),
      rows: new Int32Array(FIRST_ROWS),
      placeColumns: new Int32Array(FIRST_ROWS),
      metrics: new Int8Array(FIRST_ROWS),
      dimensions: Array.from({ length: dimensions }, () => new Int32Array(FIRST_ROWS)),
      values: Array.from({ length: metrics }, () => new Float64Array(FIRST_ROWS)),
    };
  }

  add(from: BufferColumns, count: number): void {
    if (this.#columns === null) return;
    const start = this.#columns.count;
    if (start + count > MOST_HELD_ROWS) {
      this.drop();
      return;
    }
    const held = start + count <= this.#columns.rows.length ? this.#columns : largest(this.#columns);
    put(held.sources, from.sources, start, count);
    put(held.rows, from.rowNumbers, start, count);
    put(held.placeColumns, from.placeColumns, start, count);
    put(held.metrics, from.metrics, start, count);
    for (const [i, codes] of held.dimensions.entries()) put(codes, from.dimensions[i], start, count);
    for (const [i, values] of held.values.entries()) {
      put(values, from.values[i], start, count);
      const nulls = from.nulls[i] as Uint8Array;
      for (let row = nulls.indexOf(1); row >= 0 && row < count; row = nulls.indexOf(1, row + 1))
        values[start + row] = Number.NaN;
    }
    this.#columns = { ...held, count: start + count };
  }

  /** Drops the rows, because the table will have other rows than these. */
  drop(): void {
    this.#columns = null;
  }

  /** All rows that were added; null after a drop, or when they were too many. */
  get columns(): HeldColumns | null {
    return this.#columns;
  }
}

function put<Column extends Int8Array | Int32Array | Float64Array>(
  into: Column,
  from: Column | undefined,
  start: number,
  count: number,
): void {
  if (from === undefined) throw new Error('a buffer lacks a column of its dataset');
  into.set(from.subarray(0, count), start);
}

/** The same rows in columns for `MOST_HELD_ROWS` rows. */
function largest(held: HeldColumns): HeldColumns {
  const grown = <Column extends Int8Array | Int32Array | Float64Array>(column: Column, larger: Column) => {
    larger.set(column);
    return larger;
  };
  return {
    count: held.count,
    sources: grown(held.sources, new Int32Array(MOST_HELD_ROWS)),
    rows: grown(held.rows, new Int32Array(MOST_HELD_ROWS)),
    placeColumns: grown(held.placeColumns, new Int32Array(MOST_HELD_ROWS)),
    metrics: grown(held.metrics, new Int8Array(MOST_HELD_ROWS)),
    dimensions: held.dimensions.map((codes) => grown(codes, new Int32Array(MOST_HELD_ROWS))),
    values: held.values.map((numbers) => grown(numbers, new Float64Array(MOST_HELD_ROWS))),
  };
}
