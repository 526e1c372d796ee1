// GET /v1/explain: its SQL and its programs give the rows of the walk for any values in the query.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { datasetOf, metricNames } from '../../../src/catalog/datasets.ts';
import { itInDepth, some } from '../../support/depth.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { aDataDir, aRow, countryReference, publishRows } from '../../support/snapshot.ts';

const run = promisify(execFile);

/** Names with characters that end literals, comments or commands in some language. */
const HOSTILE = [
  "O'Higgins; DROP TABLE ggr;--",
  'a "quoted" \\ name',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template or a shell would evaluate it.
  '$(touch pwned) `id` ${x}',
  '\'\'\' """',
  'line\nbreak',
  "Côte d'Ivoire",
  '中文 🎰',
  'a&b=c#d%20+e',
  '*/ // # --',
];

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await startServer({
    rows: {
      ggr: HOSTILE.flatMap((country) =>
        [2023, 2024].map((year) => aRow('ggr', { country, year, ggr: year % 2 === 0 ? null : 0.1 })),
      ).concat(Array.from({ length: 1500 }, (_, i) => aRow('ggr', { country: `C${i}`, ggr: i }))),
      country_reference: countryReference([...HOSTILE, ...Array.from({ length: 3 }, (_, i) => `C${i}`)]),
    },
  });
  folder = await mkdtemp(path.join(os.tmpdir(), 'explain-'));
  await symlink(server.dataDir, path.join(folder, 'data'));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** All rows of a query as flat records, page by page. */
async function walk(endpoint: string, query: string): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  for (let cursor = ''; ; ) {
    const { json } = await server.get(`/v1/${endpoint}?${query}&limit=1000${cursor}`);
    for (const row of json.data) rows.push(row.dimensions ? { ...row.dimensions, ...row.values } : row);
    if (!json.pagination.has_more) return rows;
    cursor = `&cursor=${json.pagination.cursor}`;
  }
}

async function sqlRows(sql: string, columns: readonly string[]): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(':memory:', { file_search_path: folder });
  const connection = await instance.connect();
  try {
    const rows = (await connection.runAndReadAll(sql)).getRowsJS();
    return rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]])));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

const here = (program: string) => program.replaceAll('http://127.0.0.1:3000', server.url);

const environment = { ...process.env, API_KEY: 'none', NODE_OPTIONS: '' };

const countries = HOSTILE.map((country) => `country=${encodeURIComponent(country)}`).join('&');
const QUERIES: readonly (readonly [string, string])[] = [
  ['financials', 'metric=ggr'],
  ['financials', 'metric=ggr&country[]=C7&year=02024&year=99999999999999999999&state='],
  ['financials', `metric=ggr&country=C7&year=2024&year=-0&year=${'9'.repeat(400)}`],
  ['financials', 'metric=ggr&country=Nowhere'],
  ['financials', `metric=ggr&${countries}&period=2024-01-01:2030-01-01`],
  ['financials', `metric=ggr&${countries}`],
  ['financials', 'metric=ggr&country=Co%CC%82te%20d%27Ivoire'],
  ['reference', `dataset=country_reference&${countries}`],
  ['financials', 'metric=ggr&country=a%00b&country=C1'],
];

describe.each(QUERIES)('explain of query %#', (endpoint, query) => {
  it('counts the rows, and its SQL gives the rows of the walk in their order', async () => {
    const { status, json } = await server.get(`/v1/explain?${query}`);
    expect(status).toBe(200);
    const rows = await walk(endpoint, query);
    expect(json.meta.row_count).toBe(rows.length);
    const dataset = json.meta.dataset as 'ggr';
    const columns = [...datasetOf(dataset).dimensions, ...metricNames(dataset)];
    expect(await sqlRows(json.sql, columns)).toEqual(rows);
  });

  const itTypes = some(QUERIES, 1).some(([, one]) => one === query) ? it : itInDepth;
  itTypes('has a program for JavaScript and one for the shell that give them too', async () => {
    const { json } = await server.get(`/v1/explain?${query}`);
    const rows = await walk(endpoint, query);
    const file = path.join(folder, 'walk.mjs');
    await writeFile(file, `${here(json.javascript)}\nconsole.log(JSON.stringify(rows));`);
    const { stdout } = await run(process.execPath, [file], { env: environment, maxBuffer: 2 ** 26 });
    expect(JSON.parse(stdout)).toEqual(rows);

    await run('bash', ['-c', here(json.curl)], { cwd: folder, env: environment });
    const pages = (await readFile(path.join(folder, `${json.meta.dataset}.jsonl`), 'utf8'))
      .trim()
      .split('\n');
    const data = pages.flatMap((page) => JSON.parse(page).data);
    expect(data.map((row) => (row.dimensions ? { ...row.dimensions, ...row.values } : row))).toEqual(rows);
  });

  it('has programs for the shell and for R whose address holds the very values of the query', async () => {
    const { json } = await server.get(`/v1/explain?${query}`);
    const wanted = [...new URLSearchParams(query), ['limit', '1000']];
    for (const address of [/^url='(.*)'$/m.exec(json.curl)?.[1], /^url <- "(.*)"$/m.exec(json.r)?.[1]])
      expect([...new URL(address ?? '').searchParams]).toEqual(wanted);
  });

  it('has programs for Python and JavaScript that read the rows of its endpoint', async () => {
    const { json } = await server.get(`/v1/explain?${query}`);
    for (const program of [json.python, json.polars])
      expect(/^ {4}rows \+= (.*)$/m.exec(program)?.[1]).toBe(
        endpoint === 'reference'
          ? 'page["data"]'
          : '[{**row["dimensions"], **row["values"]} for row in page["data"]]',
      );
    expect(/^ {2}rows\.push\(\.\.\.(.*)\);$/m.exec(json.javascript)?.[1]).toBe(
      endpoint === 'reference'
        ? 'page.data'
        : 'page.data.map((row) => ({ ...row.dimensions, ...row.values }))',
    );
  });

  it('has a program for R that names the columns of its table', async () => {
    const { json } = await server.get(`/v1/explain?${query}`);
    const dataset = json.meta.dataset as 'ggr';
    const columns = [...datasetOf(dataset).dimensions, ...metricNames(dataset)];
    expect(/^columns <- c\((.*)\)$/m.exec(json.r)?.[1]).toBe(columns.map((one) => `"${one}"`).join(', '));
  });

  it('has programs for pandas and R that leave no type of a column to a guess', async () => {
    const { json } = await server.get(`/v1/explain?${query}`);
    const dataset = json.meta.dataset as 'ggr';
    const texts = datasetOf(dataset).dimensions.filter((name) => name !== 'year');
    const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');
    expect(/^texts <- c\((.*)\)$/m.exec(json.r)?.[1]).toBe(quoted(texts));
    const metrics = metricNames(dataset);
    expect(/^numbers <- c\((.*)\)$/m.exec(json.r)?.[1]).toBe(
      metrics.length > 0 ? quoted(metrics) : undefined,
    );
    expect(/\.astype\(\{(.*)\}\)$/m.exec(json.python)?.[1]).toBe(
      metrics.length > 0 ? metrics.map((name) => `"${name}": float`).join(', ') : undefined,
    );
  });

  it('has no program of more than 25 lines', async () => {
    const { json } = await server.get(`/v1/explain?${query}`);
    expect(
      Math.max(
        ...['curl', 'python', 'polars', 'r', 'javascript'].map((name) => json[name].split('\n').length),
      ),
    ).toBeLessThanOrEqual(25);
  });
});

describe('explain', () => {
  it.each([
    ['', 'metric', 'Invalid input: expected string, received undefined'],
    ['metric=ggr&year=x', 'year', 'Expected a whole number, such as 2024'],
    ['dataset=', 'dataset', 'Expected a name, such as ggr'],
  ])('refuses "%s" as the endpoint it explains does', async (query, field, message) => {
    const { status, json } = await server.get(`/v1/explain?${query}`);
    expect([status, json.details.fieldErrors[field]]).toEqual([400, [message]]);
  });

  it('names a parameter that is not a dimension', async () => {
    const { status, json } = await server.get('/v1/explain?metric=ggr&dataset=ggr');
    expect([status, json.error]).toEqual([400, expect.stringContaining('"dataset" for metric "ggr"')]);
  });

  it('names the snapshot in every program when the request does, and in none when it does not', async () => {
    const programs = async (headers = {}) => {
      const { json } = await server.get('/v1/explain?metric=ggr&year=2023', headers);
      return ['curl', 'python', 'polars', 'r', 'javascript'].map((name) => [
        name,
        /x-snapshot\W+2026-11\.1\b/.test(json[name]),
      ]);
    };
    const all = (isNamed: boolean) =>
      ['curl', 'python', 'polars', 'r', 'javascript'].map((name) => [name, isNamed]);
    expect(await programs({ 'x-snapshot': '2026-11.1' })).toEqual(all(true));
    expect(await programs()).toEqual(all(false));
  });

  it('answers 304 to its own ETag', async () => {
    const { headers } = await server.get('/v1/explain?metric=ggr');
    const again = await server.get('/v1/explain?metric=ggr', { 'if-none-match': headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
  });
});

describe('explain of a snapshot that is not the current one', () => {
  itInDepth(
    'has programs that fetch the very rows that it counts, whether a header or a cursor names it',
    async () => {
      const { dataDir, remove } = await aDataDir();
      const value = (ggr: number) => ({
        ggr: ['A', 'B', 'C'].map((country) => aRow('ggr', { country, ggr })),
      });
      await publishRows(dataDir, '2026-10.1', value(10));
      await publishRows(dataDir, '2026-11.1', value(11));
      const other = await startServer({ dataDir });
      try {
        const first = await other.get('/v1/financials?metric=ggr&limit=1', { 'x-snapshot': '2026-10.1' });
        let programs = 0;
        const valuesOf = async (asked: string, headers = {}) => {
          const { json } = await other.get(`/v1/explain?metric=ggr${asked}`, headers);
          // The program runs in this process. Other tests run one in a process of its own.
          const file = path.join(folder, `other-${programs++}.mjs`);
          const program = json.javascript.replaceAll('http://127.0.0.1:3000', other.url);
          await writeFile(file, `${program}\nexport const values = rows.map(({ ggr }) => ggr);`);
          process.env.API_KEY = 'none';
          const { values }: { values: number[] } = await import(file);
          const shell = json.curl.replaceAll('http://127.0.0.1:3000', other.url);
          await run('bash', ['-c', shell], { cwd: folder, env: environment });
          const pages = await readFile(path.join(folder, 'ggr.jsonl'), 'utf8');
          expect(JSON.parse(pages).data.map((row: { values: unknown }) => row.values)).toEqual(
            values.map((ggr) => ({ ggr })),
          );
          for (const language of ['python', 'polars', 'r'])
            expect(json[language].includes('2026-10.1')).toBe(json.javascript.includes('2026-10.1'));
          return values;
        };
        expect(await valuesOf('')).toEqual([11, 11, 11]);
        expect(await valuesOf('', { 'x-snapshot': '2026-10' })).toEqual([10, 10, 10]);
        expect(await valuesOf('')).toEqual([11, 11, 11]);
        expect(await valuesOf(`&cursor=${first.json.pagination.cursor}`)).toEqual([10, 10, 10]);
        const tags = await Promise.all(
          [{}, { 'x-snapshot': '2026-11.1' }].map(async (headers) =>
            (await other.get('/v1/explain?metric=ggr', headers)).headers.get('etag'),
          ),
        );
        expect(tags[0]).not.toBe(tags[1]);
      } finally {
        await other.close();
        await remove();
      }
    },
  );
});
