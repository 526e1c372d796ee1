// Benchmarks of keys and limits: the gate alone, the catalog with key and limits, and the memory of keys.

import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { RedisStore } from 'rate-limit-redis';
import { createGate, type Gate } from '../src/access/gate/gate.ts';
import { keysOf } from '../src/access/keys/keys.ts';
import { type OpenRedis, openRedis } from '../src/access/redis/connection.ts';
import { dayLog, dayOf, KEY_IDS, keyRecord, minuteLog, usageOfDay } from '../src/access/redis/keyNames.ts';
import { hashOf } from '../src/access/secret.ts';
import { dataDirOf, SMALL_ROWS } from './benchSnapshots.ts';
import { type Figure, median, ofRounds } from './figure.ts';
import { inTurns } from './harness.ts';
import { loadOf, type Running, startOurs, startReference } from './measuredProcesses.ts';
import { fetchOnce, fileOf } from './serving.ts';

const ROUNDS = 5;
const CLIENTS = [1, 64] as const;
const MANY = 1_000_000_000;

/**
 * Calls our gate, which looks up a key and counts in two windows. The reference increments two counts of rate-limit-redis,
 * one for the minute and one for the day.
 */
export async function gateAlone(): Promise<Figure[]> {
  const ours = await aRedis();
  const stock = openRedis({ address: null, dataDir: ours.dataDir });
  await stock.untilAnswered(10_000);
  const hashes = await someKeys(ours, 50);
  const gate = createGate(ours.client, { perMinute: MANY, perDay: MANY });
  const [minute, day] = await Promise.all([stockStore(stock, 60_000), stockStore(stock, 86_400_000)]);
  const figures: Figure[] = [];
  for (const clients of CLIENTS) {
    const times = clients === 1 ? 5000 : 40_000;
    const measured = await inTurns(ROUNDS, {
      ours: () => rate(clients, times, (i) => admit(gate, hashes[i % hashes.length] ?? '')),
      one: () => rate(clients, times, (i) => minute.increment(hashes[i % hashes.length] ?? '')),
      two: () =>
        rate(clients, times, async (i) => {
          await minute.increment(hashes[i % hashes.length] ?? '');
          await day.increment(hashes[i % hashes.length] ?? '');
        }),
    });
    const figure = (what: string, referenceName: string, reference: readonly number[]): Figure => ({
      what: `gate alone, ${clients} at once`,
      unit: what,
      ...ofRounds(measured.ours),
      reference: median(reference),
      referenceName,
      better: 'higher',
    });
    figures.push(
      { ...figure('a second', 'stock, two windows', measured.two), ...(clients === 64 && { mark: 1 }) },
      figure('a second', 'stock, one window', measured.one),
    );
  }
  await stock.close();
  await ours.close();
  return figures;
}

/** Requests the catalog from our server. The reference is Express with two stock limiters, which sends the same bytes. */
export async function limitedCatalog(): Promise<Figure[]> {
  const dataDir = await dataDirOf(SMALL_ROWS);
  const server = await startOurs(dataDir);
  const file = await fileOf(await fetchOnce(server, '/v1/catalog'));
  const redis = await aRedis();
  const [, socket = ''] = (await redis.client.call('CONFIG', 'GET', 'unixsocket')) as string[];
  const stock = await startReference('stockLimiters.js', file, socket);
  const requestRate = async ({ to }: Running, clients: number) => {
    const result = await loadOf({
      port: to.port,
      headers: server.to.headers,
      clients,
      paths: ['/v1/catalog'],
      seconds: 2,
    });
    return result.answered / result.seconds;
  };
  const figures: Figure[] = [];
  for (const clients of CLIENTS) {
    const measured = await inTurns(ROUNDS, {
      ours: () => requestRate(server, clients),
      stock: () => requestRate(stock, clients),
    });
    figures.push({
      what: `catalog with key and limits, ${clients} at once`,
      unit: 'a second',
      ...ofRounds(measured.ours),
      reference: median(measured.stock),
      referenceName: 'Express, two stock limiters',
      better: 'higher',
      ...(clients === 64 && { mark: 1 }),
    });
  }
  await stock.stop();
  await server.stop();
  await redis.close();
  return figures;
}

/**
 * The memory of a key, as Redis reports it: for a key that was never used, and for a key that has used up both of its
 * limits.
 */
export async function keyMemory(): Promise<Figure[]> {
  const redis = await aRedis();
  const [hash = ''] = await someKeys(redis, 1);
  const idle = await memoryOf(redis, hash);
  // The limit of the day is used up first. Here a minute lasts 1 ms, so that the limit of the minute does not interfere.
  const day = createGate(redis.client, { perMinute: MANY, perDay: 9900, minuteMs: 1 });
  await rate(64, 9900, () => admit(day, hash));
  await redis.client.del(minuteLog(hash));
  const minute = createGate(redis.client, { perMinute: 100, perDay: 10_000 });
  await rate(64, 100, () => admit(minute, hash));
  const full = await memoryOf(redis, hash);
  await redis.close();
  return [
    { what: 'memory of an idle key', unit: 'bytes', value: idle, better: 'lower', atMost: 1000 },
    { what: 'memory of a fully used key', unit: 'bytes', value: full, better: 'lower', atMost: 110_000 },
  ];
}

/** The bytes of all entries in Redis that belong to a key, and of the list of ids. */
async function memoryOf({ client }: OpenRedis, hash: string): Promise<number> {
  let bytes = 0;
  const today = usageOfDay(hash, dayOf(Date.now()));
  for (const name of [keyRecord(hash), minuteLog(hash), dayLog(hash), today, KEY_IDS])
    bytes += Number((await client.memory('USAGE', name, 'SAMPLES', 0)) ?? 0);
  return bytes;
}

/** A private Redis in a new folder. */
export async function aRedis(): Promise<OpenRedis & { readonly dataDir: string }> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'bench-'));
  const redis = openRedis({ address: null, dataDir });
  await redis.untilAnswered(10_000);
  return { ...redis, dataDir };
}

async function someKeys({ client }: OpenRedis, count: number): Promise<string[]> {
  const keys = keysOf(client);
  const hashes: string[] = [];
  for (let i = 0; i < count; i++)
    hashes.push(hashOf((await keys.issue({ label: `bench ${i}`, by: 'bench' })).key));
  return hashes;
}

async function stockStore({ client }: OpenRedis, windowMs: number): Promise<RedisStore> {
  const store = new RedisStore({
    prefix: `stock:${windowMs}:`,
    sendCommand: (command, ...args) => client.call(command, ...args) as Promise<number[]>,
  });
  // The store reads only this option.
  await store.init({ windowMs } as Parameters<RedisStore['init']>[0]);
  return store;
}

async function admit(gate: Gate, hash: string): Promise<void> {
  const { outcome } = await gate.admit(hash);
  if (outcome !== 'admitted') throw new Error('a request within the limits was refused');
}

/** How many calls a second `clients` clients complete. Each client waits for the end of its call before the next one. */
async function rate(clients: number, times: number, act: (i: number) => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  let i = 0;
  const client = async () => {
    while (i < times) await act(i++);
  };
  await Promise.all(Array.from({ length: clients }, client));
  return (times / (performance.now() - startMs)) * 1000;
}
