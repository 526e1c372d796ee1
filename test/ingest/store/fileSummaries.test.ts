// The fingerprint of a file has one definition, however the text of a row is made.

import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  countValues,
  type FileCounts,
  fingerprintFiles,
  summariseFile,
} from '../../../ingest/store/fileSummaries.ts';
import { DATASET_NAMES, type DatasetName, datasetOf, metricNames } from '../../../src/catalog/datasets.ts';
import { literal, openDuckDb } from '../../../src/duckdb.ts';
import { aRow, publishRows } from '../../support/snapshot.ts';
import { connected, query } from '../../support/testEngine.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'contents-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const columns = [...datasetOf('ggr').dimensions, ...metricNames('ggr')];

/** The fingerprint of rows by its definition, from their JSON in JavaScript. */
async function fingerprintOf(rows: readonly (readonly (string | null)[])[]): Promise<string> {
  const texts = rows.map((row) => `(${literal(JSON.stringify(row))})`).join(', ');
  const half = (sql: string) => `sum((${sql})::UBIGINT)::VARCHAR`;
  const [[first, second] = []] = (
    await query(
      `SELECT ${half('hash >> 64')}, ${half(`hash & ${2n ** 64n - 1n}::UHUGEINT`)}
       FROM (SELECT md5_number(text) AS hash FROM (VALUES ${texts}) rows(text))`,
    )
  ).getRowsJS();
  const summary = `${columns.join(',')} ${rows.length} ${first} ${second}`;
  return createHash('sha256').update(summary).digest('hex');
}

describe.each([
  ['with an empty value', null],
  ['without an empty value', '7.25'],
])('the fingerprint of rows %s', (_, second) => {
  it.each([
    ['texts that JSON writes as they are', ['Malta', 'Côte d’Ivoire', '', "O'Neil", '\u{1F600}', 'a/b<c>&']],
    ['a quotation mark', ['Malta', 'a "b" c']],
    ['a backslash', ['Malta', 'a\\b']],
    ['a line end', ['Malta', 'a\nb']],
    ['a control character', ['a\u0001b', 'a\u007fb', 'a\u0085b']],
  ])('adds up the hashes of rows as JSON: %s', async (_case, countries) => {
    const amounts = ['1.5', second, '0.1', '-12345678.25', '1e+20', '0.0'];
    const rows = countries.map((country, i) => {
      const row = aRow('ggr', { country, ggr: amounts[i] ?? null });
      return columns.map((column) => (row[column] === null ? null : String(row[column])));
    });
    const values = rows.map(
      (row) => `(${row.map((cell) => (cell === null ? 'NULL' : literal(cell))).join(', ')})`,
    );
    const file = path.join(folder, 'ggr.parquet');
    const found = await connected(async (connection) => {
      await connection.run(
        `COPY (SELECT * REPLACE (year::INTEGER AS year, ggr::DOUBLE AS ggr)
           FROM (VALUES ${values.join(', ')}) rows(${columns.join(', ')})) TO ${literal(file)} (FORMAT parquet)`,
      );
      return await summariseFile(connection, 'ggr', file);
    });
    expect(found.fingerprint).toBe(await fingerprintOf(rows));
  });
});

describe('several files', () => {
  it('are described by the same statements as each of them alone', async () => {
    const ggr = [aRow('ggr', { ggr: 0.1 }), aRow('ggr', { product: 'a "b"', ggr: null })];
    await publishRows(folder, '2026-10.1', { ggr, fx: [] });
    const files = DATASET_NAMES.map((name) => ({
      name,
      file: path.join(folder, 'snapshots/2026-10.1', `${name}.parquet`),
    }));
    await connected(async (connection) => {
      const counted = await countValues([connection], files);
      const together = (await fingerprintFiles(connection, counted)).map(({ summary }) => summary);
      const alone = [];
      for (const { name, file } of files) alone.push(await summariseFile(connection, name, file));
      expect(together).toEqual(alone);
      expect(together.map(({ rows }) => rows).slice(0, 1)).toEqual([2]);
      expect(together[0]?.metrics.ggr).toEqual({ sum: 0.1, nulls: 1 });
    });
  });
});

describe('counts', () => {
  it('are the same in one pass over a file as by a query for each column', async () => {
    const select = (name: DatasetName, where: string) => {
      const dimensions = datasetOf(name).dimensions.map((d) =>
        d === 'year' ? '(2030 - i % 50 * 41)::INTEGER AS year' : `texts[1 + (i + ${d.length}) % 7] AS ${d}`,
      );
      const metrics = metricNames(name).map(
        (m, k) => `CASE WHEN i % 5 = ${k} THEN NULL ELSE i / ${7 + k} END::DOUBLE AS ${m}`,
      );
      return `SELECT ${[...dimensions, ...metrics].join(', ')} FROM range(3000) one(i),
        (SELECT ['Zürich', 'a', '\u{1F600}', '\uffee', '', 'null', NULL] AS texts) WHERE ${where}`;
    };
    const files = DATASET_NAMES.map((name) => ({ name, file: path.join(folder, `${name}.parquet`) }));
    await connected(async (connection) => {
      for (const { name, file } of files) {
        const rows = select(name, name === 'fx' ? 'false' : 'true');
        await connection.run(`COPY (${rows}) TO ${literal(file)} (FORMAT parquet, ROW_GROUP_SIZE 2048)`);
      }
      const inOnePass = await countValues([connection], files, Number.POSITIVE_INFINITY);
      const byColumn = await countValues([connection], files, 0);
      expect(inOnePass.map(({ counts }) => merged(counts))).toEqual(
        byColumn.map(({ counts }) => merged(counts)),
      );
      const several = await openDuckDb({ connections: 3 });
      try {
        expect(await countValues(several.connections, files, 0)).toEqual(byColumn);
      } finally {
        several.close();
      }
      expect(inOnePass[0]?.counts.rows).toBe(3000);
      const countries = inOnePass[0]?.counts.dimensions.country?.map(({ value }) => value);
      expect(countries).toEqual(['', 'Zürich', 'a', 'null', '\uffee', '\u{1F600}']);
    });
  });
});

describe('sums', () => {
  it('are added in the order of the rows, whatever number of threads reads them', async () => {
    const file = path.join(folder, 'ggr.parquet');
    const texts = datasetOf('ggr').dimensions.filter((name) => name !== 'year');
    // The last digit of this sum depends on the order of adding.
    const amount = '(hash(i) % 2000000007)::DOUBLE * 10 ** (hash(i, 1) % 13)::INTEGER / 7';
    await query(
      `COPY (SELECT ${texts.map((name) => `'x' AS ${name}`).join(', ')}, 2020 AS year, ${amount} AS ggr FROM range(60000) one(i))
       TO ${literal(file)} (FORMAT parquet, ROW_GROUP_SIZE 2048)`,
    );
    const instance = await DuckDBInstance.create(':memory:', { threads: '4' });
    const connection = await instance.connect();
    const sumOf = async (fewBytes: number) => {
      const [content] = await countValues([connection], [{ name: 'ggr', file }], fewBytes);
      return content?.counts.metrics.ggr?.sum;
    };
    try {
      const sums: unknown[] = [];
      for (let i = 0; i < 16; i += 1) sums.push(await sumOf(i % 2 === 0 ? 0 : Number.POSITIVE_INFINITY));
      const threads = await connection.runAndReadAll("SELECT current_setting('threads')::INTEGER");
      expect(threads.getRowsJS()).toEqual([[4]]);
      await connection.run('SET threads = 1');
      expect(sums).toEqual(Array(16).fill(await sumOf(0)));
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  });
});

/** Counts with NULL and the text `null` added together. One of the ways lists them as two values. */
const merged = (content: FileCounts): FileCounts => ({
  ...content,
  dimensions: Object.fromEntries(
    Object.entries(content.dimensions).map(([dimension, values]) => {
      const rows = new Map<string, number>();
      for (const { value, rows: count } of values) rows.set(value, (rows.get(value) ?? 0) + count);
      return [dimension, [...rows].map(([value, count]) => ({ value, rows: count }))];
    }),
  ),
});
