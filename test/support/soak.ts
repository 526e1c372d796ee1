// A long run of publications, rollbacks, walks, exports, changing keys and clients that die, which must leak nothing.

import { mkdir, readdir, readFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomOf } from '../../bench/seededRandom.ts';
import { prune } from '../../ingest/store/prune.ts';
import { rollback } from '../../ingest/store/rollback.ts';
import { type Keys, keysOf } from '../../src/access/keys/keys.ts';
import { openRedis } from '../../src/access/redis/connection.ts';
import { freePort } from './freePort.ts';
import { SEED } from './seed.ts';
import { spawnServer } from './serverProcess.ts';
import { aDataDir, aRow, publishRows } from './snapshot.ts';

export interface Soak {
  /** How often each kind of client finished. Clients that a removal or a 503 stopped are counted separately. */
  readonly counts: Readonly<Record<string, number>>;
  /** The first few wrong answers, in words. */
  readonly wrong: readonly string[];
  /** Open file descriptors before and after the load. */
  readonly descriptors: readonly [before: number, after: number];
  readonly timers: readonly [before: number, after: number];
  /** Files that the server left in its temporary folder. */
  readonly temporaryFiles: readonly string[];
  /** How often Redis was too slow to check requests, which is not a fault on a busy machine. */
  readonly unchecked: number;
  /** Resident memory without that of caches: after a third of the time or ten minutes, and at the end. */
  readonly memoryMb: readonly [early: number, late: number];
}

const draw = randomOf(SEED);

const ROWS = 600;
const MANY = '1000000000';

/** Rows that name their snapshot, so that an answer with rows of two snapshots is noticed. */
const rowsOf = (id: string) =>
  Array.from({ length: ROWS }, (_, i) => aRow('ggr', { year: 1000 + i, product: id, ggr: i }));

/** @param pauseMs The pause of each client between two rounds. It leaves time for other tests. */
export async function soak(seconds: number, pauseMs = 0): Promise<Soak> {
  const { dataDir, remove } = await aDataDir();
  const temporary = path.join(dataDir, 'temporary');
  await mkdir(temporary);
  await publishRows(dataDir, '2026-11.1', { ggr: rowsOf('2026-11.1') });
  const METRICS_PORT = await freePort();
  const server = spawnServer({
    DATA_DIR: dataDir,
    PORT: await freePort(),
    METRICS_PORT,
    LOG_LEVEL: 'error',
    TMPDIR: temporary,
    RATE_LIMIT_PER_MINUTE: MANY,
    RATE_LIMIT_PER_DAY: MANY,
  });
  const url = await server.url();
  const redis = openRedis({ address: null, dataDir });
  await redis.untilAnswered(60_000);
  const keys = keysOf(redis.client);
  const { key } = await keys.issue({ label: 'soak', by: 'test' });
  const state = () => stateOf(server.child.pid ?? 0, METRICS_PORT);
  try {
    while ((await fetch(`${url}/readyz`)).status !== 200) await sleep(50);
    const before = await state();
    const clients = new Clients(performance.now() + seconds * 1000, pauseMs);
    const early = sleep(Math.min(600, seconds / 3) * 1000).then(state);
    await Promise.all([
      clients.repeat('publications', publisher(dataDir)),
      clients.repeat('walks', () => walk(url, key)),
      clients.repeat('walks', () => walk(url, key)),
      clients.repeat('exports', () => exportOnce(url, key)),
      clients.repeat('keys', () => oneKey(url, keys)),
      clients.repeat('deaths', () => die(url, key)),
    ]);
    // Waits until running requests have ended and idle snapshots are closed.
    let after = await state();
    for (let i = 0; i < 600 && (isMore(after, before) || (await readdir(temporary)).length > 0); i++) {
      await sleep(100);
      after = await state();
    }
    const logged = server.stderr.split('\n').filter((line) => line !== '');
    // Messages of a busy machine: Redis was delayed by a quarter of a second before the first, by two seconds before the
    // other.
    const isUnchecked = (line: string) => /requests cannot be checked|Redis is away/.test(line);
    return {
      counts: clients.counts,
      wrong: [...clients.wrong, ...logged.filter((line) => !isUnchecked(line))],
      unchecked: logged.filter(isUnchecked).length,
      descriptors: [before.descriptors, after.descriptors],
      timers: [before.timers, after.timers],
      temporaryFiles: await readdir(temporary),
      memoryMb: [(await early).memoryMb, after.memoryMb],
    };
  } finally {
    await redis.close();
    server.child.kill('SIGTERM');
    await server.ended;
    await remove();
  }
}

/** Clients that repeat an action until `endMs` on the clock of `performance`. */
class Clients {
  readonly counts: Record<string, number> = {};
  /** The first ten errors. */
  readonly wrong: string[] = [];
  readonly #endMs: number;
  readonly #pauseMs: number;

  constructor(endMs: number, pauseMs: number) {
    this.#endMs = endMs;
    this.#pauseMs = pauseMs;
  }

  /** @param act Resolves to false when a removal or a 503 stopped it before its end. */
  async repeat(name: string, act: () => Promise<boolean>): Promise<void> {
    this.counts[name] ??= 0;
    while (performance.now() < this.#endMs) {
      const isDone = await act().catch((error: unknown) => {
        if (this.wrong.length < 10) this.wrong.push(`${name}: ${error}`);
        return false;
      });
      const counted = isDone ? name : `${name} stopped`;
      this.counts[counted] = (this.counts[counted] ?? 0) + 1;
      if (this.#pauseMs > 0) await sleep(this.#pauseMs);
    }
  }
}

interface State {
  readonly descriptors: number;
  readonly timers: number;
  readonly memoryMb: number;
}

/** Whether more is open than before. Older snapshots stay open for 45 s, and the connections of fetch for some seconds. */
const isMore = (after: State, before: State) =>
  after.descriptors > before.descriptors || after.timers > before.timers;

async function stateOf(pid: number, metricsPort: string): Promise<State> {
  const metrics = await (
    await fetch(`http://127.0.0.1:${metricsPort}/metrics`, { headers: { connection: 'close' } })
  ).text();
  const [, timers = '0'] = /^nodejs_active_resources\{type="Timeout"\} (\d+)$/m.exec(metrics) ?? [];
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  // Caches grow to their capacities, which takes minutes or hours.
  const cached = [...metrics.matchAll(/^data_api_cache_bytes\{.*\} (\d+)$/gm)].map(([, bytes]) =>
    Number(bytes),
  );
  const cachedMb = cached.reduce((sum, bytes) => sum + bytes, 0) / 2 ** 20;
  const descriptors = (await readdir(`/proc/${pid}/fd`)).length;
  return { descriptors, timers: Number(timers), memoryMb: Number(kilobytes) / 1024 - cachedMb };
}

/** Publishes; every third time it also rolls back and removes old snapshots. */
function publisher(dataDir: string): () => Promise<boolean> {
  let revision = 1;
  return async () => {
    revision += 1;
    const id = `2026-11.${revision}`;
    await publishRows(dataDir, id, { ggr: rowsOf(id) });
    await sleep(300);
    if (revision % 3 !== 0) return true;
    await rollback(dataDir, undefined, { at: new Date() });
    await prune({ dataDir, keep: 4, dryRun: false, at: new Date() });
    await sleep(300);
    return true;
  };
}

/**
 * Walks through all rows. Every page must be of the snapshot that its header names and with which the walk began, and the
 * walk must have as many rows as the snapshot. Returns false when the snapshot was removed meanwhile or was not opened in
 * time.
 */
async function walk(url: string, key: string): Promise<boolean> {
  let cursor = '';
  let first: string | null = null;
  let rows = 0;
  do {
    const response = await fetch(`${url}/v1/financials?metric=ggr&limit=97${cursor}`, {
      headers: { 'x-api-key': key, connection: 'close' },
    });
    const body = (await response.json()) as Page;
    // The snapshot of the walk was removed meanwhile, or was not opened in time.
    if (response.status === 503 || (response.status === 400 && cursor !== '')) return false;
    if (response.status !== 200) throw new Error(`status ${response.status}: ${JSON.stringify(body)}`);
    const snapshot = response.headers.get('x-snapshot');
    first ??= snapshot;
    if (snapshot !== first) throw new Error(`a walk of ${first} was continued in ${snapshot}`);
    for (const { dimensions, values } of body.data) {
      if (dimensions.product !== snapshot) throw new Error(`${snapshot} answered with ${dimensions.product}`);
      if (values.ggr !== Number(dimensions.year) - 1000)
        throw new Error(`${dimensions.year} has ${values.ggr}`);
    }
    rows += body.data.length;
    cursor = body.pagination.has_more ? `&cursor=${body.pagination.cursor}` : '';
  } while (cursor !== '');
  if (rows !== ROWS) throw new Error(`a walk of ${first} had ${rows} rows`);
  return true;
}

interface Page {
  readonly data: readonly {
    readonly dimensions: Readonly<Record<string, string | number>>;
    readonly values: { readonly ggr: number };
  }[];
  readonly pagination: { readonly cursor: string | null; readonly has_more: boolean };
}

async function exportOnce(url: string, key: string): Promise<boolean> {
  const format = ['csv', 'parquet', 'arrow', 'xlsx'][Math.floor(performance.now()) % 4] ?? 'csv';
  const response = await fetch(`${url}/v1/export/ggr.${format}?country=Malta`, {
    headers: { 'x-api-key': key, connection: 'close' },
  });
  const body = await response.text();
  if (response.status === 503) return false;
  if (response.status !== 200) throw new Error(`status ${response.status}`);
  if (format !== 'csv') return true;
  const snapshot = String(response.headers.get('x-snapshot'));
  const lines = body.trim().split('\r\n').slice(1);
  if (lines.length !== ROWS || !lines.every((line) => line.includes(snapshot)))
    throw new Error(`an export of ${snapshot} had ${lines.length} rows, or others`);
  return true;
}

/** Makes a key, uses it and revokes it. It must be admitted at first, and refused after the revocation. */
async function oneKey(url: string, keys: Keys): Promise<boolean> {
  const { key, id } = await keys.issue({ label: 'passing', by: 'test' });
  const ask = async () =>
    (await fetch(`${url}/v1/catalog`, { headers: { 'x-api-key': key, connection: 'close' } })).status;
  const statuses = [await ask()];
  await keys.revoke(id, 'test');
  statuses.push(await ask());
  const isRight = [200, 503].includes(statuses[0] ?? 0) && [401, 429, 503].includes(statuses[1] ?? 0);
  if (!isRight) throw new Error(`a key was answered ${statuses.join(', then ')}`);
  return !statuses.includes(503);
}

/** A client that vanishes: before, during or after its request, or while it reads. */
async function die(url: string, key: string): Promise<boolean> {
  const request = `GET /v1/export/ggr.csv HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\n\r\n`;
  const socket = net.connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
  socket.on('error', () => {});
  socket.write(request.slice(0, Math.floor(draw() * 2 * request.length)));
  await sleep(draw() * 30);
  socket.resetAndDestroy();
  return true;
}
