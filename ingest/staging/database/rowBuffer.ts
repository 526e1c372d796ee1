// Collects the staged rows of one dataset column by column, and appends them to its staging table in whole chunks.

import type { DuckDBAppender, DuckDBType } from '@duckdb/node-api';
import { type DatasetName, datasetOf, metricNames } from '../../../src/catalog/datasets.ts';
import { type DuckDBConnection, DuckDBDataChunk, setNumbers } from '../../../src/duckdb.ts';
import { type ColumnsInMemory, RowsInMemory } from './rowsInMemory.ts';
import { EVERY_METRIC, stagingColumns, stagingTable } from './stagingTables.ts';

/** The number of rows that one call gives to DuckDB. Its own vectors have this size. */
export const CHUNK_ROWS = 2048;

/** A row to stage: its place in a source, its dimensions (texts as codes, the year as a number), and its values. */
export interface StagedRow {
  source: number;
  row: number;
  column: number;
  metric: number;
  /** The code or year of each dimension, in the dataset's order. */
  readonly dimensions: number[];
  /** The value of each metric, in the dataset's order. */
  readonly values: (number | null)[];
}

/** The buffer of one dataset. It also counts the rows of the staging table, and holds them in memory while they are few. */
export class RowBuffer {
  readonly #table: string;
  readonly #appender: DuckDBAppender;
  readonly #chunk: DuckDBDataChunk;
  readonly #rowsInMemory: RowsInMemory;
  readonly sources = new Int32Array(CHUNK_ROWS);
  readonly rowNumbers = new Int32Array(CHUNK_ROWS);
  /** The index of the column that the place of each row names. */
  readonly placeColumns = new Int32Array(CHUNK_ROWS);
  readonly metrics = new Int8Array(CHUNK_ROWS);
  readonly dimensions: readonly Int32Array[];
  readonly values: readonly Float64Array[];
  /** A number for each row, by metric: 1 where the row has no value. */
  readonly nulls: readonly Uint8Array[];
  /** The number of rows that were added so far. */
  addedRows = 0;
  /** The number of rows that are in the buffer, and not in the table yet. */
  #bufferedRows = 0;
  /** Whether the chunk still has NULLs from the rows that were appended last. */
  #chunkHasNulls = false;

  private constructor(appender: DuckDBAppender, types: readonly DuckDBType[], dataset: DatasetName) {
    this.#table = stagingTable(dataset);
    this.#appender = appender;
    this.#chunk = DuckDBDataChunk.create(types);
    this.dimensions = datasetOf(dataset).dimensions.map(() => new Int32Array(CHUNK_ROWS));
    this.values = metricNames(dataset).map(() => new Float64Array(CHUNK_ROWS));
    this.nulls = this.values.map(() => new Uint8Array(CHUNK_ROWS));
    this.#rowsInMemory = new RowsInMemory(this.dimensions.length, this.values.length);
  }

  /** Opens a buffer for the table of a dataset. The table must exist. */
  static async open(connection: DuckDBConnection, dataset: DatasetName): Promise<RowBuffer> {
    const appender = await connection.createAppender(stagingTable(dataset));
    const types = stagingColumns(dataset).map(([, type]) => type);
    return new RowBuffer(appender, types, dataset);
  }

  /** Adds a row. A buffer that becomes full by it is written to the table. */
  add({ source, row, column, metric, dimensions, values }: StagedRow): void {
    const index = this.#bufferedRows;
    this.sources[index] = source;
    this.rowNumbers[index] = row;
    this.placeColumns[index] = column;
    this.metrics[index] = metric;
    for (let i = 0; i < dimensions.length; i++)
      (this.dimensions[i] as Int32Array)[index] = dimensions[i] as number;
    for (let i = 0; i < values.length; i++) {
      const value = values[i] as number | null;
      // Adding 0 turns -0 into 0, so a zero has no sign.
      (this.values[i] as Float64Array)[index] = (value ?? 0) + 0;
      (this.nulls[i] as Uint8Array)[index] = value === null ? 1 : 0;
    }
    this.addReserved(1);
  }

  get freeRows(): number {
    return CHUNK_ROWS - this.#bufferedRows;
  }

  /**
   * Reserves `count` rows, and returns the index of the first one. The buffer must have room for them. The caller writes
   * the rows into `rowNumbers`, `dimensions`, `values` and `nulls`, and then calls `addReserved` to add them. Without this
   * call, the next rows overwrite them.
   */
  reserve(count: number, source: number, column: number): number {
    const [start, end] = [this.#bufferedRows, this.#bufferedRows + count];
    this.sources.fill(source, start, end);
    this.placeColumns.fill(column, start, end);
    this.metrics.fill(EVERY_METRIC, start, end);
    return start;
  }

  /** Adds the first `count` of the rows that the caller has written since `reserve`. */
  addReserved(count: number): void {
    this.#bufferedRows += count;
    this.addedRows += count;
    if (this.#bufferedRows === CHUNK_ROWS) this.#flush();
  }

  /** Appends the rows of a SELECT to the table, after the rows of the buffer; see `Staging.addSelected`. */
  async addSelected<Result>(
    connection: DuckDBConnection,
    select: string,
    accept: (rows: number) => Promise<Result | null>,
  ): Promise<Result | null> {
    this.#flush();
    this.#appender.flushSync();
    await connection.run('BEGIN');
    try {
      const { rowsChanged } = await connection.run(`INSERT INTO ${this.#table} ${select}`);
      const accepted = await accept(rowsChanged);
      await connection.run(accepted === null ? 'ROLLBACK' : 'COMMIT');
      if (accepted !== null) {
        this.addedRows += rowsChanged;
        if (rowsChanged > 0) this.#rowsInMemory.drop();
      }
      return accepted;
    } catch (error) {
      await connection.run('ROLLBACK');
      throw error;
    }
  }

  /** Appends the rows that are left in the buffer. No row can be added afterwards. */
  close(): void {
    this.#flush();
    this.#appender.closeSync();
  }

  /** The rows of the table, after `close`; null when they are too many, or when SQL added or removed some of them. */
  get columnsInMemory(): ColumnsInMemory | null {
    const columns = this.#rowsInMemory.columns;
    return columns?.count === this.addedRows ? columns : null;
  }

  /** Drops the rows in memory, because the caller removes rows of the table. */
  dropRowsInMemory(): void {
    this.#rowsInMemory.drop();
  }

  #flush(): void {
    const rows = this.#bufferedRows;
    if (rows === 0) return;
    this.#prepareChunk(rows);
    const numbers = [this.sources, this.rowNumbers, this.placeColumns, this.metrics, ...this.dimensions];
    for (const [i, column] of numbers.entries()) setNumbers(this.#chunk, i, column.subarray(0, rows));
    for (const [i, values] of this.values.entries())
      setNumbers(this.#chunk, numbers.length + i, values.subarray(0, rows), this.nulls[i]?.subarray(0, rows));
    this.#appender.appendDataChunk(this.#chunk);
    this.#rowsInMemory.add(this, rows);
    this.#bufferedRows = 0;
  }

  /**
   * Prepares the chunk for the next `rows` rows. A reset takes time, because it makes new views of all columns. It is not
   * needed when the chunk already has this number of rows, and neither its rows nor the next ones have NULLs. The next rows
   * then overwrite all values.
   */
  #prepareChunk(rows: number): void {
    const hasNulls = this.nulls.some((nulls) => nulls.subarray(0, rows).includes(1));
    if (hasNulls || this.#chunkHasNulls || this.#chunk.rowCount !== rows) {
      this.#chunk.reset();
      this.#chunk.rowCount = rows;
    }
    this.#chunkHasNulls = hasNulls;
  }
}
