// Exports while the temporary disk is full.

import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { canMount, startWithDisks } from '../support/disks.ts';
import { freePort } from '../support/freePort.ts';
import { patientFetch } from '../support/retryUnavailable.ts';
import { aKeyOf, WITHOUT_WARM_UP } from '../support/serverProcess.ts';
import { aDataDir, publishRows } from '../support/snapshot.ts';

/** Starts a server with a temporary disk of its own, which is full. */
const SCRIPT = `
  mount -t tmpfs -o size=4k none /mnt
  head -c 4096 /dev/zero > /mnt/fill
  TMPDIR=/mnt exec "$NODE" dist/src/start.js`;

/** Matches the log of an export that failed because the disk is full. */
const FULL = /"level":50.*No space left on device.*"msg":"failed"/;

it('a filtered Parquet export is 503 with Retry-After while the temporary disk is full, and succeeds when there is room', async () => {
  if (!canMount()) return;
  const { dataDir, remove } = await aDataDir();
  await publishRows(dataDir, '2026-11.1');
  const key = await aKeyOf(dataDir);
  const PORT = await freePort();
  const child = startWithDisks(SCRIPT, { ...WITHOUT_WARM_UP, DATA_DIR: path.resolve(dataDir), PORT });
  child.stdout.resume();
  let log = '';
  child.stderr.on('data', (chunk) => {
    log += chunk;
  });
  const ended = once(child, 'close');
  const url = `http://127.0.0.1:${PORT}`;
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) await sleep(50);
  const ask = async (file: string, request = patientFetch) => {
    const response = await request(`${url}/v1/export/${file}?country=Malta`, {
      headers: { 'x-api-key': key },
    });
    await response.arrayBuffer();
    return [response.status, response.headers.get('retry-after')];
  };
  try {
    // When a busy machine delays Redis, the answer is 503, too. Only the log has the reason.
    for (let times = 0; times < 40 && !FULL.test(log); times++) {
      expect(await ask('ggr.parquet', fetch)).toEqual([503, '1']);
      await sleep(50);
    }
    for (const file of ['ggr.csv', 'ggr.xlsx', 'ggr.arrow']) expect(await ask(file)).toEqual([200, null]);
    await rm(`/proc/${child.pid}/root/mnt/fill`);
    expect(await ask('ggr.parquet')).toEqual([200, null]);
  } finally {
    child.kill('SIGTERM');
    await ended;
    await remove();
  }
  expect(log).toMatch(FULL);
});
