// The rows about the server: cold and hot pages, walks, start and memory, beside their references.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { rowOrder } from '../src/catalog/datasets.ts';
import { dataDirOf, LARGE_ROWS, type Mix, mixes, pathOf, SMALL_ROWS } from './data.ts';
import { type Figure, median, ofRounds, percentile } from './figures.ts';
import { mustEqual } from './harness.ts';
import type { LoadResult } from './load.ts';
import { startPostgres } from './postgres.ts';
import { loadOf, type Running, ready, startOurs, startReference } from './processes.ts';

const ROUNDS = 3;
const SIZES = [SMALL_ROWS, LARGE_ROWS] as const;
const perSecond = ({ answered, seconds }: LoadResult) => answered / seconds;
const label = (rows: number) => (rows === SMALL_ROWS ? '30 k rows' : '3 M rows');

/**
 * Requests 2,000 mixes of filters once each, at one client, beside the same rows as objects from a prepared statement.
 */
export async function coldPage(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const rows of SIZES) {
    const dataDir = await dataDirOf(rows);
    const reference = await inProcess(dataDir);
    const [p50, p95, p99, refP50, refP95]: number[][] = [[], [], [], [], []];
    for (let round = 0; round < ROUNDS; round++) {
      // A fresh server and other mixes, so that nothing is cached from the round before.
      const asked = mixes(2000, 100 + round);
      const ours = await startOurs(dataDir);
      await ready(ours);
      await warm(ours);
      const result = await loadOf({
        ...ours.to,
        clients: 1,
        paths: asked.map((mix) => pathOf(mix)),
        requests: 2000,
        sampleEvery: 100,
      });
      await reference.check(result);
      await ours.stop();
      const referenceMs = await reference.time(asked);
      p50?.push(percentile(result.latenciesMs, 0.5));
      p95?.push(percentile(result.latenciesMs, 0.95));
      p99?.push(percentile(result.latenciesMs, 0.99));
      refP50?.push(percentile(referenceMs, 0.5));
      refP95?.push(percentile(referenceMs, 0.95));
    }
    reference.close();
    figures.push(
      {
        what: `cold page, 1 client, p50, ${label(rows)}`,
        unit: 'ms',
        ...ofRounds(p50),
        reference: median(refP50),
        referenceName: 'objects in process',
        better: 'lower',
        mark: 1.5,
      },
      {
        what: `cold page, 1 client, p95, ${label(rows)}`,
        unit: 'ms',
        ...ofRounds(p95),
        reference: median(refP95),
        referenceName: 'objects in process',
        better: 'lower',
      },
      {
        what: `cold page, 1 client, p99, ${label(rows)}`,
        unit: 'ms',
        ...ofRounds(p99),
        better: 'lower',
        atMost: rows === SMALL_ROWS ? 3 : 8,
      },
    );
  }
  return figures;
}

/**
 * Requests cold pages at 32 clients without repeating a query, beside the quick implementation and PostgreSQL with
 * keyset pagination.
 */
export async function coldThroughput(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const rows of SIZES) {
    const dataDir = await dataDirOf(rows);
    const postgres = await startPostgres(rows);
    const [ours, quick, keyset]: [number[], number[], number[]] = [[], [], []];
    let cpuShare = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const paths = mixes(30_000, 200 + round).map((mix) => pathOf(mix));
      const server = await startOurs(dataDir);
      await ready(server);
      await warm(server);
      const result = await loadOf({
        ...server.to,
        clients: 32,
        paths,
        requests: paths.length,
        seconds: 6,
        sampleEvery: 500,
      });
      cpuShare = Math.max(cpuShare, result.cpuShare);
      ours.push(perSecond(result));
      await server.stop();
      const reference = await startReference('quick.js', path.join(dataDir, 'current', 'ggr.parquet'));
      quick.push(perSecond(await loadOf({ ...reference.to, clients: 32, paths, seconds: 4 })));
      await reference.stop();
      if (postgres === null) continue;
      const peer = await startReference('keyset.js', postgres.socketDir);
      await warm(peer);
      for (const { path: asked, body } of result.samples.slice(0, 10))
        mustEqual(
          `the rows of ${asked}`,
          await (await fetchOnce(peer, asked)).text().then(rowsOf),
          rowsOf(body),
        );
      keyset.push(perSecond(await loadOf({ ...peer.to, clients: 32, paths, seconds: 6 })));
      await peer.stop();
    }
    await postgres?.stop();
    const marks = { [SMALL_ROWS]: 2500, [LARGE_ROWS]: 1500 };
    const figure = { unit: 'a second', ...ofRounds(ours), better: 'higher', generatorCpu: cpuShare } as const;
    figures.push({
      what: `cold pages, 32 clients, ${label(rows)}`,
      ...figure,
      reference: median(quick),
      referenceName: 'Express + read_parquet',
      atLeast: marks[rows],
    });
    figures.push({
      what: `the same beside PostgreSQL, ${label(rows)}`,
      ...figure,
      ...(postgres !== null && { reference: median(keyset), mark: rows === SMALL_ROWS ? 3 : 20 }),
      referenceName: postgres === null ? 'PostgreSQL is not installed' : 'PostgreSQL, keyset, Express',
    });
  }
  return figures;
}

/** The rows of an answer as text. */
const rowsOf = (body: string) => JSON.stringify((JSON.parse(body) as { data: unknown }).data);

/** Requests the same page again and again, beside bare Express sending the same bytes, all in turns. */
export async function hotPages(): Promise<Figure[]> {
  const dataDir = await dataDirOf(SMALL_ROWS);
  const [mix] = mixes(1, 300);
  const hot = pathOf(mix ?? {});
  const twenty = pathOf({
    country: Array.from({ length: 20 }, (_, i) => `Country ${String(i * 3).padStart(3, '0')}`),
    year: ['2019', '2020', '2021', '2022', '2023'],
  });
  const large = pathOf({}, 1000);
  const asks: readonly (readonly [what: string, path: string, kind: 'page' | '304', clients?: number])[] = [
    ['hot page', hot, 'page'],
    ['304', hot, '304'],
    ['catalog', '/v1/catalog', 'page'],
    ['20 countries × 5 years', twenty, 'page'],
    ['no filter', pathOf({}), 'page'],
    ['no match', pathOf({ country: ['Atlantis'] }), 'page'],
    ['large page of 1,000 rows', large, 'page'],
    ['large page of 1,000 rows, 1 client', large, 'page', 1],
    ['hot page, 1 client', hot, 'page', 1],
  ];
  const server = await startOurs(dataDir);
  const contests = [];
  for (const [what, asked, kind, clients = 32] of asks) {
    const answer = await fetchOnce(server, asked);
    const file = await fileOf(answer);
    const bare = await startReference('bare.js', file);
    const has = kind === '304' ? `If-None-Match: ${answer.headers.get('etag')}\r\n` : '';
    const headers = `${server.to.headers}${has}`;
    const ours = { ...server.to, paths: [asked], headers, status: kind === '304' ? 304 : 200 };
    const floor = { ...bare.to, paths: ['/v1/financials'] };
    const body = kind === '304' ? '' : readFileSync(file, 'utf8');
    const rounds: Record<'ours' | 'floor' | 'cpuShare', number[]> = { ours: [], floor: [], cpuShare: [] };
    contests.push({ what, ours, floor, body, bare, rounds, clients });
  }
  const job = { seconds: 2, sampleEvery: 100 };
  for (let round = 0; round < ROUNDS; round++) {
    for (const { ours, floor, body, rounds, clients } of contests) {
      const result = await loadOf({ ...job, clients, ...ours });
      expectBody(result, body);
      rounds.ours.push(perSecond(result));
      rounds.cpuShare.push(result.cpuShare);
      rounds.floor.push(perSecond(await loadOf({ ...job, clients, ...floor })));
    }
  }
  for (const { bare } of contests) await bare.stop();
  await server.stop();
  const figures = contests.map(
    ({ what, rounds }): Figure => ({
      what,
      unit: 'a second',
      ...ofRounds(rounds.ours),
      reference: median(rounds.floor),
      referenceName: 'bare Express',
      better: 'higher',
      generatorCpu: Math.max(...rounds.cpuShare),
      ...(what === 'hot page' && { mark: 0.75 }),
    }),
  );
  const [page, unchanged, ...others] = figures;
  if (!page || !unchanged) throw new Error('no figures');
  const besidePage = {
    what: '304 beside the page',
    reference: page.value,
    referenceName: 'hot page',
    mark: 1,
  };
  return [page, unchanged, { ...unchanged, ...besidePage }, ...others];
}

/**
 * Walks 300,000 rows in pages of 1,000 at one client, beside bare Express sending one such page again and again. Also
 * compares the last ten pages with the first ten.
 */
export async function walk(): Promise<Figure[]> {
  const server = await startOurs(await dataDirOf(LARGE_ROWS));
  await ready(server);
  const page = await fetchOnce(server, pathOf({}, 1000));
  const bare = await startReference('bare.js', await fileOf(page));
  // Another filter each time, so that no page is kept from the walk before.
  const walked = async (filter: string, requests = 300) => {
    const ours = { paths: [`/v1/financials?metric=ggr&limit=1000&${filter}`], walk: true };
    const pages = await loadOf({ ...server.to, clients: 1, requests, ...ours });
    const floor = await loadOf({ ...bare.to, clients: 1, requests, paths: ['/v1/financials'] });
    return { pages, floor };
  };
  const fresh = await walked('sub_channel=Retail');
  // Runs until V8 has compiled the code of a page, which takes some two thousand pages.
  for (const filter of ['sub_channel=Onshore', 'sub_channel=Offshore']) await walked(filter, 1000);
  const walks = [];
  for (const filter of ['fx=USD', 'fx=EUR', 'fx=GBP', 'channel=Land', 'channel=Online'])
    walks.push(await walked(filter));
  await bare.stop();
  await server.stop();
  return [
    {
      what: 'walk, 1,000 rows a page',
      unit: 'pages a second',
      ...ofRounds(walks.map(({ pages }) => perSecond(pages))),
      reference: median(walks.map(({ floor }) => perSecond(floor))),
      referenceName: 'bare Express, one page',
      better: 'higher',
      atLeast: 700,
      generatorCpu: Math.max(...walks.map(({ pages }) => pages.cpuShare)),
    },
    {
      what: 'walk, the first of a fresh server',
      unit: 'pages a second',
      value: perSecond(fresh.pages),
      reference: perSecond(fresh.floor),
      referenceName: 'bare Express, fresh too',
      better: 'higher',
    },
    {
      what: 'walk, last ten pages',
      unit: 'ms a page',
      value: median(walks.map(({ pages }) => median(pages.latenciesMs.slice(-10)))),
      reference: median(walks.map(({ pages }) => median(pages.latenciesMs.slice(1, 11)))),
      referenceName: 'first ten',
      better: 'lower',
      mark: 1.2,
    },
  ];
}

/** Measures the time from `npm start` to the first answer, and the memory of the process then. */
export async function startAndMemory(): Promise<Figure[]> {
  const figures: Figure[] = [];
  const memory: number[] = [];
  for (const rows of SIZES) {
    const dataDir = await dataDirOf(rows);
    const [started, resident]: number[][] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      const begun = performance.now();
      const server = await startOurs(dataDir);
      await warm(server);
      started?.push((performance.now() - begun) / 1000);
      await loadOf({
        ...server.to,
        clients: 8,
        paths: mixes(500, 400).map((mix) => pathOf(mix)),
        requests: 500,
      });
      resident?.push(server.memoryBytes());
      await server.stop();
    }
    memory.push(median(resident));
    figures.push(
      {
        what: `start to first answer, ${label(rows)}`,
        unit: 's',
        ...ofRounds(started),
        better: 'lower',
        atMost: rows === SMALL_ROWS ? 2 : 10,
      },
      { what: `memory, ${label(rows)}`, unit: 'MB', value: median(resident) / 1e6, better: 'lower' },
    );
  }
  const [small = 0, large = 0] = memory;
  figures.push({
    what: 'memory a row between the two',
    unit: 'bytes',
    value: (large - small) / (LARGE_ROWS - SMALL_ROWS),
    better: 'lower',
    atMost: 120,
  });
  return figures;
}

/** Sends a few requests, so that the server is measured and not its compilation. */
const warm = (server: Running) =>
  loadOf({ ...server.to, clients: 4, paths: mixes(400, 1).map((mix) => pathOf(mix)), requests: 400 });

/** An answer's body as a file, for a reference that sends the same. The file goes with this process. */
export async function fileOf(answer: Response): Promise<string> {
  if (bodies === null) {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-'));
    process.once('exit', () => rmSync(folder, { recursive: true }));
    bodies = { folder, count: 0 };
  }
  const file = path.join(bodies.folder, `${bodies.count++}.json`);
  writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
  return file;
}

/** One folder for all bodies, because each would need a listener to remove it. */
let bodies: { readonly folder: string; count: number } | null = null;

/** One answer, uncompressed. */
export const fetchOnce = ({ to }: Running, asked: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${to.port}${asked}`, {
    headers: { 'x-api-key': to.headers.slice('x-api-key: '.length, -2), 'Accept-Encoding': 'identity' },
  });

function expectBody({ samples }: LoadResult, body: string): void {
  const wrong = samples.find((sample) => sample.body !== body);
  if (wrong !== undefined || samples.length === 0) throw new Error('an answer was not what it had to be');
}

/** The same rows from a prepared statement in this process: no HTTP, no JSON. */
async function inProcess(dataDir: string) {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const file = path.join(dataDir, 'current', 'ggr.parquet');
  const texts = rowOrder('ggr').filter((name) => name !== 'year');
  for (const name of texts)
    await connection.run(
      `CREATE TYPE e_${name} AS ENUM (SELECT DISTINCT ${name} FROM read_parquet('${file}') ORDER BY 1)`,
    );
  const columns = texts.map((name) => `${name}::e_${name} AS ${name}`);
  await connection.run(
    `CREATE TABLE ggr AS SELECT file_row_number AS position, year, ${columns.join(', ')}, ggr FROM read_parquet('${file}', file_row_number = true)`,
  );
  await connection.run('SET threads = 1');
  const timeOf = async (mix: Mix): Promise<number> => {
    const values: (string | number)[] = [];
    const conditions = Object.entries(mix).map(([name, given]) => {
      const marks = given.map((value) => {
        values.push(name === 'year' ? Number(value) : value);
        return name === 'year' ? `$${values.length}::INTEGER` : `$${values.length}::e_${name}`;
      });
      return `${name} IN (${marks.join(', ')})`;
    });
    const statement = await connection.prepare(
      `SELECT * EXCLUDE (position) FROM ggr WHERE ${conditions.join(' AND ')} LIMIT 101`,
    );
    const begun = performance.now();
    for (const [i, value] of values.entries()) {
      if (typeof value === 'number') statement.bindInteger(i + 1, value);
      else statement.bindVarchar(i + 1, value);
    }
    (await statement.runAndReadAll()).getRowObjectsJS();
    const ms = performance.now() - begun;
    statement.destroySync();
    return ms;
  };
  return {
    /** The milliseconds of each mix. Statements are prepared before the clock runs. */
    async time(asked: readonly Mix[]): Promise<number[]> {
      const times: number[] = [];
      for (const mix of asked) times.push(await timeOf(mix));
      return times;
    },
    /** Checks that the sampled answers have exactly the rows of the file, in its order. */
    async check({ samples }: LoadResult): Promise<void> {
      if (samples.length === 0) throw new Error('no answer was sampled');
      for (const { path: asked, body } of samples) {
        const mix: Record<string, string[]> = {};
        for (const [name, value] of new URLSearchParams(asked.split('?')[1])) {
          if (name !== 'metric' && name !== 'limit') mix[name] = [...(mix[name] ?? []), value];
        }
        const values: string[] = [];
        const conditions = Object.entries(mix).map(([name, given]) => {
          values.push(...given);
          return `${name}::VARCHAR IN (${given.map(() => '?').join(', ')})`;
        });
        const published = await connection.runAndReadAll(
          `SELECT * EXCLUDE (file_row_number) FROM read_parquet('${file}', file_row_number = true)
           WHERE ${conditions.join(' AND ')} ORDER BY file_row_number LIMIT 100`,
          values,
        );
        const rows = published.getRowObjectsJS();
        const given = (JSON.parse(body) as { data: { dimensions: object; values: object }[] }).data;
        const flat = given.map(({ dimensions, values }) =>
          JSON.stringify(sorted({ ...dimensions, ...values })),
        );
        const expected = rows.map((row) => JSON.stringify(sorted(row)));
        if (flat.join() !== expected.join()) throw new Error(`the rows of ${asked} differ`);
      }
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

const sorted = (row: object) => Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)));
