// The number of threads that the staging database uses for the rows of a month. It writes no log.

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { Staging } from '../../../../ingest/staging/database/staging.ts';
import { stagingColumns } from '../../../../ingest/staging/database/stagingTables.ts';

/**
 * The number of threads for statements about a month with this many rows. The database begins with two. Also expects that
 * the database is the only file in its folder.
 */
async function threadsFor(rows: number): Promise<number> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'threads-'));
  const staging = await Staging.open(folder);
  try {
    await staging.connection.run('SET threads = 2');
    const row = stagingColumns('country').map(() => '1');
    await staging.addSelected(
      'country',
      `SELECT ${row.join(', ')} FROM range(${rows})`,
      async (added) => added,
    );
    await staging.finish();
    expect(await readdir(folder)).toEqual([Staging.FILE]);
    const found = await staging.writers[0].runAndReadAll("SELECT current_setting('threads')::INTEGER");
    return Number(found.getRowsJS()[0]?.[0]);
  } finally {
    staging.close();
    await rm(folder, { recursive: true, force: true });
  }
}

it('rows that DuckDB does not divide between threads are read by one, and more by several', async () => {
  expect(await threadsFor(122_880)).toBe(1);
  expect(await threadsFor(122_881)).toBe(2);
});
