// Publications and servers that use a store are killed.

import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { currentId } from '../../src/catalog/dataDirectory.ts';
import { DATASET_NAMES } from '../../src/catalog/datasets.ts';
import { ObjectStore } from '../../src/store/objectStore.ts';
import { itInDepth, some } from '../support/depth.ts';
import { freePort } from '../support/freePort.ts';
import { killedWhen } from '../support/killedCommand.ts';
import { aMonth, csvOf, type Month } from '../support/month.ts';
import { STORE_LOGIN, startStore, type TestStore } from '../support/objectStoreServer.ts';
import { ingestCommand } from '../support/runInProcess.ts';
import { type ServerProcess, spawnServer } from '../support/serverProcess.ts';
import { wrongInStore } from '../support/sharedStoreWorld.ts';
import { aDataDir, aRow } from '../support/snapshot.ts';

let store: TestStore;
let month: Month;
let settings: Record<string, string>;
let round = 0;

const run = (...args: readonly string[]) => ingestCommand(month.dataDir, args, settings);
const opened = () =>
  new ObjectStore(
    { bucket: 'snapshots', prefix: 'team/' },
    { AWS_ENDPOINT_URL: store.endpoint, ...STORE_LOGIN },
  );
const publishArgs = () => ['publish', month.directory, '--month', '2026-11'];
/** Writes something new to publish. */
const revise = () => month.write({ 'ggr.csv': csvOf('ggr', [aRow('ggr', { ggr: 100 + ++round / 1000 })]) });

beforeAll(async () => {
  [store, month] = await Promise.all([startStore(), aMonth()]);
  settings = { SNAPSHOT_STORE: 's3://snapshots/team', AWS_ENDPOINT_URL_S3: store.endpoint, ...STORE_LOGIN };
  await revise();
  expect((await run(...publishArgs())).code).toBe(0);
});
afterAll(() => Promise.all([store.close(), month.remove()]));

describe('a publication that is killed', () => {
  const MOMENTS = [
    ['while it pushes', /^PUT team\/snapshots\/.*manifest/, false],
    ['right after it has won', /^DELETE team\/reserved/, true],
  ] as const;
  it.each(some(MOMENTS, 1))(
    '%s leaves every machine with a whole current snapshot',
    async (_, moment, hasWon) => {
      const before = JSON.parse(String(store.objects.get('team/current.json'))).current;
      await revise();
      const { signal } = await killedWhen(
        month.dataDir,
        publishArgs(),
        (kill) => {
          store.before = async (request) => {
            if (!moment.test(request)) return;
            kill();
            store.before = () => {};
            await sleep(50);
            throw new Error('the client has gone');
          };
        },
        settings,
      );
      expect(signal).toBe('SIGKILL');
      const now = JSON.parse(String(store.objects.get('team/current.json'))).current;
      expect(now !== before).toBe(hasWon);
      expect(await wrongInStore(month.dataDir, opened())).toEqual([]);
      expect(await currentId(month.dataDir)).toBe(now);
      await revise();
      expect(await run(...publishArgs())).toMatchObject({ code: 0 });
      expect([...store.objects.keys()].filter((name) => name.includes('/reserved/'))).toEqual([]);
    },
  );
});

describe('servers as processes', () => {
  // test/store/lock.test.ts tests that only one of several processes has the lock, and test/store/followStore.test.ts
  // that the remains of a killed download are removed.
  itInDepth(
    'take up a snapshot after one was killed while it downloaded; of two on one folder one downloads',
    async () => {
      const there = await aDataDir();
      const running: ServerProcess[] = [];
      const start = async () => {
        const PORT = await freePort();
        const all = { ...settings, DATA_DIR: there.dataDir, PORT, SNAPSHOT_POLL_SECONDS: '1' };
        const one = spawnServer(all);
        running.push(one);
        return { one, PORT };
      };
      const idOf = async (port: string) =>
        fetch(`http://127.0.0.1:${port}/readyz`)
          .then(async (answer) => JSON.parse(await answer.text()))
          .then(({ snapshot, store: state }) => [snapshot?.id, state])
          .catch(() => null);
      try {
        const killed = await start();
        let isDownloading = false;
        store.before = (request) => {
          if (!request.includes('ggr.parquet') || isDownloading) return;
          isDownloading = true;
          killed.one.child.kill('SIGKILL');
        };
        await killed.one.ended;
        expect([isDownloading, await currentId(there.dataDir)]).toEqual([true, null]);
        store.requests.length = 0;
        // The first download lasts until every process has polled the store twice.
        const looks = () => store.requests.filter((request) => request === 'GET team/current.json').length;
        store.before = async (request) => {
          for (let turns = 0; request.endsWith('.parquet') && looks() < 5 && turns < 1200; turns++)
            await sleep(50);
        };
        const servers = await Promise.all([start(), start()]);
        const current = JSON.parse(String(store.objects.get('team/current.json'))).current;
        for (const { PORT } of servers)
          for (let turns = 0; JSON.stringify(await idOf(PORT)) !== JSON.stringify([current, 'up']); turns++) {
            if (turns > 2400) throw new Error(`${running.map(({ stderr }) => stderr)}`);
            await sleep(50);
          }
        const downloads = store.requests.filter((request) => request.endsWith('.parquet'));
        expect([...new Set(downloads)].length).toBe(DATASET_NAMES.length);
        expect(downloads.length).toBe(DATASET_NAMES.length);
      } finally {
        for (const { child } of running) child.kill('SIGTERM');
        await Promise.all(running.map(({ ended }) => ended));
        await rm(there.dataDir, { recursive: true, force: true });
      }
    },
  );
});
