// Months for tests of guards: the rows of the sample in DuckDB, which tests change by SQL and compare in this process.

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { compareIn, type OnMatched } from '../../ingest/compare/compare.ts';
import { EarlierRows } from '../../ingest/compare/rows/earlierRows.ts';
import type { Side } from '../../ingest/compare/side.ts';
import { type GuardOutcome, runGuards } from '../../ingest/guards/runGuards.ts';
import {
  byDataset,
  DATASET_NAMES,
  type DatasetName,
  datasetOf,
  dimensionOf,
  metricNames,
} from '../../src/catalog/datasets.ts';
import type { DatasetManifest, Manifest } from '../../src/catalog/manifest.ts';
import { readConfig } from '../../src/config/config.ts';
import { literal } from '../../src/duckdb.ts';
import { comparing } from './testEngine.ts';

const { guards: LIMITS } = readConfig({});

type Tables = Readonly<Partial<Record<DatasetName, string>>>;

interface GuardedOptions {
  /** The month of the second snapshot. */
  readonly month?: string;
  /** Tables that replace those of the first month. */
  readonly earlier?: Tables;
  /** Is called with the matched rows of each dataset. */
  readonly onMatched?: OnMatched;
}

export interface GuardWorld {
  /** Runs SQL; tables `before_<dataset>` and `after_<dataset>` hold the two months of the sample. */
  run(...statements: readonly string[]): Promise<void>;
  rows(select: string): Promise<unknown[][]>;
  /**
   * Compares the first month with a month of these tables, and runs the guards. Datasets without a table stay unchanged.
   */
  guarded(tables: Tables, options?: GuardedOptions): Promise<GuardOutcome>;
  close(): Promise<void>;
}

/**
 * Loads both months of the sample, or a part of their rows.
 *
 * @param keep A SQL condition. Rows for which it is false are left out, and so are those of years before `since`.
 * @param begins The last year of the second month, which the first month lacks. When it is null, both months have all
 * years.
 */
export async function aGuardWorld(
  keep = 'true',
  since = 0,
  begins: number | null = null,
): Promise<GuardWorld> {
  const sample = process.env.SAMPLE_DATA_DIR;
  if (sample === undefined) throw new Error('SAMPLE_DATA_DIR is unset: run the tests through jest');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'guards-'));
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  const written: Record<'before' | 'after', Written> = { before: {}, after: {} };
  for (const [side, month] of [
    ['before', '2026-10'],
    ['after', begins === null ? '2026-11' : '2026-10'],
  ] as const) {
    await mkdir(path.join(folder, side));
    for (const name of DATASET_NAMES) {
      const last = begins === null ? '' : ` AND year ${side === 'before' ? '<' : '<='} ${begins}`;
      const years = datasetOf(name).dimensions.includes('year') ? `year >= ${since}${last}` : 'true';
      const file = literal(path.join(sample, 'snapshots', `${month}.1`, `${name}.parquet`));
      const table = `${side}_${name}`;
      await connection.run(`CREATE TABLE ${table} AS FROM ${file} WHERE ${keep} AND ${years}`);
      written[side][name] = await write(connection, name, table, path.join(folder, side));
    }
  }
  const months =
    begins === null
      ? { before: '2026-10', after: '2026-11' }
      : { before: `${begins}-12`, after: `${begins + 1}-03` };
  return new SampleWorld({ folder, instance, connection }, written.before, months);
}

/** The entries of datasets in a manifest, as far as a comparison reads them. */
type Written = Partial<Record<DatasetName, DatasetManifest>>;

interface WorldFiles {
  /** The folder that has a folder for each side and each case. */
  readonly folder: string;
  readonly instance: DuckDBInstance;
  readonly connection: DuckDBConnection;
}

class SampleWorld implements GuardWorld {
  readonly #files: WorldFiles;
  readonly #before: Written;
  readonly #months: Readonly<Record<'before' | 'after', string>>;
  /** The rows of the first month, read once, as a publish reads the earlier rows in advance. */
  #read: Promise<EarlierRows> | undefined;
  #cases = 0;

  constructor(files: WorldFiles, before: Written, months: Readonly<Record<'before' | 'after', string>>) {
    this.#files = files;
    this.#before = before;
    this.#months = months;
  }

  async run(...statements: readonly string[]): Promise<void> {
    for (const statement of statements) await this.#files.connection.run(statement);
  }

  async rows(select: string): Promise<unknown[][]> {
    return (await this.#files.connection.runAndReadAll(select)).getRowsJS();
  }

  async guarded(
    tables: Tables,
    { month = this.#months.after, earlier = {}, onMatched }: GuardedOptions = {},
  ): Promise<GuardOutcome> {
    const { folder, instance } = this.#files;
    this.#cases += 1;
    const directory = path.join(folder, `case-${this.#cases}`);
    const earlierDirectory = path.join(directory, 'earlier');
    await mkdir(earlierDirectory, { recursive: true });
    try {
      const before = path.join(folder, 'before');
      const first = sideOf(
        this.#months.before,
        before,
        await this.#written(earlier, earlierDirectory, before),
      );
      const second = sideOf(month, directory, await this.#written(tables, directory, directory));
      const comparison = await comparing(async (engine) => {
        this.#read ??= EarlierRows.read(engine, {
          ...sideOf(this.#months.before, before, this.#before),
          unknown: [],
        });
        return compareIn(engine, first, second, { limit: 20, onMatched, earlier: await this.#read });
      }, instance);
      return runGuards(
        comparison,
        byDataset(() => LIMITS),
        [],
      );
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }

  /**
   * Writes the tables to `directory`. Other datasets get the files of the first month.
   *
   * @param from The folder to which the names of files are relative.
   */
  async #written(tables: Tables, directory: string, from: string): Promise<Written> {
    const { folder, connection } = this.#files;
    const datasets: Written = {};
    for (const name of DATASET_NAMES) {
      const table = tables[name];
      const made = table === undefined ? this.#before[name] : await write(connection, name, table, directory);
      const at = table === undefined ? path.join(folder, 'before') : directory;
      if (made !== undefined)
        datasets[name] = { ...made, file: path.relative(from, path.join(at, made.file)) };
    }
    return datasets;
  }

  async close(): Promise<void> {
    const { folder, instance, connection } = this.#files;
    connection.closeSync();
    instance.closeSync();
    await rm(folder, { recursive: true, force: true });
  }
}

const sideOf = (month: string, directory: string, datasets: Written): Side => ({
  id: `${month}.1`,
  month,
  directory,
  datasets: datasets as Manifest['datasets'],
});

/** Writes a table as the Parquet file of a dataset; returns the part of its manifest that a comparison reads. */
async function write(
  connection: DuckDBConnection,
  name: DatasetName,
  table: string,
  directory: string,
): Promise<DatasetManifest> {
  const file = path.join(directory, `${name}.parquet`);
  const { dimensions } = datasetOf(name);
  await connection.run(`COPY ${table} TO ${literal(file)} (FORMAT parquet, COMPRESSION uncompressed)`);
  const metrics = metricNames(name);
  // One query counts all dimensions. A query for each would take longer than the comparison.
  const [[rows, hash, counts, ...nulls] = []] = (
    await connection.runAndReadAll(
      `SELECT count(*)::INTEGER, sum(hash(t))::VARCHAR, to_json({${dimensions.map((d) => `${d}: histogram(${d})`).join(', ')}})::VARCHAR,
         ${metrics.map((m) => `(count(*) - count(${m}))::INTEGER`).join(', ') || '0'} FROM ${table} t`,
    )
  ).getRowsJS();
  const byDimension: Record<string, Record<string, number> | null> = JSON.parse(String(counts));
  const values = (d: (typeof dimensions)[number]) =>
    Object.entries(byDimension[d] ?? {})
      .map(([value, n]) => ({ value, rows: n }))
      .sort((a, b) => (a.value < b.value ? -1 : 1));
  const texts = dimensions.filter((d) => dimensionOf(d).type === 'text');
  return {
    file: `${name}.parquet`,
    sources: [],
    rows: Number(rows),
    bytes: 0,
    // Only tells files apart.
    sha256: String(hash),
    columns: {},
    fingerprint: String(hash),
    years: dimensions.includes('year') ? values('year').map(({ value }) => Number(value)) : [],
    dimensions: Object.fromEntries(texts.map((d) => [d, values(d)])),
    metrics: Object.fromEntries(metrics.map((m, i) => [m, { sum: null, nulls: Number(nulls[i]) }])),
    carried: null,
  };
}
