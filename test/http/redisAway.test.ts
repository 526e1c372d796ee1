// Ruling 25 on a real server and a real Redis, which is stopped, frozen, emptied and started again.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keysOf } from '../../src/access/keys/keys.ts';
import { mintKey } from '../../src/access/keys/keyText.ts';
import { isDeep } from '../support/depth.ts';
import { freePort } from '../support/freePort.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { retryUnavailable } from '../support/retryUnavailable.ts';
import { type ServerProcess, spawnServer } from '../support/serverProcess.ts';
import { aDataDir, publishRows } from '../support/snapshot.ts';
import { expectWithin } from '../support/within.ts';

let redis: TestRedis;
let dataDir: string;
let remove: () => Promise<void>;
let server: ServerProcess;
let url: string;
beforeAll(async () => {
  redis = await startRedis();
  ({ dataDir, remove } = await aDataDir());
  await publishRows(dataDir, '2026-11.1');
  // Redis does not run when the server starts.
  await redis.kill();
  const startMs = performance.now();
  server = spawnServer({ DATA_DIR: dataDir, REDIS_URL: redis.url, PORT: await freePort() });
  url = await server.url();
  expect(performance.now() - startMs).toBeGreaterThan(1900);
});
afterEach(() => {
  // A failed test may leave Redis paused. The next test would then wait forever.
  redis.resume();
  // A rejection that nobody handles would end the process.
  expect(server.child.exitCode).toBeNull();
  expect(server.stderr).not.toMatch(/unhandled|"level":60/i);
});
afterAll(async () => {
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  redis.resume();
  await redis.close();
  await remove();
});

const asked = async (key: string) => {
  const response = await fetch(`${url}/v1/catalog`, { headers: { 'x-api-key': key } });
  return { status: response.status, headers: response.headers, json: (await response.json()) as object };
};

async function aKey(): Promise<string> {
  for (;;) {
    const issued = await keysOf(redis.client)
      .issue({ label: 'test', by: 'test' })
      .catch(() => null);
    if (issued) return issued.key;
    await sleep(20);
  }
}

/** Retries after a 503, which a busy machine sometimes causes. Such a request is not counted. */
const admitted = (key: string) => retryUnavailable(() => asked(key));

/** Expects that no request is admitted, waits long, or gets headers with limits that were not looked up. */
async function expectAway(key: string): Promise<void> {
  const answers = await expectWithin(300, () => Promise.all([asked(key), asked(mintKey()), asked(key)]));
  for (const { status, headers, json } of answers) {
    expect({ status, json }).toEqual({
      status: 503,
      json: { error: 'Service temporarily unavailable — please try again later' },
    });
    expect(headers.get('retry-after')).toBe('1');
    expect([...headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([]);
  }
  expect((await asked('nonsense')).status).toBe(401);
}

/** Sends requests until one is admitted. Gives what then remains of the minute. */
async function recovered(key: string): Promise<number> {
  const backMs = performance.now();
  for (;;) {
    const { status, headers } = await asked(key);
    if (status === 200) {
      expect(performance.now() - backMs).toBeLessThan(isDeep ? 1500 : 60_000);
      return Number(headers.get('x-ratelimit-remaining'));
    }
    expect(status).toBe(503);
    await sleep(20);
  }
}

describe('without Redis', () => {
  let begun: Promise<void> | null = null;
  /** Starts Redis for the first time, whichever test comes first. */
  const begin = () => {
    begun ??= (async () => {
      await expectAway(mintKey());
      await redis.start();
      const key = await aKey();
      await recovered(key);
    })();
    return begun;
  };
  beforeEach(begin);

  it('starts, answers 503, and serves requests as soon as Redis runs', begin);

  it('answers 503 while Redis is killed, then counts every admission once', async () => {
    const key = await aKey();
    for (const _ of [1, 2, 3]) expect((await admitted(key)).status).toBe(200);
    await redis.kill();
    for (const _ of [1, 2, 3]) await expectAway(key);
    // After a restart, Redis knows no script.
    await redis.start();
    expect(await recovered(key)).toBe(96);
  });

  it('counts at least the admitted and at most the sent requests when Redis is killed under load', async () => {
    const key = await aKey();
    const answers = Array.from({ length: 60 }, async (_, i) => {
      await sleep(i);
      return (await asked(key)).status;
    });
    await sleep(30);
    await redis.kill();
    const statuses = await Promise.all(answers);
    const admitted = statuses.filter((status) => status === 200).length;
    expect(statuses.filter((status) => status === 503)).toHaveLength(60 - admitted);
    await redis.start();
    const left = await recovered(key);
    // Requests that were under way when Redis died may have been counted without an answer.
    expect(left).toBeLessThanOrEqual(99 - admitted);
    expect(left).toBeGreaterThanOrEqual(99 - 60);
  });

  it('answers 503 while Redis is paused, and does not count those requests when it resumes', async () => {
    const key = await aKey();
    expect((await admitted(key)).status).toBe(200);
    redis.pause();
    for (let i = 0; i < 8; i++) {
      await expectAway(key);
      await sleep(200);
    }
    redis.resume();
    expect(await recovered(key)).toBe(98);
  });

  it('counts requests correctly after SCRIPT FLUSH', async () => {
    const key = await aKey();
    for (let i = 0; i < 5; i++) {
      await redis.client.call('SCRIPT', 'FLUSH');
      expect((await admitted(key)).headers.get('x-ratelimit-remaining')).toBe(String(99 - i));
    }
  });

  it('admits no request on a replica, and admits requests once it is promoted to master', async () => {
    const key = await aKey();
    expect((await admitted(key)).status).toBe(200);
    await redis.client.call('REPLICAOF', '127.0.0.1', '1');
    for (const _ of [1, 2, 3]) expect((await asked(key)).status).toBe(503);
    // Looking up an unknown key writes nothing. So a replica can answer it with 401, unless the same call has a known key.
    expect([401, 503]).toContain((await asked(mintKey())).status);
    await redis.client.call('REPLICAOF', 'NO', 'ONE');
    expect(await recovered(key)).toBe(98);
  });
});
