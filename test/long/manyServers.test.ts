// Three servers behind HAProxy with Redis and Sentinels, or a Redis Cluster: restarts and failovers under load.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { invitesOf } from '../../src/access/invites/invites.ts';
import { keysOf } from '../../src/access/keys/keys.ts';
import { keyRecord } from '../../src/access/redis/keyNames.ts';
import { hashOf } from '../../src/access/secret.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { notTried } from '../support/notTried.ts';
import { aDataDir, type DataDir, publishRows } from '../support/snapshot.ts';
import { type Load, startLoad } from '../support/steadyLoad.ts';
import {
  failuresOf,
  figuresOf,
  issueKey,
  missingPrograms,
  type ProxiedServers,
  startProxiedServers,
} from './proxiedServers.ts';
import { startSentinels } from './sentinel.ts';

const missing = missingPrograms();
if (missing.length > 0) notTried(`${missing.join(' and ')} is not installed`);
const long = missing.length === 0 ? it : it.skip;

const PER_SECOND = Number(process.env.PER_SECOND ?? 200);

let data: DataDir;
beforeAll(async () => {
  data = await aDataDir();
  await publishRows(data.dataDir, '2026-11.1');
});
afterAll(() => data.remove());

/** Runs `act` with three servers that use this Redis, then ends them. */
async function withServers(
  redis: { readonly url: string; close(): Promise<void> },
  act: (site: ProxiedServers) => Promise<void>,
): Promise<void> {
  const site = await startProxiedServers({ dataDir: data.dataDir, redisUrl: redis.url }).catch(
    async (error) => {
      await redis.close();
      throw error;
    },
  );
  try {
    await act(site);
  } finally {
    await site.close();
    await redis.close();
  }
}

const load = (site: ProxiedServers, keys: readonly string[]) => {
  let next = 0;
  const headers = () => ({ 'x-api-key': keys[next++ % keys.length] ?? '' });
  return startLoad(`${site.url}/v1/financials?metric=ggr`, headers, PER_SECOND);
};

/** Expects only correct answers, and 503 in the documented form. */
function expectOnlyUnavailable(loaded: Load): void {
  expect(loaded.wrong).toEqual([]);
  expect([...loaded.statuses.keys()].sort()).toEqual([200, 503]);
  for (const reason of loaded.reasons.keys())
    expect(reason).toMatch(/^503 of the (proxy|server): \{"error":"Service temporarily unavailable/);
}

/** Repeats a request while the answer is 503, for half a minute at most. */
async function answerOf(ask: () => Promise<number>): Promise<number> {
  for (let turns = 0; turns < 300; turns++) {
    const answer = await ask();
    if (answer !== 503) return answer;
    await sleep(100);
  }
  return 503;
}

long(
  'restarts every server in turn without a failed request and without an admission too many',
  async () => {
    const redis = await startSentinels();
    await withServers(redis, async (site) => {
      const [loaded, small] = [await issueKey(redis.client, 1_000_000), await issueKey(redis.client, 40)];
      // The longest query passes the proxy. With HAProxy's usual buffers of 16 KiB it would be refused, in HTML.
      const many = Array.from({ length: 4500 }, (_, i) => `country=C${1000 + i}`).join('&');
      const longest = await fetch(`${site.url}/v1/financials?metric=ggr&${many}`, {
        headers: { 'x-api-key': loaded.key },
      });
      expect([longest.status, await longest.text()]).toEqual([200, expect.stringContaining('"row_count":0')]);
      const loading = load(site, [loaded.key]);
      await sleep(2000);
      // The key with the small limit sends requests all the time, within one window.
      let admitted = 0;
      const begunMs = Date.now();
      let isDone = false;
      const asking = (async () => {
        while (!isDone && Date.now() - begunMs < 55_000) {
          if ((await site.ask(small.key)) === 200) admitted += 1;
          await sleep(100);
        }
      })();
      for (const server of site.servers) {
        await site.restart(server);
        await sleep(1000);
      }
      isDone = true;
      await asking;
      await loading.stop();
      process.stderr.write(
        `rolling restart: ${figuresOf(loading)}; ${site.tooSlow()} × Redis too slow; ${admitted} of a limit of 40 admitted\n`,
      );
      expect(loading.wrong).toEqual([]);
      expect(failuresOf(loading, site)).toEqual([]);
      expect(admitted).toBeLessThanOrEqual(40);
      expect(admitted).toBeGreaterThan(20);
      expect(loading.asked).toBeGreaterThan(PER_SECOND * 5);
    });
  },
  300_000,
);

long(
  'outlives the master of Redis: only 503 until a replica is promoted, and what was revoked stays so',
  async () => {
    const redis = await startSentinels();
    await withServers(redis, async (site) => {
      const [loaded, revoked] = [await issueKey(redis.client, 1_000_000), await issueKey(redis.client, 1000)];
      const loading = load(site, [loaded.key]);
      await sleep(2000);
      expect(await site.ask(revoked.key)).toBe(200);
      expect(await keysOf(redis.client).revoke(revoked.id, 'test')).toBe('revoked');
      await redis.killMaster();
      await sleep(1000);
      expect(await answerOf(() => site.ask(revoked.key))).toBe(401);
      await sleep(3000);
      await loading.stop();
      process.stderr.write(`failover by Sentinels: ${figuresOf(loading)}\n`);
      expectOnlyUnavailable(loading);
      // In the last second, all requests succeed again.
      expect(await site.ask(loaded.key)).toBe(200);
    });
  },
  300_000,
);

long(
  'serves the keys of the other masters while one master of a Redis Cluster is away, and all of them afterwards',
  async () => {
    const cluster = await startCluster();
    await withServers(cluster, async (site) => {
      const issued = await Promise.all(Array.from({ length: 12 }, () => issueKey(cluster.client, 1000)));
      const answers = async () => Promise.all(issued.map(({ key }) => site.ask(key)));
      expect(new Set(await answers())).toEqual(new Set([200]));
      const [node] = cluster.nodes;
      await node?.kill();
      await sleep(3000);
      const away = await answers();
      expect(new Set(away)).toEqual(new Set([200, 503]));
      await node?.start();
      let back: number[] = [];
      for (let turns = 0; turns < 100 && (back.includes(503) || back.length === 0); turns++) {
        await sleep(200);
        back = await answers();
      }
      expect(new Set(back)).toEqual(new Set([200]));
    });
  },
  300_000,
);

long(
  'outlives a master of a Redis Cluster: only 503 until its replica is promoted, and no revocation or claim is lost',
  async () => {
    const cluster = await startCluster({ hasReplicas: true });
    await withServers(cluster, async (site) => {
      const [victim] = cluster.nodes;
      const loaded = await keysOnEveryMaster(cluster, 1_000_000);
      const small = await keysOnEveryMaster(cluster, LIMIT);
      const revoked = await keysOnEveryMaster(cluster, 1000);
      const loading = load(
        site,
        loaded.map(({ key }) => key),
      );
      const meters = small.map(({ key }) => startMeter(() => site.ask(key)));
      await sleep(2000);
      // Keys are revoked and links claimed just before the master dies.
      const outcomes = await Promise.all(revoked.map(({ id }) => keysOf(cluster.client).revoke(id, 'test')));
      expect(new Set(outcomes)).toEqual(new Set(['revoked']));
      const claimed = await Promise.all(Array.from({ length: 12 }, () => claimOne(cluster)));
      // test/access/redis/waitForReplica.test.ts tests the 100 ms for which a change waits. A busy machine needs longer.
      await Promise.all(cluster.nodes.map(({ client }) => client.wait(1, 30_000)));
      const killedMs = performance.now();
      await victim?.kill();
      const deadMs = performance.now();
      for (const { key } of revoked) expect(await answerOf(() => site.ask(key))).toBe(401);
      for (const key of claimed) expect(await answerOf(() => site.ask(key))).toBe(200);
      await sleep(3000);
      await loading.stop();
      // Every key uses up its limit within one window.
      const over = await Promise.all(
        meters.map(async (meter) => {
          const { admitted, isRefused } = await meter.stop();
          expect(isRefused).toBe(true);
          const isLast = ({ askedMs, answeredMs }: Admitted) =>
            answeredMs > killedMs - 1000 && askedMs < deadMs;
          return { over: Math.max(0, admitted.length - LIMIT), tail: admitted.filter(isLast).length };
        }),
      );
      process.stderr.write(
        `failover of a cluster: ${figuresOf(loading)}; admitted above the limit of ${LIMIT}: ` +
          `${over.map((one) => one.over)} of ${over.map(({ tail }) => tail)} in the last second\n`,
      );
      expectOnlyUnavailable(loading);
      for (const one of over) expect(one.over).toBeLessThanOrEqual(one.tail);
      expect(await site.ask(loaded[0]?.key ?? '')).toBe(200);
    });
  },
  300_000,
);

/** A limit that is used up within half a minute, and on a busy machine within one. */
const LIMIT = 100;

/** When a request was sent, and when it was answered with 200. */
interface Admitted {
  readonly askedMs: number;
  readonly answeredMs: number;
}

/** Sends requests until one is refused, within a window of the limit. */
function startMeter(ask: () => Promise<number>) {
  const admitted: Admitted[] = [];
  let isRefused = false;
  const begunMs = performance.now();
  const asking = (async () => {
    while (!isRefused && performance.now() - begunMs < 55_000) {
      const askedMs = performance.now();
      const status = await ask();
      if (status === 200) admitted.push({ askedMs, answeredMs: performance.now() });
      isRefused = status === 429;
      await sleep(250);
    }
  })();
  return {
    async stop() {
      await asking;
      return { admitted, isRefused };
    },
  };
}

/** Makes keys until each master has some, so that the death of any master affects keys. */
async function keysOnEveryMaster(cluster: Cluster, perMinute: number) {
  const issued: Awaited<ReturnType<typeof issueKey>>[] = [];
  const counts = [0, 0, 0];
  while (Math.min(...counts) < 3) {
    const one = await issueKey(cluster.client, perMinute);
    const name = keyRecord(hashOf(one.key));
    for (const [i, { client }] of cluster.nodes.entries())
      counts[i] = (counts[i] ?? 0) + (await client.exists(name).catch(() => 0));
    issued.push(one);
  }
  return issued;
}

async function claimOne({ client }: Cluster): Promise<string> {
  const invites = invitesOf(client);
  const { token } = await invites.create({ label: 'test', claimableMs: 60_000, by: 'test' });
  const claim = await invites.claim(token);
  if (claim.outcome !== 'claimed') throw new Error(`a claim is ${claim.outcome}`);
  return claim.key;
}
