// Small files that expand to gigabytes. Making them takes too long for every run of the tests.

import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from '@jest/globals';
import { openFile } from '../../ingest/sources/readers/openFile.ts';
import { allOf } from '../support/sourceFile.ts';

describe('a Parquet file of 20 KB', () => {
  it('is refused when its only text takes 600 MB, and no memory is taken for it', async () => {
    const directory = await mkdtemp(path.join(os.tmpdir(), 'hostile-'));
    try {
      const file = path.join(directory, 'a.parquet');
      const instance = await DuckDBInstance.create(':memory:');
      const connection = await instance.connect();
      const select = "SELECT repeat('x', 600000000) AS country";
      await connection.run(`COPY (${select}) TO '${file}' (FORMAT parquet, COMPRESSION zstd)`);
      connection.closeSync();
      instance.closeSync();
      const before = process.memoryUsage().rss;
      let peak = before;
      const watching = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage().rss);
      }, 5);
      const opened = await openFile(file, 'a.parquet');
      await expect(allOf(opened)).rejects.toMatchObject({
        name: 'UnreadableError',
        message:
          'a.parquet: takes more than 1 GB of memory to read; write it with smaller row groups and shorter texts',
      });
      await opened.close();
      clearInterval(watching);
      expect(peak - before).toBeLessThan(200 * 1024 * 1024);
    } finally {
      await rm(directory, { recursive: true });
    }
  }, 120_000);
});
