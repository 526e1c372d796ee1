// The rows of the table that count, sum and compare: values and totals beside the engine in process, and changes.

import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { datasetOf } from '../src/catalog/datasets.ts';
import { openDuckDb, parquetRows } from '../src/duckdb.ts';
import { dataDirOf, LARGE_ROWS, type Mix, mixes, pathOf, SMALL_ROWS, twoMonthsOf } from './data.ts';
import { type Figure, median, percentile } from './figures.ts';
import { mustEqual } from './harness.ts';
import { loadOf, ready, startOurs } from './processes.ts';

const SIZES = [SMALL_ROWS, LARGE_ROWS] as const;
const label = (rows: number) => (rows === SMALL_ROWS ? '30 k rows' : '3 M rows');
const REQUESTS = 60;

const queryOf = (mix: Mix) =>
  Object.entries(mix)
    .flatMap(([name, values]) => values.map((value) => `&${name}=${encodeURIComponent(value)}`))
    .join('');

const whereOf = (mix: Mix) =>
  Object.entries(mix)
    .map(([name, values]) => `${name}::VARCHAR IN (${values.map((value) => `'${value}'`)})`)
    .join(' AND ');

/** One to three filters never asked before, 1 client: beside one GROUP BY a dimension, in process. */
export async function valuesOfDimensions(): Promise<Figure[]> {
  const asked = mixes(2000, 500)
    .filter((mix) => Object.keys(mix).length <= 3)
    .slice(0, REQUESTS);
  const { dimensions } = datasetOf('ggr');
  return besideEngine(
    'values',
    (mix) => `/v1/values?dataset=ggr${queryOf(mix)}`,
    asked,
    (mix) =>
      dimensions.map((name) => {
        const others = Object.fromEntries(Object.entries(mix).filter(([other]) => other !== name));
        return `SELECT ${name}, count(*) FROM ggr WHERE ${whereOf(others) || 'true'} GROUP BY 1`;
      }),
    { [SMALL_ROWS]: 2, [LARGE_ROWS]: 40 },
  );
}

/** By country and year under one filter never asked before, 1 client: beside the engine's GROUP BY, in process. */
export async function totalsByCountry(): Promise<Figure[]> {
  const asked = Array.from({ length: REQUESTS }, (_, i) => ({
    product: [
      `Product ${String(i % 12).padStart(2, '0')}`,
      `Product ${String((i * 5 + 1 + Math.floor(i / 12)) % 12).padStart(2, '0')}`,
    ],
  }));
  const by = ['country', 'year', 'state', 'fx'];
  const named = by.map((name) => `&by=${name}`).join('');
  return besideEngine(
    'totals',
    (mix) => `/v1/totals?dataset=ggr${named}${queryOf(mix)}`,
    asked,
    (mix) => [`SELECT ${by}, sum(ggr), count(*) FROM ggr WHERE ${whereOf(mix)} GROUP BY ALL ORDER BY ALL`],
    { [SMALL_ROWS]: 5, [LARGE_ROWS]: 60 },
  );
}

/** All changes between two months of 3 million rows, never asked before, while another client asks for a hot page. */
export async function changesOfMonths(): Promise<Figure[]> {
  const dataDir = await twoMonthsOf(LARGE_ROWS);
  const server = await startOurs(dataDir);
  const statusOf = async (asked: string, snapshot: string) => {
    const key = server.to.headers.slice('x-api-key: '.length, -2);
    const headers = { 'x-api-key': key, 'X-Snapshot': snapshot };
    const response = await fetch(`http://127.0.0.1:${server.to.port}${asked}`, { headers });
    await response.arrayBuffer();
    return response.status;
  };
  const [mix] = mixes(1, 300);
  const page = pathOf(mix ?? {});
  // Opens the older month: the merge is measured, not the reading of a file.
  let status = 503;
  for (
    const endMs = performance.now() + 60_000;
    status === 503 && performance.now() < endMs;
    await sleep(500)
  )
    status = await statusOf(page, '2026-10');
  mustEqual('the older month', status, 200);
  const hot = { ...server.to, clients: 1, paths: [page], seconds: 4 };
  await loadOf(hot);
  const during = loadOf(hot);
  const begun = performance.now();
  const asked = '/v1/changes?dataset=ggr&since=2026-10&limit=1';
  mustEqual(asked, await statusOf(asked, '2026-11'), 200);
  const seconds = (performance.now() - begun) / 1000;
  const { latenciesMs } = await during;
  await server.stop();
  return [
    { what: 'changes, never asked, 3 M rows', unit: 's', value: seconds, better: 'lower', atMost: 2 },
    {
      what: 'the longest wait of a hot page meanwhile',
      unit: 'ms',
      value: percentile(latenciesMs, 1),
      better: 'lower',
      atMost: 20,
    },
  ];
}

async function besideEngine(
  what: string,
  pathOf: (mix: Mix) => string,
  asked: readonly Mix[],
  statements: (mix: Mix) => readonly string[],
  atMost: Readonly<Record<number, number>>,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const rows of SIZES) {
    const dataDir = await dataDirOf(rows);
    const server = await startOurs(dataDir);
    await ready(server);
    // Repeats would be answered from the cache.
    const paths = [...new Set(asked.map(pathOf))];
    await loadOf({
      ...server.to,
      clients: 1,
      paths: paths.slice(0, 5).map((one) => `${one}&year=2010`),
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
    for (const mix of asked.slice(0, 10)) {
      const begun = performance.now();
      for (const statement of statements(mix)) await connection.runAndReadAll(statement);
      engineMs.push(performance.now() - begun);
    }
    close();
    figures.push({
      what: `${what}, 1 client, p50, ${label(rows)}`,
      unit: 'ms',
      value: median(latenciesMs),
      reference: median(engineMs),
      referenceName: 'GROUP BY in process',
      better: 'lower',
      atMost: atMost[rows] ?? 0,
    });
  }
  return figures;
}
