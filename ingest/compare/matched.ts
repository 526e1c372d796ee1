// Matches the rows of two Parquet files by all their dimensions, and keeps apart those that differ.

import path from 'node:path';
import { type DatasetName, metricNames } from '../../src/catalog/datasets.ts';
import { parquetRows } from '../../src/duckdb.ts';
import type { Engine } from './engine.ts';
import { Keys } from './keys.ts';
import type { Side } from './side.ts';

/** What became of a row, as the table `changed` has it. */
export const KIND = { removed: -1, revised: 0, added: 1 } as const;

/**
 * Loads a dataset of both sides into the tables `rows_before` and `rows_after` (packed key, metrics), and the
 * rows that differ into `changed` (key, kind, every metric as `<metric>_before` and `<metric>_after`); runs `use`
 * over them.
 */
export async function withMatched<T>(
  engine: Engine,
  dataset: DatasetName,
  before: Side,
  after: Side,
  use: (keys: Keys) => Promise<T>,
): Promise<T> {
  const keys = new Keys(dataset, before.datasets[dataset], after.datasets[dataset]);
  const metrics = metricNames(dataset);
  const { create, drop } = keys.types;
  const load = (table: string, { directory, datasets }: Side) => {
    const file = path.join(directory, datasets[dataset].file);
    const columns = [keys.packed, ...metrics].join(', ');
    return `CREATE TABLE ${table} AS SELECT ${columns} FROM ${parquetRows(file)}`;
  };
  const key = keys.columns.join(', ');
  const first = keys.columns[0];
  const values = metrics.flatMap((m) => [`b.${m} AS ${m}_before`, `a.${m} AS ${m}_after`]);
  const differs = metrics.map((m) => `b.${m} IS DISTINCT FROM a.${m}`);
  // The same content twice: one side stands for both, and nothing can have changed.
  const same = before.datasets[dataset].fingerprint === after.datasets[dataset].fingerprint;
  const kind = `CASE WHEN b.${first} IS NULL THEN ${KIND.added} WHEN a.${first} IS NULL THEN ${KIND.removed} ELSE ${KIND.revised} END`;
  try {
    await engine.run(
      ...create,
      load('rows_before', before),
      same ? 'CREATE VIEW rows_after AS FROM rows_before' : load('rows_after', after),
      `CREATE TABLE changed AS SELECT ${[key, `(${kind})::TINYINT AS kind`, ...values].join(', ')}
       FROM rows_before b FULL JOIN rows_after a USING (${key})
       WHERE ${same ? 'false' : [`b.${first} IS NULL`, `a.${first} IS NULL`, ...differs].join(' OR ')}`,
    );
    return await use(keys);
  } finally {
    await engine.run(
      'DROP TABLE IF EXISTS changed',
      `DROP ${same ? 'VIEW' : 'TABLE'} IF EXISTS rows_after`,
      'DROP TABLE IF EXISTS rows_before',
      ...drop.map((statement) => statement.replace('DROP TYPE', 'DROP TYPE IF EXISTS')),
    );
  }
}
