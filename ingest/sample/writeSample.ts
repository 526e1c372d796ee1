// Writes the files of a month into a folder. Replaces other files only on request.

import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { columnTypes, DATASETS } from '../../src/catalog/datasets.ts';
import { literal, openDuckDb } from '../../src/duckdb.ts';
import { SYNTHETIC } from './notes.ts';
import { sampleFiles } from './sampleFiles.ts';
import { sampleRows, type TurnoverRow } from './sampleRows.ts';
import type { Month } from './tables/calendar.ts';

export interface SampleMonth {
  readonly month: Month;
  readonly directory: string;
  readonly files: readonly {
    readonly file: string;
    readonly bytes: number;
    readonly status: 'written' | 'unchanged';
  }[];
  readonly rows: Readonly<Record<string, number>>;
}

/** Files of these names exist with other content. Nothing was written. */
export class OccupiedError extends Error {
  constructor(directory: string, files: readonly string[]) {
    super(
      `${directory} already holds other files of these names: ${files.join(', ')}; ` +
        'move them away or replace them with --force',
    );
    this.name = 'OccupiedError';
  }
}

/**
 * Writes a month into `<directory>/<month>/`. The same month gives the same files. Existing files with the same content
 * stay, and files of other names are not touched. Files with other content are replaced only if `replaces` is true.
 *
 * @throws {OccupiedError} when a file would have to be replaced. Nothing is written then.
 */
export async function writeSample(
  directory: string,
  month: Month,
  { replaces }: { readonly replaces: boolean },
): Promise<SampleMonth> {
  const target = path.join(directory, month);
  await mkdir(target, { recursive: true });
  // The folder is in the same file system, because `rename` moves its files. The ingest ignores a name that begins with a
  // dot.
  const fresh = await mkdtemp(path.join(target, '.writing-'));
  try {
    const rows = sampleRows(month);
    for (const [name, bytes] of sampleFiles(month, rows)) await writeFile(path.join(fresh, name), bytes);
    await writeTurnover(rows.turnover, path.join(fresh, 'turnover.parquet'));
    const files = await Promise.all(
      (await readdir(fresh)).sort().map((file) => compareFile(fresh, target, file)),
    );
    const others = files.filter(({ status }) => status === 'differs').map(({ file }) => file);
    if (others.length > 0 && !replaces) throw new OccupiedError(target, others);
    for (const { file, status } of files) {
      if (status !== 'unchanged') await rename(path.join(fresh, file), path.join(target, file));
    }
    return {
      month,
      directory: target,
      files: files.map(({ file, bytes, status }) => ({
        file,
        bytes,
        status: status === 'unchanged' ? 'unchanged' : 'written',
      })),
      rows: Object.fromEntries(Object.entries(rows).map(([dataset, { length }]) => [dataset, length])),
    };
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Compares a new file with the existing one of the same name. */
async function compareFile(fresh: string, target: string, file: string) {
  const made = await readFile(path.join(fresh, file));
  const written = await readFile(path.join(target, file)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  const compared = written?.equals(made) === true ? 'unchanged' : 'differs';
  const status = written === null ? 'missing' : compared;
  return { file, bytes: made.length, status };
}

/**
 * Writes the turnover of a month as a Parquet file, with the rows in the given order. The columns have the names of the
 * dataset: year is INTEGER, other dimensions are VARCHAR, and turnover is DOUBLE.
 */
async function writeTurnover(rows: readonly TurnoverRow[], file: string): Promise<void> {
  const database = await openDuckDb({ settings: { threads: '1' } });
  const [connection] = database.connections;
  try {
    const { dimensions } = DATASETS.turnover;
    const columns = Object.entries(columnTypes('turnover')).map((column) => column.join(' '));
    await connection.run(`CREATE TABLE turnover (${columns.join(', ')})`);
    const appender = await connection.createAppender('turnover');
    for (const row of rows) {
      for (const name of dimensions) {
        const value = row[name];
        if (typeof value === 'number') appender.appendInteger(value);
        else appender.appendVarchar(value);
      }
      appender.appendDouble(row.turnover);
      appender.endRow();
    }
    appender.closeSync();
    await connection.run(
      `COPY turnover TO ${literal(file)} (FORMAT parquet, COMPRESSION zstd, KV_METADATA {source: ${literal(SYNTHETIC)}})`,
    );
  } finally {
    database.close();
  }
}
