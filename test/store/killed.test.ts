// Publications and servers that use a store are killed.

import { readdir, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { currentId, snapshotDirectory, snapshotIds } from '../../src/catalog/dataDirectory.ts';
import { DATASET_NAMES } from '../../src/catalog/datasets.ts';
import { ObjectStore } from '../../src/store/objectStore.ts';
import { itInDepth, some } from '../support/depth.ts';
import { freePort } from '../support/freePort.ts';
import { type KilledCommand, killedAt, killedWhen } from '../support/killedCommand.ts';
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

/** How many changes of the disk, or requests to the store, a command makes at most. */
const MOST_STEPS = 300;

describe('a command that is killed before each of its steps', () => {
  const current = () => JSON.parse(String(store.objects.get('team/current.json'))).current;
  const idsHere = () => snapshotIds(month.dataDir);
  /** The whole snapshots of the store, without the current one. */
  const olderIds = () =>
    [...store.objects.keys()].flatMap((name) => {
      const id = /snapshots\/(.+)\/manifest/.exec(name)?.[1] ?? current();
      return id === current() ? [] : [id];
    });
  /** A snapshot of the store that is not current. */
  function older(): string {
    const id = olderIds().at(-1);
    if (id === undefined) throw new Error('the store has only the current snapshot');
    return id;
  }
  function removeFromStore(id: string): void {
    for (const name of [...store.objects.keys()])
      if (name.startsWith(`team/snapshots/${id}/`)) store.objects.delete(name);
  }
  /** The snapshots that the store has a manifest of, so that they count as whole, and that nobody can pull. */
  async function wronglyWhole(): Promise<string[]> {
    const { dataDir } = await aDataDir();
    const wrong: string[] = [];
    for (const id of olderIds()) {
      const { code, stderr } = await ingestCommand(dataDir, ['pull', id], settings);
      if (code !== 0) wrong.push(stderr);
    }
    await rm(dataDir, { recursive: true, force: true });
    return wrong;
  }
  interface Command {
    /** Prepares the work of the command, and gives its arguments. */
    readonly prepare: () => Promise<readonly string[]>;
    /** Whether running the same command again must complete it. Otherwise the next command tidies up. */
    readonly isRepeated?: true;
  }
  const COMMANDS: Readonly<Record<string, Command>> = {
    publish: {
      prepare: async () => {
        // This publication removes what killed ones have left. Otherwise each would have more to remove than the one before.
        await revise();
        expect(await run(...publishArgs())).toMatchObject({ code: 0 });
        await revise();
        return publishArgs();
      },
    },
    rollback: { prepare: async () => ['rollback', older()] },
    'rollback to a snapshot that only the store has': {
      prepare: async () => {
        const id = older();
        await rm(snapshotDirectory(month.dataDir, id), { recursive: true, force: true });
        return ['rollback', id];
      },
    },
    push: {
      prepare: async () => {
        const id = older();
        removeFromStore(id);
        return ['push', id];
      },
      isRepeated: true,
    },
    pull: {
      prepare: async () => {
        const id = older();
        await rm(snapshotDirectory(month.dataDir, id), { recursive: true, force: true });
        return ['pull', id];
      },
      isRepeated: true,
    },
  };

  /** Runs a command until it is killed before its n-th change of the disk. */
  const byChange = (args: readonly string[], step: number) =>
    killedAt(month.dataDir, args, ['', '', step], settings);
  /** Runs a command until it is killed before its n-th request to the store. */
  async function byRequest(args: readonly string[], step: number): Promise<KilledCommand> {
    let requests = 0;
    const run = await killedWhen(
      month.dataDir,
      args,
      (kill) => {
        store.before = async () => {
          if (++requests !== step) return;
          kill();
          await sleep(50);
          throw new Error('the client has gone');
        };
      },
      settings,
    );
    store.before = () => {};
    return run;
  }

  const CASES = Object.entries(COMMANDS).flatMap(([name, command]) => [
    // A push changes nothing on the disk.
    ...(name === 'push' ? [] : [[name, command, 'changes of the disk', byChange] as const]),
    [name, command, 'requests to the store', byRequest] as const,
  ]);
  for (const [name, { prepare, isRepeated = false }, steps, killed] of CASES)
    itInDepth(
      `${name}, killed before its ${steps}, leaves machine and store whole`,
      async () => {
        // Two more months, so that a push or a pull has a snapshot that is not current.
        while ((await idsHere()).length < 2) {
          await revise();
          expect(await run(...publishArgs())).toMatchObject({ code: 0 });
        }
        for (let step = 1; step < MOST_STEPS; step++) {
          // Every check reads all snapshots, so old ones are removed.
          await run('prune', '--keep', '3');
          for (const id of olderIds().slice(0, -2)) removeFromStore(id);
          const args = await prepare();
          const { signal, code, output } = await killed(args, step);
          if (isRepeated) {
            expect([step, output, await wronglyWhole()]).toEqual([step, output, []]);
            expect(await run(...args)).toMatchObject({ code: 0 });
          }
          expect([step, output, await wrongInStore(month.dataDir, opened())]).toEqual([step, output, []]);
          if (signal !== null) continue;
          expect([code, output]).toEqual([0, output]);
          expect(step).toBeGreaterThan(4);
          process.stderr.write(`${name} by ${killed.name}: ${step - 1} steps\n`);
          return;
        }
        throw new Error(`more than ${MOST_STEPS} steps`);
      },
      900_000,
    );

  it('leaves nothing of a download that the next command does not remove', async () => {
    await revise();
    expect(await run(...publishArgs())).toMatchObject({ code: 0 });
    const args = await (COMMANDS.pull as Command).prepare();
    const { signal } = await killedAt(month.dataDir, args, ['rename', `incoming/${args[1]}`], settings);
    expect(signal).toBe('SIGKILL');
    expect(await readdir(month.dataDir)).toContain('incoming');
    await run('prune', '--keep', '9');
    expect(await readdir(month.dataDir)).not.toContain('incoming');
  });
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
