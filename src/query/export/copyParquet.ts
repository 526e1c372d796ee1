// Writes a selection as a Parquet file: DuckDB copies rows of the published file into a temporary one.

import { existsSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createLruCache } from '../../cache/lruCache.ts';
import {
  type DuckDBConnection,
  filePath,
  identifier,
  interruptOn,
  literal,
  openDuckDb,
  parquetRows,
  queryRows,
} from '../../duckdb.ts';
import { unavailable } from '../../errors.ts';
import { makeTemporaryFolder } from '../../system/temporaryFolder.ts';
import { conditionsIn, type SelectedRows } from '../selection/compile.ts';

/** A file that its reader must remove. */
export interface TemporaryFile {
  readonly file: string;
  remove(): Promise<void>;
}

export interface ParquetSelection {
  /** The published file. */
  readonly source: string;
  readonly selected: SelectedRows;
}

/**
 * Copies the selected rows in their order. The caller removes the file. After an error no file stays behind.
 *
 * @throws {ApiError} 503 when `stop` aborts, or when the snapshot was pruned in the meantime.
 * @throws {Error} the error of DuckDB when the disk is full. Clients see it as 503.
 */
export async function copyParquet(
  { source, selected }: ParquetSelection,
  stop: AbortSignal,
  folder: string = os.tmpdir(),
): Promise<TemporaryFile> {
  const temporary = await makeTemporaryFolder(folder, 'data-api-export-');
  const remove = () => rm(temporary, { recursive: true, force: true });
  const file = path.join(temporary, 'rows.parquet');
  try {
    const engine = await openDuckDb({ settings: ENGINE });
    const [connection] = engine.connections;
    const interruption = interruptOn(stop, connection);
    try {
      await connection.run(IN_ORDER);
      const metadata = await metadataOption(connection, source);
      if (stop.aborted) throw unavailable();
      await connection.run(
        `COPY (FROM ${parquetRows(source)} WHERE ${whereOf(selected)}) TO ${literal(file)} ` +
          `(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 30720${metadata})`,
      );
      if (stop.aborted) throw unavailable();
    } finally {
      interruption.end();
      engine.close();
    }
    return { file, remove };
  } catch (cause) {
    await remove();
    throw stop.aborted || !existsSync(source) ? unavailable() : cause;
  }
}

/** With a single thread, DuckDB reads one row group after the other and needs little memory. */
const ENGINE = { threads: '1', memory_limit: '256MB', temp_directory: '' };

/**
 * Makes DuckDB write rows in the order in which it reads them. DuckDB turns a list of several values into a join. When
 * a join finds few rows in a block, a caching operator would hold them back, and rows of later blocks would overtake
 * them.
 */
const IN_ORDER = 'SET enable_caching_operators = false';

/** The option that gives a copy the key-value metadata of its source, such as the units; empty without metadata. */
async function metadataOption(connection: DuckDBConnection, source: string): Promise<string> {
  const { ino, size, mtimeNs } = await stat(source, { bigint: true });
  const key = `${source} ${ino} ${size} ${mtimeNs}`;
  const cached = metadataOptions.get(key);
  if (cached !== undefined) return cached;
  const pairs = await queryRows(
    connection,
    `SELECT decode(key), decode(value) FROM parquet_kv_metadata(${filePath(source)}) ORDER BY ALL`,
  );
  const fields = pairs.map(([key, value]) => `${identifier(String(key))}: ${literal(String(value))}`);
  const option = fields.length === 0 ? '' : `, KV_METADATA {${fields.join(', ')}}`;
  metadataOptions.set(key, option, 2 * (key.length + option.length));
  return option;
}

/**
 * The options by published file. The key has its inode, size and time, because after a prune another snapshot may get
 * the same id. Reading the metadata of a file takes a tenth of the time of a small copy. An option takes about 4 KB, so
 * there is room for those of all open snapshots.
 */
const metadataOptions = createLruCache<string>(2 ** 17);

/** The SQL of the conditions. Its values come from the snapshot's dictionaries, never from the request. */
const whereOf = (selected: SelectedRows): string =>
  selected === 'nothing'
    ? 'false'
    : conditionsIn(selected)
        .map(({ dimension, column, codes }) => {
          const values = codes.map((code) => literal(column.values[code] ?? ''));
          return `${identifier(dimension)}::VARCHAR IN (${values.join(', ')})`;
        })
        .join(' AND ') || 'true';
