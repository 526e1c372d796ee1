// Filtered copies of Parquet files: their rows and metadata, and failures that leave nothing behind.

import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { DimensionName } from '../../../src/catalog/datasets.ts';
import { copyParquet } from '../../../src/query/export/copyParquet.ts';
import type { Condition } from '../../../src/query/selection/compile.ts';
import { query } from '../../support/testEngine.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'copied-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('a copy ends with 503 when its client leaves meanwhile, and leaves no file behind', async () => {
  const source = path.join(folder, 'source.parquet');
  await query(`COPY (SELECT 'x' AS text FROM range(5000000)) TO '${source}' (FORMAT parquet)`);
  const copies = path.join(folder, 'copies');
  await mkdir(copies);
  // On a busy machine a copy may end before the client leaves. Then another copy is begun.
  for (let tries = 0; ; tries += 1) {
    const client = new AbortController();
    const copy = copyParquet({ source, selected: 'everything' }, client.signal, copies);
    let isComplete = false;
    copy.then(
      () => (isComplete = true),
      () => {},
    );
    const begun = async () => (await readdir(copies, { recursive: true })).length > 1;
    while (!(await begun())) await new Promise(setImmediate);
    client.abort();
    if (!isComplete) {
      await expect(copy).rejects.toMatchObject({ status: 503 });
      break;
    }
    await (await copy).remove();
    expect(tries).toBeLessThan(20);
  }
  expect(await readdir(copies)).toEqual([]);
});

test.each<[string, DimensionName[]]>([
  ['one dimension', ['country']],
  ['two dimensions', ['country', 'product']],
])(
  'a copy keeps the published order, whatever share of the rows many values of %s select',
  async (_, dimensions) => {
    const source = path.join(folder, 'ordered.parquet');
    const values = Array.from({ length: 40 }, (_, code) => `value ${code}`);
    // The numbers of rows alternate: the selected values have few, then many, then few again.
    await query(
      `COPY (SELECT row::INTEGER AS year, value AS country, value AS product
       FROM (SELECT row, CASE WHEN (row // 3000) % 2 = 1 OR row % 200 = 0 THEN 'value ' || row % 40 ELSE 'other' END AS value
         FROM range(50000) rows(row)) ORDER BY row) TO '${source}' (FORMAT parquet, ROW_GROUP_SIZE 30720)`,
    );
    const conditions = dimensions.map(
      (dimension): Condition => ({
        dimension,
        column: { values, codeByValue: new Map(), type: 'UTINYINT', codes: new Uint8Array() },
        codes: values.map((_, code) => code),
      }),
    );
    const { file, remove } = await copyParquet(
      { source, selected: { conditions } },
      new AbortController().signal,
      folder,
    );
    const copied =
      await query(`SELECT list(year ORDER BY file_row_number) = list(year ORDER BY year) AS ordered, count(*)::INTEGER AS rows
    FROM read_parquet('${file}', file_row_number = true)`);
    await remove();
    expect(copied.getRowObjectsJS()).toEqual([{ ordered: true, rows: 24130 }]);
  },
);

test('a copy finds a value that no statement can contain as it stands', async () => {
  const source = path.join(folder, 'nul.parquet');
  await query(
    `COPY (SELECT unnest(['a', 'a' || chr(0), chr(0) || '''', 'b']) AS country) TO '${source}' (FORMAT parquet)`,
  );
  const column = {
    values: ['a\0', "\0'"],
    codeByValue: new Map(),
    type: 'UTINYINT',
    codes: new Uint8Array(),
  } as const;
  const conditions: Condition[] = [{ dimension: 'country', column, codes: [0, 1] }];
  const { file, remove } = await copyParquet(
    { source, selected: { conditions } },
    new AbortController().signal,
    folder,
  );
  const copied = await query(`SELECT hex(country) AS country FROM '${file}'`);
  await remove();
  expect(copied.getRowObjectsJS()).toEqual([{ country: '6100' }, { country: '0027' }]);
});

test('a copy has the key-value metadata of the published file, such as the units', async () => {
  const source = path.join(folder, 'with units.parquet');
  await query(
    `COPY (SELECT 'Malta' AS country, 1.5 AS ggr) TO '${source}' (FORMAT parquet, KV_METADATA
      {source: 'it''s, "quoted"; Côte d’Ivoire', "ggr.unit": 'currency of the fx dimension', "a ""b""": ''})`,
  );
  const signal = new AbortController().signal;
  const { file, remove } = await copyParquet({ source, selected: 'everything' }, signal, folder);
  const copied = await metadataOf(file);
  await remove();
  expect(copied).toHaveLength(3);
  expect(copied).toEqual(await metadataOf(source));
});

async function metadataOf(file: string) {
  const pairs = await query(
    `SELECT decode(key) AS key, decode(value) AS value FROM parquet_kv_metadata('${file}') ORDER BY ALL`,
  );
  return pairs.getRowObjectsJS();
}

test('a copy of a file that is damaged fails with the error of the engine, and leaves no file behind', async () => {
  const source = path.join(folder, 'damaged.parquet');
  await writeFile(source, 'no Parquet file');
  const copies = path.join(folder, 'failed');
  await mkdir(copies);
  const copy = copyParquet({ source, selected: 'everything' }, new AbortController().signal, copies);
  await expect(copy).rejects.toThrow(/damaged\.parquet/);
  expect(await readdir(copies)).toEqual([]);
});

test('a copy for a client that has left is not begun, and leaves no file behind', async () => {
  const source = path.join(folder, 'small.parquet');
  await query(`COPY (SELECT 'x' AS text) TO '${source}' (FORMAT parquet)`);
  const copies = path.join(folder, 'none');
  await mkdir(copies);
  const copy = copyParquet({ source, selected: 'everything' }, AbortSignal.abort(), copies);
  await expect(copy).rejects.toMatchObject({ status: 503 });
  expect(await readdir(copies)).toEqual([]);
});

test('a copy closes its engine, whether it succeeds or fails: its memory would wait for the next garbage collection', async () => {
  const closed = jest.spyOn(DuckDBInstance.prototype, 'closeSync');
  const source = path.join(folder, 'closed.parquet');
  await query(`COPY (SELECT 'x' AS text) TO '${source}' (FORMAT parquet)`);
  const { remove } = await copyParquet(
    { source, selected: 'everything' },
    new AbortController().signal,
    folder,
  );
  await remove();
  expect(closed).toHaveBeenCalledTimes(1);
  await writeFile(source, 'no Parquet file');
  const copy = copyParquet({ source, selected: 'everything' }, new AbortController().signal, folder);
  await expect(copy).rejects.toThrow(/closed\.parquet/);
  expect(closed).toHaveBeenCalledTimes(2);
  closed.mockRestore();
});
