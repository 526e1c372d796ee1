// Benchmarks of the team's page: its list of ten thousand keys.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import express from 'express';
import { sessionsOf } from '../src/access/people/sessions.ts';
import { dayLog, KEY_IDS, keyRecord } from '../src/access/redis/keyNames.ts';
import { hashOf } from '../src/access/secret.ts';
import { createPages } from '../src/http/pages/pages.ts';
import { type Figure, ofRounds } from './figure.ts';
import { aRedis } from './keysAndLimits.ts';

const KEYS = 10_000;
const ROUNDS = 9;
const IDLE_MS = 10 * 60_000;
const MOST_MS = 100;
/** How long a turn of the event loop may take. Requests to the API wait for the end of a turn. */
const MOST_TURN_MS = 20;

/**
 * Requests the list over HTTP as a signed-in person. The client shares the process and the event loop with the server.
 */
export async function listOfKeys(): Promise<Figure[]> {
  const redis = await aRedis();
  await writeKeys(redis.client);
  const sessions = sessionsOf(redis.client);
  const { token } = await sessions.createLink({ by: 'bench', name: 'bench', role: 'viewer' });
  const cookie = (await sessions.signIn(token))?.cookie ?? '';
  const settings = {
    dataDir: redis.dataDir,
    publicUrl: 'http://127.0.0.1',
    rateLimits: { perMinute: 100, perDay: 10_000 },
  };
  const timesMs: Record<Look, number[]> = { first: [], idle: [], next: [], search: [], sort: [] };
  const turnsMs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    let idleMs = 0;
    const nowMs = () => performance.now() + idleMs;
    const pages = createPages({ redis: redis.client, observe: () => {}, settings, nowMs });
    const server = createServer(express().use(pages));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const turns = monitorEventLoopDelay({ resolution: 1 });
    turns.enable();
    const look = async (kind: Look, query = '') => {
      const startMs = performance.now();
      const answer = await fetch(`http://127.0.0.1:${port}/admin${query}`, {
        headers: { cookie: `session=${cookie}` },
      });
      const html = await answer.text();
      timesMs[kind].push(performance.now() - startMs);
      if (!html.includes('active keys')) throw new Error(`no list of keys: ${answer.status}`);
    };
    await look('first');
    await look('next');
    await look('search', '?q=desk+77');
    await look('sort', '?sort=label&dir=asc&page=100');
    idleMs = IDLE_MS;
    await look('idle');
    turns.disable();
    turnsMs.push(turns.max / 1e6);
    server.closeAllConnections();
    server.close();
  }
  await redis.close();
  const figure = (what: string, roundsMs: readonly number[], atMost: number): Figure => ({
    what,
    unit: 'ms',
    ...ofRounds(roundsMs),
    better: 'lower',
    atMost,
  });
  return [
    figure('10,000 keys: first look after idle minutes', timesMs.idle, MOST_MS),
    figure('10,000 keys: next look', timesMs.next, MOST_MS),
    figure('10,000 keys: search', timesMs.search, MOST_MS),
    figure('10,000 keys: sorted by label, page 100', timesMs.sort, MOST_MS),
    // This figure has no limit: in practice, a visit to the sign-in page reads the keys first.
    { what: '10,000 keys: first look of a process', unit: 'ms', ...ofRounds(timesMs.first), better: 'lower' },
    figure('10,000 keys: longest turn of the event loop', turnsMs, MOST_TURN_MS),
  ];
}

/** A request for the list: the first one of a process, one after idle minutes, the next one, a search, or a sorted page. */
type Look = 'first' | 'idle' | 'next' | 'search' | 'sort';

/** Writes active keys with different labels. Every third key has made a hundred requests. */
async function writeKeys(client: Awaited<ReturnType<typeof aRedis>>['client']): Promise<void> {
  const now = Date.now();
  const times = Array.from({ length: 100 }, (_, i) => String((now - 3_600_000 + i) * 1000));
  for (let from = 0; from < KEYS; from += 500) {
    const ids: Record<string, string> = {};
    const writes = Array.from({ length: 500 }, async (_, i) => {
      const id = `k${String(from + i).padStart(10, '0')}`;
      const hash = hashOf(id);
      ids[id] = hash;
      const record = {
        id,
        label: `Data desk ${from + i}`,
        state: 'active',
        last4: hash.slice(0, 4),
        created: now - i,
      };
      await client.hset(keyRecord(hash), { ...record, used: now });
      if (i % 3 === 0) await client.rpush(dayLog(hash), ...times);
    });
    await Promise.all(writes);
    await client.hset(KEY_IDS, ids);
  }
}
