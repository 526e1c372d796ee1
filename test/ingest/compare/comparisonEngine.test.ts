// The engine for comparing shares the engine of a small month's staging database.

import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { ComparisonEngine } from '../../../ingest/compare/comparisonEngine.ts';
import { numbersOf, openDuckDb, parquetRows } from '../../../src/duckdb.ts';

it('an engine within another has types of its own, and answers after the other one is closed', async () => {
  const database = await openDuckDb({ settings: { threads: '1' } });
  await database.connections[0].run("CREATE TYPE word AS ENUM ('a')");
  const engine = await ComparisonEngine.within(database);
  try {
    await engine.run("CREATE TYPE word AS ENUM ('b')");
    database.close();
    expect(await engine.rows("SELECT 'b'::word::VARCHAR")).toEqual([['b']]);
    for await (const chunk of engine.chunks("SELECT 'b'::word::VARCHAR", 1, 1))
      expect(chunk.rowCount).toBe(1);
  } finally {
    engine.close();
  }
});

it.each([
  ['held as a whole', 1_000_000],
  ['read bit by bit', 5_000_000],
])(
  'two threads give the chunks of a file in the order of its rows, and few stay in memory, %s',
  async (_, rowCount) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'engine-'));
    const engine = await ComparisonEngine.open(path.join(folder, 'spill'), 2);
    try {
      // The file has several row groups, so that each thread reads some of them.
      const [file, rows] = [path.join(folder, 'rows.parquet'), 1_000_000];
      await engine.run(
        `COPY (SELECT i::INTEGER AS i FROM range(${rows}) r(i)) TO '${file}' (FORMAT parquet)`,
      );
      let [next, most] = [0, 0];
      const before = process.memoryUsage().arrayBuffers;
      // A row takes 20 bytes, so all rows take 20 MB.
      const select = `SELECT i, i::DOUBLE, -i::DOUBLE FROM ${parquetRows(file)}`;
      for await (const chunk of engine.chunks(select, 1, rowCount)) {
        numbersOf(chunk, 1);
        numbersOf(chunk, 2);
        for (const i of numbersOf(chunk, 0)) {
          if (i !== next) throw new Error(`row ${i} came where ${next} was expected`);
          next += 1;
        }
        most = Math.max(most, process.memoryUsage().arrayBuffers - before);
      }
      expect(next).toBe(rows);
      // Garbage of 2 MB is collected at a time. Another thread frees it, and on a busy machine only at the next collection.
      // Without collections, it comes to 7 MB and more.
      expect(most).toBeLessThan(6_000_000);
    } finally {
      engine.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
);
