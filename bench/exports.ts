// Benchmarks of files: exports beside references, pages during exports, and pages as CSV.

import { execFile } from 'node:child_process';
import { createWriteStream, mkdtempSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openDuckDb, parquetRows } from '../src/duckdb.ts';
import { dataDirOf, LARGE_ROWS, mixes, pathOf } from './benchSnapshots.ts';
import { besideIdle, type Figure, median, ofRounds, percentile } from './figure.ts';
import { keyOf, loadOf, type Running, ready, startOurs, startReference } from './measuredProcesses.ts';
import { pythonWith } from './python.ts';

const ROUNDS = 7;
/** How many rounds short downloads have. Such a download takes only some hundredths of a second, and varies by as much. */
const SHORT_ROUNDS = 41;

interface Contest {
  readonly format: string;
  /** Downloads the same file from the reference, and returns the seconds that it took. */
  readonly timeReference: () => Promise<number>;
  readonly referenceName: string;
  /** The most time that our server may take, as a multiple of the reference. */
  readonly mark: number;
  readonly rounds: number;
}

/** Exports all 3 million rows in each format, in turns with a reference. Measures the seconds and the growth of memory. */
export async function exportsOfAll(): Promise<Figure[]> {
  const dataDir = await dataDirOf(LARGE_ROWS);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'data-api-bench-exports-'));
  const published = path.join(dataDir, 'current', 'ggr.parquet');
  const server = await startOurs(dataDir);
  await ready(server);
  const arrow = path.join(folder, 'ggr.arrow');
  await download(server, '/v1/export/ggr.arrow', arrow);
  const [bareParquet, bareArrow] = await Promise.all(
    [published, arrow].map((file) => startReference('bareExpress.js', file)),
  );
  const contests: readonly Contest[] = [
    {
      format: 'parquet',
      timeReference: () => bareSeconds(bareParquet, published),
      referenceName: 'bare Express, same file',
      mark: 1 / 0.8,
      rounds: SHORT_ROUNDS,
    },
    {
      format: 'csv',
      timeReference: () => copySeconds(published, folder),
      referenceName: 'COPY to disk',
      mark: 2,
      rounds: ROUNDS,
    },
    {
      format: 'arrow',
      timeReference: () => bareSeconds(bareArrow, arrow),
      referenceName: 'bare Express, same bytes',
      mark: 2,
      rounds: SHORT_ROUNDS,
    },
  ];
  const figures: Figure[] = [];
  for (const contest of contests) figures.push(...(await figuresOf(contest, server)));
  for (const running of [server, bareParquet, bareArrow]) await running?.stop();
  await rm(folder, { recursive: true });
  return figures;
}

async function figuresOf(
  { format, timeReference, referenceName, mark, rounds }: Contest,
  server: Awaited<ReturnType<typeof startOurs>>,
): Promise<Figure[]> {
  const urlPath = `/v1/export/ggr.${format}`;
  // The first download compiles the code of both sides.
  await download(server, urlPath);
  await timeReference();
  const before = server.memoryBytes();
  const [ours, reference, sizes]: [number[], number[], number[]] = [[], [], []];
  let grown = 0;
  for (let round = 0; round < rounds; round++) {
    // The order changes every round, because the second of two downloads is faster: the processor is warm by then.
    if (round % 2 === 1) reference.push(await timeReference());
    const { seconds, bytes } = await download(server, urlPath);
    ours.push(seconds);
    sizes.push(bytes);
    grown = Math.max(grown, server.memoryBytes() - before);
    if (round % 2 === 0) reference.push(await timeReference());
  }
  return [
    {
      what: `export as ${format}, ${Math.round(median(sizes) / 1e6)} MB`,
      unit: 's',
      ...ofRounds(ours),
      reference: median(reference),
      referenceName,
      better: 'lower',
      mark,
    },
    { what: `memory grown by ${format}`, unit: 'MB', value: grown / 1e6, better: 'lower', atMost: 64 },
  ];
}

/**
 * Exports a million rows as a workbook. The reference is xlsxwriter in constant-memory mode. Its time begins when the
 * rows are in memory.
 */
export async function workbookOfAMillion(): Promise<Figure[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'data-api-bench-xlsx-'));
  const server = await startOurs(await dataDirOf(LARGE_ROWS));
  await ready(server);
  const selection = '?fx=USD';
  const csv = path.join(folder, 'rows.csv');
  await download(server, `/v1/export/ggr.csv${selection}`, csv);
  await download(server, '/v1/export/ggr.xlsx?fx=USD&year=2010');
  const before = server.memoryBytes();
  const ours: number[] = [];
  for (let round = 0; round < 3; round++)
    ours.push((await download(server, `/v1/export/ggr.xlsx${selection}`)).seconds);
  const grown = server.memoryBytes() - before;
  await server.stop();
  const reference = await xlsxwriterSeconds(csv, path.join(folder, 'rows.xlsx'));
  await rm(folder, { recursive: true });
  const besides =
    reference === null ? {} : { reference, referenceName: 'xlsxwriter, constant memory', mark: 0.5 };
  return [
    { what: 'export as xlsx, a million rows', unit: 's', ...ofRounds(ours), better: 'lower', ...besides },
    { what: 'memory grown by xlsx', unit: 'MB', value: grown / 1e6, better: 'lower', atMost: 64 },
  ];
}

/** Requests a cached page with 8 clients, in turns alone and while four exports run. */
export async function hotPageDuringExports(): Promise<Figure[]> {
  const dataDir = await dataDirOf(LARGE_ROWS);
  const server = await startOurs(dataDir);
  await ready(server);
  const [mix] = mixes(1, 300);
  const job = { ...server.to, clients: 8, paths: [pathOf(mix ?? {})], seconds: 4 };
  const keys = [keyIn(server), await keyOf(dataDir)];
  const [idleMs, busyMs, sentMegabytes]: [number[], number[], number[]] = [[], [], []];
  const p99 = async () => percentile((await loadOf(job)).latenciesMs, 0.99);
  await p99();
  for (let round = 0; round < ROUNDS; round++) {
    idleMs.push(await p99());
    const exporting = exportWithoutEnd(server, keys);
    busyMs.push(await p99());
    sentMegabytes.push((await exporting.stop()) / 1e6 / job.seconds);
  }
  await server.stop();
  return [
    besideIdle('hot page during four exports, 8 clients, p99', busyMs, idleMs),
    {
      what: 'sent by these exports',
      unit: 'MB/s',
      ...ofRounds(sentMegabytes),
      better: 'higher',
    },
  ];
}

/**
 * Starts four clients, two for each key, that export all rows again and again. `stop` returns the bytes they have
 * received.
 */
function exportWithoutEnd(server: Running, keys: readonly string[]): { stop(): Promise<number> } {
  let isRunning = true;
  let bytes = 0;
  const clients = ['csv', 'arrow', 'csv', 'xlsx?fx=USD'].map(async (format, i) => {
    const client = { to: { ...server.to, headers: `x-api-key: ${keys[i % 2]}\r\n` } };
    while (isRunning) {
      const sent = await download(client, `/v1/export/ggr.${format}`, undefined, () => isRunning);
      bytes += sent.bytes;
    }
  });
  return {
    async stop() {
      isRunning = false;
      await Promise.all(clients);
      return bytes;
    },
  };
}

/** Requests pages of 1,000 rows that were never requested before, with 8 clients, as CSV and as JSON. */
export async function csvPages(): Promise<Figure[]> {
  const server = await startOurs(await dataDirOf(LARGE_ROWS));
  await ready(server);
  const [csv, json]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const paths = mixes(1200, 700 + round).map((mix) => pathOf(mix, 1000));
    for (const [rates, some, accept] of [
      [csv, paths.slice(0, 600), 'text/csv'],
      [json, paths.slice(600), 'application/json'],
    ] as const) {
      const headers = `${server.to.headers}Accept: ${accept}\r\n`;
      const load = { ...server.to, headers, clients: 8, paths: some, requests: some.length };
      const { answered, seconds } = await loadOf(load);
      // The first round compiles the code of both sides.
      if (round > 0) rates.push(answered / seconds);
    }
  }
  await server.stop();
  return [
    {
      what: 'CSV pages of 1,000 rows, 8 clients',
      unit: 'a second',
      ...ofRounds(csv),
      reference: median(json),
      referenceName: 'JSON',
      better: 'higher',
      mark: 0.8,
    },
  ];
}

const keyIn = ({ to }: Pick<Running, 'to'>) => to.headers.slice('x-api-key: '.length, -2);

/** Downloads a path once, into `file` if given. Without `file`, it stops early when `goesOn` returns false. */
async function download(
  server: Pick<Running, 'to'>,
  urlPath: string,
  file?: string,
  goesOn = () => true,
): Promise<{ readonly seconds: number; readonly bytes: number }> {
  const startMs = performance.now();
  const headers = server.to.headers === '' ? {} : { 'x-api-key': keyIn(server) };
  const response = await new Promise<http.IncomingMessage>((resolve, reject) =>
    http
      .get({ host: '127.0.0.1', port: server.to.port, path: urlPath, headers }, resolve)
      .once('error', reject),
  );
  if (response.statusCode !== 200) throw new Error(`${urlPath} answered ${response.statusCode}`);
  let bytes = 0;
  if (file !== undefined) await pipeline(response, createWriteStream(file));
  else
    for await (const chunk of response) {
      bytes += (chunk as Buffer).length;
      if (!goesOn()) break;
    }
  return { seconds: (performance.now() - startMs) / 1000, bytes };
}

async function bareSeconds(bare: Running | undefined, file: string): Promise<number> {
  if (!bare) throw new Error('no reference');
  const { seconds, bytes } = await download(bare, '/v1/financials');
  if (bytes !== (await stat(file)).size) throw new Error('the reference sent another file');
  return seconds;
}

async function copySeconds(file: string, folder: string): Promise<number> {
  const { connections, close } = await openDuckDb();
  const target = path.join(folder, 'copy.csv');
  const startMs = performance.now();
  await connections[0].run(`COPY (FROM ${parquetRows(file)}) TO '${target}' (FORMAT csv)`);
  const seconds = (performance.now() - startMs) / 1000;
  close();
  return seconds;
}

/**
 * The seconds that xlsxwriter takes to write the rows of a csv file. Null when it cannot be installed; a line on stderr
 * then says why.
 */
async function xlsxwriterSeconds(csv: string, target: string): Promise<number | null> {
  const [requirements, script] = ['requirements-xlsx.txt', 'xlsxwriter_rows.py'].map((name) =>
    fileURLToPath(new URL(`../../bench/${name}`, import.meta.url)),
  );
  const python = await pythonWith(requirements ?? '');
  if ('missing' in python) {
    process.stderr.write(`xlsx: no reference: ${python.missing}\n`);
    return null;
  }
  const { stdout } = await promisify(execFile)(python.interpreter, [script ?? '', csv, target]);
  return Number(stdout);
}
