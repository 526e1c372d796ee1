// Benchmarks of values, totals and changes, and of cached pages while such requests run.

import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { datasetOf } from '../src/catalog/datasets.ts';
import { openDuckDb, parquetRows } from '../src/duckdb.ts';
import {
  dataDirOf,
  type FilterMix,
  LARGE_ROWS,
  mixes,
  pathOf,
  SMALL_ROWS,
  twoMonthsOf,
} from './benchSnapshots.ts';
import { besideIdle, type Figure, median, ofRounds, percentile } from './figure.ts';
import { expectEqual } from './harness.ts';
import { loadOf, type Running, ready, startOurs } from './measuredProcesses.ts';
import { label, SIZES } from './serving.ts';

const REQUESTS = 60;

const queryOf = (mix: FilterMix) =>
  Object.entries(mix)
    .flatMap(([name, values]) => values.map((value) => `&${name}=${encodeURIComponent(value)}`))
    .join('');

const whereOf = (mix: FilterMix) =>
  Object.entries(mix)
    .map(([name, values]) => `${name}::VARCHAR IN (${values.map((value) => `'${value}'`)})`)
    .join(' AND ');

/**
 * Requests values with one to three filters, each mix once, with one client. The reference is a GROUP BY for each
 * dimension.
 */
export async function valuesOfDimensions(): Promise<Figure[]> {
  const filterMixes = mixes(2000, 500)
    .filter((mix) => Object.keys(mix).length <= 3)
    .slice(0, REQUESTS);
  const { dimensions } = datasetOf('ggr');
  return besideEngine({
    what: 'values',
    filterMixes,
    pathOf: (mix) => `/v1/values?dataset=ggr${queryOf(mix)}`,
    statementsOf: (mix) =>
      dimensions.map((name) => {
        const others = Object.fromEntries(Object.entries(mix).filter(([other]) => other !== name));
        return `SELECT ${name}, count(*) FROM ggr WHERE ${whereOf(others) || 'true'} GROUP BY 1`;
      }),
    mostMs: { [SMALL_ROWS]: 2, [LARGE_ROWS]: 40 },
  });
}

/**
 * Requests totals by country, year, state and fx with one filter, each once, with one client. The reference is a GROUP BY.
 */
export async function totalsByCountry(): Promise<Figure[]> {
  const filterMixes = Array.from({ length: REQUESTS }, (_, i) => ({
    product: [
      `Product ${String(i % 12).padStart(2, '0')}`,
      `Product ${String((i * 5 + 1 + Math.floor(i / 12)) % 12).padStart(2, '0')}`,
    ],
  }));
  const by = ['country', 'year', 'state', 'fx'];
  const named = by.map((name) => `&by=${name}`).join('');
  return besideEngine({
    what: 'totals',
    filterMixes,
    pathOf: (mix) => `/v1/totals?dataset=ggr${named}${queryOf(mix)}`,
    statementsOf: (mix) => [
      `SELECT ${by}, sum(ggr), count(*) FROM ggr WHERE ${whereOf(mix)} GROUP BY ALL ORDER BY ALL`,
    ],
    mostMs: { [SMALL_ROWS]: 5, [LARGE_ROWS]: 60 },
  });
}

/**
 * Requests the changes between two months of 3 million rows for the first time, while another client requests a cached
 * page.
 */
export async function changesOfMonths(): Promise<Figure[]> {
  const dataDir = await twoMonthsOf(LARGE_ROWS);
  const server = await startOurs(dataDir);
  const statusOf = async (urlPath: string, snapshot: string) => {
    const key = server.to.headers.slice('x-api-key: '.length, -2);
    const headers = { 'x-api-key': key, 'X-Snapshot': snapshot };
    const response = await fetch(`http://127.0.0.1:${server.to.port}${urlPath}`, { headers });
    await response.arrayBuffer();
    return response.status;
  };
  const [mix] = mixes(1, 300);
  const page = pathOf(mix ?? {});
  // The server loads the older month first, because only the comparison is to be measured.
  let status = 503;
  for (
    const endMs = performance.now() + 60_000;
    status === 503 && performance.now() < endMs;
    await sleep(500)
  )
    status = await statusOf(page, '2026-10');
  expectEqual('the older month', status, 200);
  const hot = { ...server.to, clients: 1, paths: [page], seconds: 4 };
  await loadOf({ ...hot, seconds: 1 });
  const idle = await loadOf(hot);
  const during = loadOf(hot);
  const startMs = performance.now();
  const urlPath = '/v1/changes?dataset=ggr&since=2026-10&limit=1';
  expectEqual(urlPath, await statusOf(urlPath, '2026-11'), 200);
  const seconds = (performance.now() - startMs) / 1000;
  const { latenciesMs } = await during;
  await server.stop();
  return [
    { what: 'changes, never asked, 3 M rows', unit: 's', value: seconds, better: 'lower', atMost: 2 },
    {
      what: 'the longest wait of a hot page meanwhile',
      unit: 'ms',
      value: percentile(latenciesMs, 1),
      reference: percentile(idle.latenciesMs, 1),
      referenceName: 'idle',
      better: 'lower',
      atMost: 20,
    },
  ];
}

/**
 * Requests a cached page of a dataset of 3 million rows with 8 clients, in turns alone and while 8 other clients send
 * heavy queries. No heavy query is sent twice.
 */
export async function hotPageDuringStorm(): Promise<Figure[]> {
  const server = await startOurs(await dataDirOf(LARGE_ROWS));
  await ready(server);
  const [mix] = mixes(1, 300);
  const job = { ...server.to, clients: 8, paths: [pathOf(mix ?? {})], seconds: 4 };
  const p99 = async () => percentile((await loadOf(job)).latenciesMs, 0.99);
  const heavy = heavyQueries();
  const [idleMs, busyMs, answered]: [number[], number[], number[]] = [[], [], []];
  await p99();
  for (let round = 0; round < 7; round++) {
    idleMs.push(await p99());
    const storm = stormOf(server, heavy);
    busyMs.push(await p99());
    answered.push((await storm.stop()) / job.seconds);
  }
  await server.stop();
  return [
    besideIdle('hot page during a storm, 8 clients, p99', busyMs, idleMs),
    { what: 'answered in this storm', unit: 'a second', ...ofRounds(answered), better: 'higher' },
  ];
}

/** Yields queries for values, totals and pages in turns, without end. None of them is cached. */
function* heavyQueries(): Generator<string, never> {
  const by = ['country', 'year', 'state', 'fx'].map((name) => `&by=${name}`).join('');
  for (let seed = 0; ; seed++) {
    for (const mix of mixes(300, 10_000 + seed)) {
      const { country: _country, ...others } = mix;
      yield `/v1/values?dataset=ggr${queryOf(mix)}`;
      yield `/v1/totals?dataset=ggr${by}${queryOf(mix)}`;
      yield pathOf(others);
    }
  }
}

/** Starts eight clients that each send one query after the other. `stop` returns the number of answers with 200. */
function stormOf({ to }: Running, queries: Iterator<string, never>): { stop(): Promise<number> } {
  let isRunning = true;
  let answered = 0;
  const headers = { 'x-api-key': to.headers.slice('x-api-key: '.length, -2) };
  const clients = Array.from({ length: 8 }, async () => {
    while (isRunning) {
      const response = await fetch(`http://127.0.0.1:${to.port}${queries.next().value}`, { headers });
      await response.arrayBuffer();
      // While its queue is full, the server answers 503 at once.
      if (response.status === 200) answered += 1;
      else if (response.status !== 503) throw new Error(`a heavy query was answered ${response.status}`);
    }
  });
  return {
    async stop() {
      isRunning = false;
      await Promise.all(clients);
      return answered;
    },
  };
}

interface QuestionOfMixes {
  readonly what: string;
  readonly filterMixes: readonly FilterMix[];
  /** The request for a mix. */
  readonly pathOf: (mix: FilterMix) => string;
  /** The statements with which DuckDB gets the same answer. */
  readonly statementsOf: (mix: FilterMix) => readonly string[];
  /** The most milliseconds of a request, by the number of rows of the dataset. */
  readonly mostMs: Readonly<Record<number, number>>;
}

/** Requests the answer for each mix with one client. The reference is DuckDB in this process. */
async function besideEngine(question: QuestionOfMixes): Promise<Figure[]> {
  const { what, filterMixes, pathOf, statementsOf, mostMs } = question;
  const figures: Figure[] = [];
  for (const rows of SIZES) {
    const dataDir = await dataDirOf(rows);
    const server = await startOurs(dataDir);
    await ready(server);
    // Each path is requested once, because a repetition would be answered from the cache.
    const paths = [...new Set(filterMixes.map(pathOf))];
    await loadOf({
      ...server.to,
      clients: 1,
      paths: paths.slice(0, 5).map((urlPath) => `${urlPath}&year=2010`),
      requests: 20,
    });
    const { latenciesMs } = await loadOf({ ...server.to, clients: 1, paths, requests: paths.length });
    await server.stop();
    const { connections, close } = await openDuckDb();
    const [connection] = connections;
    await connection.run(
      `CREATE TABLE ggr AS FROM ${parquetRows(path.join(dataDir, 'current', 'ggr.parquet'))}`,
    );
    const engineMs: number[] = [];
    for (const mix of filterMixes.slice(0, 10)) {
      const startMs = performance.now();
      for (const statement of statementsOf(mix)) await connection.runAndReadAll(statement);
      engineMs.push(performance.now() - startMs);
    }
    close();
    figures.push({
      what: `${what}, 1 client, p50, ${label(rows)}`,
      unit: 'ms',
      value: median(latenciesMs),
      reference: median(engineMs),
      referenceName: 'GROUP BY in process',
      better: 'lower',
      atMost: mostMs[rows] ?? 0,
    });
  }
  return figures;
}
