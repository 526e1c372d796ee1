// The rows of all sources in an on-disk DuckDB, their text as integer codes: memory does not grow with the files.

import path from 'node:path';
import {
  DOUBLE,
  type DuckDBAppender,
  type DuckDBConnection,
  DuckDBDataChunk,
  DuckDBInstance,
  type DuckDBType,
  INTEGER,
  TINYINT,
  VARCHAR,
} from '@duckdb/node-api';
import {
  DATASET_NAMES,
  type DatasetName,
  type DimensionName,
  datasetOf,
  dimensionOf,
  metricNames,
} from '../../src/catalog/datasets.ts';
import type { Origin } from '../messages/place.ts';

/** Rows that go to DuckDB in one call; its vectors hold as many. */
const CHUNK_ROWS = 2048;

/** An ENUM of 20,000 values costs more than sorting texts does, one of 500,000 ten times as much. */
const MOST_WORDS = 4_000;

/** Long rows hold every metric; rows of a wide sheet hold the one of this index. */
export const EVERY_METRIC = -1;

/** One fact on its way in: where it stands, its dimensions as codes (year as itself), its values. */
export interface StagedRow {
  source: number;
  row: number;
  column: number;
  metric: number;
  /** In the dataset's order of dimensions. */
  readonly dimensions: number[];
  /** In the dataset's order of metrics. */
  readonly values: (number | null)[];
}

export class Staging {
  readonly connection: DuckDBConnection;
  /** Where rows came from; a row's `source` is an index into it. */
  readonly origins: Origin[] = [];
  readonly #instance: DuckDBInstance;
  readonly #codes = new Map<string, number>();
  readonly #sinks: Record<DatasetName, Sink>;
  #isClosed = false;

  private constructor(
    instance: DuckDBInstance,
    connection: DuckDBConnection,
    sinks: Record<DatasetName, Sink>,
  ) {
    this.#instance = instance;
    this.connection = connection;
    this.#sinks = sinks;
  }

  /** Opens an empty staging database in `workDir`, with one table per dataset. */
  static async open(workDir: string): Promise<Staging> {
    const instance = await DuckDBInstance.create(path.join(workDir, 'staging.duckdb'), {
      memory_limit: '384MB',
      temp_directory: path.join(workDir, 'spill'),
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    });
    const connection = await instance.connect();
    const sinks: Partial<Record<DatasetName, Sink>> = {};
    for (const name of DATASET_NAMES) sinks[name] = await Sink.open(connection, name);
    return new Staging(instance, connection, sinks as Record<DatasetName, Sink>);
  }

  /** The code of a text: equal texts, equal codes, across all datasets. */
  code(text: string): number {
    let code = this.#codes.get(text);
    if (code === undefined) {
      code = this.#codes.size;
      this.#codes.set(text, code);
    }
    return code;
  }

  add(dataset: DatasetName, row: StagedRow): void {
    this.#sinks[dataset].add(row);
  }

  /** Writes what is still held back, and the texts behind the codes: as text, and as `word`, an integer that sorts as its text. */
  async finish(): Promise<void> {
    for (const sink of Object.values(this.#sinks)) sink.close();
    await this.connection.run('CREATE TABLE spelled (code INTEGER, text VARCHAR)');
    const appender = await this.connection.createAppender('spelled');
    const texts = [...this.#codes.keys()];
    for (let start = 0; start < texts.length; start += CHUNK_ROWS) {
      const some = texts.slice(start, start + CHUNK_ROWS);
      const chunk = DuckDBDataChunk.create([INTEGER, VARCHAR], some.length);
      chunk.setColumns([some.map((_, i) => start + i), some]);
      appender.appendDataChunk(chunk);
    }
    appender.closeSync();
    const type = texts.length <= MOST_WORDS ? 'ENUM (SELECT text FROM spelled ORDER BY text)' : 'VARCHAR';
    await this.connection.run(`CREATE TYPE word AS ${type}`);
    await this.connection.run('CREATE TABLE texts AS SELECT code, text, text::word AS word FROM spelled');
  }

  /** May be called again. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.connection.closeSync();
    this.#instance.closeSync();
  }
}

/** The columns of a staging table: where a row stands, then its dimensions and metrics. */
export const stagingTable = (dataset: DatasetName) => `${dataset}_rows`;

/** The column that holds a dimension: text as its code, year as itself. */
export const stagingColumn = (dimension: DimensionName) =>
  dimensionOf(dimension).type === 'text' ? `${dimension}_code` : dimension;

/** Collects the rows of one dataset column by column and hands them over in whole chunks. */
class Sink {
  readonly #appender: DuckDBAppender;
  readonly #chunk: DuckDBDataChunk;
  readonly #columns: (number | null)[][];
  #held = 0;

  private constructor(appender: DuckDBAppender, types: readonly DuckDBType[]) {
    this.#appender = appender;
    this.#chunk = DuckDBDataChunk.create(types, CHUNK_ROWS);
    this.#columns = types.map(() => new Array<number | null>(CHUNK_ROWS).fill(null));
  }

  static async open(connection: DuckDBConnection, dataset: DatasetName): Promise<Sink> {
    const columns: [string, DuckDBType][] = [
      ['_source', INTEGER],
      ['_row', INTEGER],
      ['_column', INTEGER],
      ['_metric', TINYINT],
      ...datasetOf(dataset).dimensions.map((d): [string, DuckDBType] => [stagingColumn(d), INTEGER]),
      ...metricNames(dataset).map((metric): [string, DuckDBType] => [metric, DOUBLE]),
    ];
    const table = stagingTable(dataset);
    await connection.run(
      `CREATE TABLE ${table} (${columns.map(([name, type]) => `${name} ${type}`).join(', ')})`,
    );
    return new Sink(
      await connection.createAppender(table),
      columns.map(([, type]) => type),
    );
  }

  add({ source, row, column, metric, dimensions, values }: StagedRow): void {
    let at = 0;
    const put = (value: number | null | undefined) => {
      const cells = this.#columns[at++];
      if (cells !== undefined) cells[this.#held] = value ?? null;
    };
    put(source);
    put(row);
    put(column);
    put(metric);
    for (const code of dimensions) put(code);
    for (const value of values) put(value);
    this.#held += 1;
    if (this.#held === CHUNK_ROWS) this.#flush();
  }

  close(): void {
    this.#flush();
    this.#appender.closeSync();
  }

  #flush(): void {
    if (this.#held === 0) return;
    this.#chunk.reset();
    this.#chunk.setColumns(
      this.#held === CHUNK_ROWS ? this.#columns : this.#columns.map((cells) => cells.slice(0, this.#held)),
    );
    this.#appender.appendDataChunk(this.#chunk);
    this.#held = 0;
  }
}
