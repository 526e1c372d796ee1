// The rows of the table that ask for more than rows: values, totals and exports, beside the engine and bare Express.

import { rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openDuckDb, parquetRows } from '../src/duckdb.ts';
import { dataDirOf, LARGE_ROWS, type Mix, mixes, SMALL_ROWS } from './data.ts';
import { type Figure, median } from './figures.ts';
import { loadOf, type Running, startOurs, startReference } from './processes.ts';

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
  const dimensions = [
    'year',
    'region',
    'country',
    'state',
    'category',
    'product',
    'channel',
    'sub_channel',
    'fx',
    'temporal',
  ];
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

/** All 3 million rows as a file: seconds, and what the process grows by. */
export async function exportsOfAll(): Promise<Figure[]> {
  const dataDir = await dataDirOf(LARGE_ROWS);
  const file = path.join(dataDir, 'current', 'ggr.parquet');
  const server = await startOurs(dataDir);
  const figures: Figure[] = [];
  for (const [format, reference, referenceName, mark] of [
    ['parquet', () => bareSeconds(file), 'bare Express, same file', 1 / 0.8],
    ['csv', () => copySeconds(file), 'COPY to disk', 2],
    ['arrow', null, '', 0],
  ] as const) {
    await download(server, `/v1/export/ggr.${format}`);
    const before = server.memoryBytes();
    const { seconds, bytes } = await download(server, `/v1/export/ggr.${format}`);
    const grown = server.memoryBytes() - before;
    const besides = reference && { reference: await reference(), referenceName, mark };
    figures.push(
      {
        what: `export as ${format}, ${Math.round(bytes / 1e6)} MB`,
        unit: 's',
        value: seconds,
        better: 'lower',
        ...besides,
      },
      { what: `memory grown by ${format}`, unit: 'MB', value: grown / 1e6, better: 'lower', atMost: 64 },
    );
  }
  await server.stop();
  return figures;
}

async function download({ to }: Pick<Running, 'to'>, asked: string) {
  const begun = performance.now();
  const key = to.headers.slice('x-api-key: '.length, -2);
  const response = await fetch(`http://127.0.0.1:${to.port}${asked}`, {
    headers: { 'x-api-key': key, 'Accept-Encoding': 'identity' },
  });
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += chunk.length;
  if (response.status !== 200) throw new Error(`${asked} answered ${response.status}`);
  return { seconds: (performance.now() - begun) / 1000, bytes };
}

async function bareSeconds(file: string): Promise<number> {
  const bare = await startReference('bare.js', file);
  const { seconds, bytes } = await download(bare, '/v1/financials');
  await bare.stop();
  if (bytes !== (await stat(file)).size) throw new Error('the reference sent another file');
  return seconds;
}

async function copySeconds(file: string): Promise<number> {
  const { connections, close } = await openDuckDb();
  const target = path.join(os.tmpdir(), `data-api-bench-${process.pid}.csv`);
  const begun = performance.now();
  await connections[0].run(`COPY (FROM ${parquetRows(file)}) TO '${target}' (FORMAT csv)`);
  const seconds = (performance.now() - begun) / 1000;
  close();
  await rm(target, { force: true });
  return seconds;
}
