// The memory of a server stays within the bounds of its caches for any requests.

import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '../support/freePort.ts';
import { aKeyOf, type ServerProcess, spawnServer } from '../support/serverProcess.ts';
import { aDataDir, type DataDir, publishSql } from '../support/snapshot.ts';
import { NEVER_REPEATED_ROWS, neverRepeated } from './neverRepeatedQueries.ts';

/** As many queries as an hour brings at 28 a second. */
const QUERIES = 100_000;
const MANY = '1000000000';

let directory: DataDir;
let server: ServerProcess;
const METRICS_PORT = freePort();
beforeAll(async () => {
  directory = await aDataDir();
  await publishSql(directory.dataDir, '2026-11.1', { ggr: NEVER_REPEATED_ROWS });
  server = spawnServer({
    DATA_DIR: directory.dataDir,
    PORT: await freePort(),
    METRICS_PORT: await METRICS_PORT,
    ACCESS_LOG: 'off',
    RATE_LIMIT_PER_MINUTE: MANY,
    RATE_LIMIT_PER_DAY: MANY,
    WARM_UP_SECONDS: '3',
  });
  await server.url();
});
afterAll(async () => {
  server.child.kill('SIGTERM');
  await server.ended;
  await directory.remove();
});

const residentBytes = () =>
  1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1]);

/** The sum of a metric over its labels. */
async function sumOf(metric: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${await METRICS_PORT}/metrics`)).text();
  const values = text.matchAll(new RegExp(`^${metric}\\{.*\\} (\\S+)$`, 'gm'));
  return [...values].reduce((sum, [, value]) => sum + Number(value), 0);
}

test('an hour of queries that are never repeated takes no more memory than the bounds of all caches', async () => {
  const url = await server.url();
  const headers = { 'x-api-key': await aKeyOf(directory.dataDir) };
  while ((await fetch(`${url}/readyz`)).status !== 200) await sleep(50);
  const idleBytes = residentBytes();
  let next = 0;
  let served = 0;
  const client = async () => {
    while (next < QUERIES) {
      const path = neverRepeated(next++);
      const response = await fetch(url + path, { headers });
      await response.arrayBuffer();
      // On a busy machine the gate may be late, which gives 503.
      if (response.status === 200) served += 1;
      else if (response.status !== 503) throw new Error(`${path}: ${response.status}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  expect(served).toBeGreaterThan(0.9 * QUERIES);
  const bounds = await sumOf('data_api_cache_capacity_bytes');
  expect(await sumOf('data_api_cache_bytes')).toBeLessThanOrEqual(bounds);
  expect(residentBytes() - idleBytes).toBeLessThanOrEqual(1.2 * bounds);
}, 1_800_000);
