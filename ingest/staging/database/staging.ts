// The staging database: a DuckDB database with the rows of all sources. It stores each text once, and its code in rows.

import path from 'node:path';
import { DATASET_NAMES, type DatasetName } from '../../../src/catalog/datasets.ts';
import {
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDb,
  INTEGER,
  literal,
  VARCHAR,
} from '../../../src/duckdb.ts';
import type { Origin } from '../../messages/place.ts';
import { CHUNK_ROWS, RowBuffer, type StagedRow } from './rowBuffer.ts';
import { openEngine, openEngineWithoutSpill, spillInto } from './stagingEngine.ts';
import { createTableSql, stagingTable } from './stagingTables.ts';

/**
 * The most texts that are sorted as an ENUM. An ENUM of few texts sorts faster than VARCHAR. With 500,000 texts it is ten
 * times slower.
 */
const MOST_ENUM_TEXTS = 4_000;

/**
 * The number of rows that DuckDB gives to one thread. A table with fewer rows gains nothing from a second thread. The
 * second thread would still keep a core busy, because a waiting thread polls for work.
 */
const ROW_GROUP = 122_880;

/**
 * The part of a staging database that checks need: a connection to its rows, their origins, and the texts of their codes.
 */
export type StagingView = Pick<Staging, 'connection' | 'origins' | 'code' | 'text'>;

/** The DuckDB catalog of a staging database in a file. */
const CATALOG = 'staging';

/** An open staging database. */
export class Staging {
  static readonly FILE = 'staging.duckdb';
  readonly connection: DuckDBConnection;
  /** Two connections for writing files while statements of `connection` run. */
  readonly writers: readonly [DuckDBConnection, DuckDBConnection];
  /** The same rows through another connection, for checks that run at the same time as those of `connection`. */
  readonly concurrentView: StagingView;
  /** The tables that rows came from. The `source` of a row is an index into this list. */
  readonly origins: Origin[] = [];
  readonly #database: DuckDb;
  readonly #codes = new Map<string, number>();
  readonly #texts: string[] = [];
  readonly #buffers: Record<DatasetName, RowBuffer>;
  /** The rows to delete: those with an id from `from` to `to`, without `to`. */
  readonly #discarded: { dataset: DatasetName; from: number; to: number }[] = [];
  #enumCount = 0;
  #usesOneThread = false;
  #isClosed = false;

  private constructor(database: DuckDb, buffers: Record<DatasetName, RowBuffer>) {
    const [connection, third = connection, ...writers] = database.connections;
    this.#database = database;
    this.connection = connection;
    this.writers = [writers[0] ?? connection, writers[1] ?? connection];
    this.concurrentView = {
      connection: third,
      origins: this.origins,
      code: (text) => this.code(text),
      text: (code) => this.text(code),
    };
    this.#buffers = buffers;
  }

  /** Opens an empty staging database in a file in `workDir`, with one table per dataset. */
  static async open(workDir: string): Promise<Staging> {
    const database = await openEngine(workDir);
    try {
      const [connection] = database.connections;
      const file = path.join(workDir, Staging.FILE);
      // Nobody reads the file after a crash. A log for recovery would be flushed to the disk with every append.
      await connection.run(`ATTACH ${literal(file)} AS ${CATALOG} (RECOVERY_MODE no_wal_writes)`);
      for (const each of database.connections) await each.run(`USE ${CATALOG}`);
    } catch (cause) {
      database.close();
      throw cause;
    }
    return await Staging.inEngine(database);
  }

  /**
   * Opens an empty staging database in memory, with one thread until `finish`. It spills into `workDir`, which need not
   * exist.
   */
  static async openInMemory(workDir: string, engine?: DuckDb): Promise<Staging> {
    const database = engine ?? (await openEngineWithoutSpill());
    await spillInto(database, workDir);
    return await Staging.inEngine(database);
  }

  /** Makes the tables in an engine whose connections all use one empty database. */
  static async inEngine(database: DuckDb): Promise<Staging> {
    const [connection] = database.connections;
    // A closed staging database is deleted, so writing a checkpoint when it closes would be wasted.
    await connection.run(
      ['PRAGMA disable_checkpoint_on_shutdown', ...DATASET_NAMES.map(createTableSql)].join(';\n'),
    );
    const buffers: Partial<Record<DatasetName, RowBuffer>> = {};
    for (const name of DATASET_NAMES) buffers[name] = await RowBuffer.open(connection, name);
    return new Staging(database, buffers as Record<DatasetName, RowBuffer>);
  }

  /** The code of a text. Equal texts have equal codes, in all datasets. */
  code(text: string): number {
    let code = this.#codes.get(text);
    if (code === undefined) {
      code = this.#texts.length;
      this.#codes.set(text, code);
      this.#texts.push(text);
    }
    return code;
  }

  /**
   * The text of a code that a query returned. This is cheaper than a join in the query. Throws when no text has the code.
   */
  text(code: unknown): string {
    const text = this.#texts[Number(code)];
    if (text === undefined) throw new Error(`no text has the code ${code}`);
    return text;
  }

  get textCount(): number {
    return this.#texts.length;
  }

  add(dataset: DatasetName, row: StagedRow): void {
    this.#buffers[dataset].add(row);
  }

  /** The buffer of a dataset. Callers add rows to it column by column, or read its rows in memory. */
  buffer(dataset: DatasetName): RowBuffer {
    return this.#buffers[dataset];
  }

  /**
   * Adds the rows of a SELECT. Its columns must be those of the staging table. `accept` receives the number of rows. When
   * it returns null, or when it or DuckDB throws, no row is added. Returns the result of `accept`.
   */
  async addSelected<Result>(
    dataset: DatasetName,
    select: string,
    accept: (rows: number) => Promise<Result | null>,
  ): Promise<Result | null> {
    return await this.#buffers[dataset].addSelected(this.connection, select, accept);
  }

  /** Creates an ENUM of these texts in the given order, and returns the name of the ENUM. */
  async createEnum(texts: readonly string[]): Promise<string> {
    this.#enumCount += 1;
    const name = `enum_${this.#enumCount}`;
    await this.connection.run(`CREATE TYPE ${name} AS ENUM (${texts.map(literal).join(', ')})`);
    return name;
  }

  /** The number of rows of a dataset that were added, including discarded ones. */
  addedRows(dataset: DatasetName): number {
    return this.#buffers[dataset].addedRows;
  }

  /** Discards the rows of a dataset that were added since `addedRows` returned `since`. */
  discardSince(dataset: DatasetName, since: number): void {
    const to = this.addedRows(dataset);
    if (to === since) return;
    this.#discarded.push({ dataset, from: since, to });
    this.#buffers[dataset].dropRowsInMemory();
  }

  /**
   * Completes the tables when all rows are added, and writes the table `texts` with the columns `code`, `text` and
   * `sortable`. A `sortable` sorts as its `text` does. If there are few texts, it is an ENUM. DuckDB stores an ENUM as an
   * integer, so it sorts faster.
   */
  async finish(): Promise<void> {
    await this.#flush();
    const most = Math.max(...DATASET_NAMES.map((name) => this.addedRows(name)));
    this.#usesOneThread = most <= ROW_GROUP;
    const threads = this.#usesOneThread ? 'SET threads = 1;' : 'RESET threads;';
    await this.connection.run(`${threads} CREATE TABLE spelled (code INTEGER, text VARCHAR)`);
    const appender = await this.connection.createAppender('spelled');
    const texts = this.#texts;
    for (let start = 0; start < texts.length; start += CHUNK_ROWS) {
      const some = texts.slice(start, start + CHUNK_ROWS);
      const chunk = DuckDBDataChunk.create([INTEGER, VARCHAR], some.length);
      chunk.setColumns([some.map((_, i) => start + i), some]);
      appender.appendDataChunk(chunk);
    }
    appender.closeSync();
    const type =
      texts.length <= MOST_ENUM_TEXTS ? 'ENUM (SELECT text FROM spelled ORDER BY text)' : 'VARCHAR';
    await this.connection.run(`CREATE TYPE sortable AS ${type}`);
    await this.connection.run(
      'CREATE TABLE texts AS SELECT code, text, text::sortable AS sortable FROM spelled',
    );
  }

  /** The engine. The caller may open more connections to it. */
  get engine(): Pick<DuckDb, 'instance'> {
    return this.#database;
  }

  /** Whether the engine uses one thread, because the month has few rows; false until `finish`. */
  get usesOneThread(): boolean {
    return this.#usesOneThread;
  }

  /**
   * Writes all rows to the file of this database. After it is closed, `addDatabase` adds them to another one. Returns the
   * text of each code.
   */
  async seal(): Promise<readonly string[]> {
    await this.#flush();
    await this.connection.run('CHECKPOINT');
    return this.#texts;
  }

  /** Writes the rows that are buffered, and removes those that were discarded. */
  async #flush(): Promise<void> {
    for (const buffer of Object.values(this.#buffers)) buffer.close();
    // Rows are only appended, so the id of a row is the number of rows that were added before it.
    for (const { dataset, from, to } of this.#discarded)
      await this.connection.run(
        `DELETE FROM ${stagingTable(dataset)} WHERE rowid >= ${from} AND rowid < ${to}`,
      );
  }

  /** Closes the database. A second call does nothing. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#database.close();
  }
}
