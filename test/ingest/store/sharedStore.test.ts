// Commands that publish to a store that machines share.

import { mkdir, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { nextRevision } from '../../../ingest/store/publicationOrder.ts';
import { rollback } from '../../../ingest/store/rollback.ts';
import { joinStore } from '../../../ingest/store/sharedStore.ts';
import { verify } from '../../../ingest/store/verify.ts';
import { snapshotAsOf } from '../../../src/catalog/asOf.ts';
import { currentId, snapshotIds } from '../../../src/catalog/dataDirectory.ts';
import { DATASET_NAMES } from '../../../src/catalog/datasets.ts';
import { readHistory } from '../../../src/catalog/readHistory.ts';
import { ObjectStore } from '../../../src/store/objectStore.ts';
import { pullSnapshot } from '../../../src/store/snapshotCopies.ts';
import { isDeep, itInDepth, some } from '../../support/depth.ts';
import { aMonth, csvOf, type Month } from '../../support/month.ts';
import { STORE_LOGIN, startStore, type TestStore } from '../../support/objectStoreServer.ts';
import { ingestCommand, type Ran } from '../../support/runInProcess.ts';
import { aDataDir, aRow, type DataDir, publishRows } from '../../support/snapshot.ts';

let store: TestStore;
let sources: Month;
let here: DataDir;
let there: DataDir;
beforeAll(async () => {
  sources = await aMonth();
});
afterAll(() => sources.remove());
beforeEach(async () => {
  [store, here, there] = await Promise.all([startStore(), aDataDir(), aDataDir()]);
});
afterEach(async () => {
  await Promise.all([store.close(), here.remove(), there.remove()]);
});

function run({ dataDir }: { dataDir: string }, ...args: readonly string[]): Promise<Ran> {
  const settings = {
    SNAPSHOT_STORE: 's3://snapshots/team',
    AWS_ENDPOINT_URL_S3: store.endpoint,
    ...STORE_LOGIN,
  };
  return ingestCommand(dataDir, args, settings);
}

/** Runs the command that publishes a month whose only ggr has this value. */
async function publish(where: { dataDir: string }, month: string, ggr = 1): Promise<Ran> {
  await sources.write({ 'ggr.csv': csvOf('ggr', [aRow('ggr', { ggr })]) });
  return run(where, 'publish', sources.directory, '--month', month);
}

/**
 * Runs only the part of a publication that uses the store, in a few milliseconds. It is for publications that come before
 * the tested one, or run at the same time.
 */
async function publishOnly({ dataDir }: { dataDir: string }, month: string, ggr = 1): Promise<void> {
  const login = { AWS_ENDPOINT_URL: store.endpoint, ...STORE_LOGIN };
  const shared = await joinStore(dataDir, new ObjectStore({ bucket: 'snapshots', prefix: 'team/' }, login));
  const revision = await nextRevision(dataDir, month, shared.usedIds);
  await publishRows(dataDir, `${month}.${revision}`, { ggr: [aRow('ggr', { ggr })] }, shared);
}

const state = () => JSON.parse(String(store.objects.get('team/current.json')));
const names = () => [...store.objects.keys()].map((name) => name.replace('team/', '')).sort();

/** Runs `act` once, just before this request of a publication is answered. */
function meanwhile(request: RegExp, act: () => Promise<unknown>): void {
  const { before } = store;
  let hasHappened = false;
  store.before = async (name) => {
    if (hasHappened || !request.test(name)) return await before(name);
    hasHappened = true;
    await act();
  };
}

it('list, diff and verify say that the store may have what this machine does not', async () => {
  await publishOnly(here, '2026-11');
  const ran = [
    await run(there, 'list'),
    await run(there, 'verify', '2026-11.1'),
    await run(there, 'diff', '2026-11.1', '2026-11.1'),
  ];
  const unknown =
    /^no snapshot 2026-11\.1; none is published yet; if the store has it, `ingest pull 2026-11\.1` /;
  expect(ran.map(({ code, stdout, stderr }) => [code, stdout || stderr])).toEqual([
    [0, expect.stringMatching(/^no snapshots yet\n.* of this machine; `ingest list --store` has /)],
    [2, expect.stringMatching(unknown)],
    [2, expect.stringMatching(unknown)],
  ]);
});

it('what a refused publication pushed is withdrawn from its manifest on, so that no half of it looks whole', async () => {
  await publishOnly(here, '2026-10');
  meanwhile(/^PUT team\/current/, async () => {
    store.faults.push(403);
  });
  await expect(publishOnly(here, '2026-11')).rejects.toThrow();
  const removed = store.requests.flatMap(
    (name) => /^DELETE team\/snapshots\/2026-11\.1\/(.*)/.exec(name)?.[1] ?? [],
  );
  expect(removed[0]).toBe('manifest.json');
  expect(removed.length).toBeGreaterThan(DATASET_NAMES.length);
  expect(names().filter((name) => name.includes('2026-11'))).toEqual([]);
});

it('a command can no longer be interrupted from right before the store switches', async () => {
  await publishOnly(here, '2026-10');
  await publishOnly(here, '2026-11');
  const login = { AWS_ENDPOINT_URL: store.endpoint, ...STORE_LOGIN };
  const bucket = new ObjectStore({ bucket: 'snapshots', prefix: 'team/' }, login);
  const order: string[] = [];
  const commit = () => order.push('commit');
  store.before = async (name) => {
    order.push(name.replace(/ .*\/current/, ' current'));
  };
  await rollback(here.dataDir, '2026-10.1', { at: new Date(), store: bucket, commit });
  expect(order[order.indexOf('commit') + 1]).toBe('PUT current.json');
  expect(order.filter((one) => one === 'commit' || one === 'PUT current.json')).toHaveLength(2);
  order.length = 0;
  const shared = await joinStore(here.dataDir, bucket);
  const observed: Pick<typeof shared, 'publish'> = {
    publish: (entry, directory, done) =>
      shared.publish(entry, directory, () => {
        commit();
        done();
      }),
  };
  await publishRows(here.dataDir, '2026-12.1', {}, observed);
  expect(order[order.indexOf('commit') + 1]).toBe('PUT current.json');
  expect(order.filter((one) => one === 'commit' || one === 'PUT current.json')).toHaveLength(2);
});

describe('a link `current` whose snapshot is gone', () => {
  const removeHere = () =>
    rm(path.join(here.dataDir, 'snapshots/2026-11.1'), { recursive: true, force: true });

  it('gets its snapshot from the store with the next command', async () => {
    await publishOnly(here, '2026-11');
    await removeHere();
    expect(await run(here, 'rollback', '2026-11.1')).toMatchObject({ code: 0 });
    expect(await verify(here.dataDir, '2026-11.1')).toEqual([]);
  });

  it('can be led to another snapshot where the store lacks this one, too', async () => {
    await publishOnly(here, '2026-10');
    await publishOnly(here, '2026-11');
    await removeHere();
    for (const name of [...store.objects.keys()])
      if (name.includes('snapshots/2026-11.1/')) store.objects.delete(name);
    expect(await run(here, 'rollback', '2026-10.1')).toMatchObject({ code: 0 });
    expect(await currentId(here.dataDir)).toBe('2026-10.1');
  });
});

describe('publish with a store', () => {
  it('makes the snapshot current in the store and here, with one history for all', async () => {
    expect(await publish(here, '2026-10')).toMatchObject({ code: 0 });
    await publishOnly(here, '2026-11');
    expect(state().current).toBe('2026-11.1');
    expect(state().history).toEqual(await readHistory(here.dataDir));
    expect(names().filter((name) => name.startsWith('reserved/'))).toEqual([]);
    // Before another machine publishes, it fetches the current snapshot.
    expect(await publish(there, '2026-11', 0.999)).toMatchObject({ code: 0 });
    expect(await currentId(there.dataDir)).toBe('2026-11.2');
    expect(await readHistory(there.dataDir)).toEqual(state().history);
    expect((await readdir(path.join(there.dataDir, 'snapshots'))).sort()).toEqual(['2026-11.1', '2026-11.2']);
    const report = await readFile(path.join(there.dataDir, 'snapshots/2026-11.2/report.json'), 'utf8');
    expect(JSON.parse(report)).toMatchObject({ before: '2026-11.1' });
    // Then the first machine fetches that snapshot.
    expect(await publish(here, '2026-11', 0.999)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('2026-11.2'),
    });
    const today = new Date().toISOString().slice(0, 10);
    for (const { dataDir } of [here, there])
      expect(
        await snapshotAsOf(today, {
          dataDir,
          current: '2026-11.2',
          now: new Date(Date.now() + 2 * 86_400_000),
          ids: () => snapshotIds(dataDir),
        }),
      ).toBe('2026-11.2');
  });

  const MOMENTS = [
    ['right before it wins', /^PUT team\/current/],
    ['before it has reserved', /^PUT team\/reserved/],
    ['before it has pushed', /^PUT team\/snapshots\/2026-11\.\d\/manifest/],
  ] as const;
  it.each(some(MOMENTS, 1))('loses to somebody else %s, and leaves nothing behind', async (_, moment) => {
    await publishOnly(here, '2026-10');
    const copy = await aDataDir(here.dataDir);
    const before = [await currentId(here.dataDir), await readHistory(here.dataDir)];
    meanwhile(moment, () => publishOnly(copy, '2026-11', 0.998));
    const lost = await publish(here, '2026-11', 0.999);
    expect(await currentId(copy.dataDir)).toBe(state().current);
    expect([lost.code, lost.stderr]).toEqual([6, expect.stringMatching(/somebody else .+ run again/)]);
    expect([await currentId(here.dataDir), await readHistory(here.dataDir)]).toEqual(before);
    expect((await readdir(here.dataDir)).sort()).toEqual([
      'current',
      'history.jsonl',
      'ingest.lock',
      'snapshots',
    ]);
    const won = state().current;
    expect(state().history.map(({ id }: { id: string }) => id)).toEqual(['2026-10.1', won]);
    const snapshots = new Set(names().map((name) => name.split('/').slice(0, 2).join('/')));
    expect([...snapshots]).toEqual(['current.json', 'snapshots/2026-10.1', `snapshots/${won}`]);
    // All three leave the same state, so only one is run again.
    if (isDeep && String(moment).includes('current'))
      expect((await publish(here, '2026-11', 0.999)).code).toBe(0);
    await copy.remove();
  });

  it('removes what a killed publication left in the store, and never uses its id', async () => {
    await publishOnly(here, '2026-10');
    for (const file of [
      'snapshots/2026-11.1/ggr.parquet',
      'snapshots/2026-11.1/fx.parquet',
      'reserved/2026-11.1.json',
    ])
      store.objects.set(`team/${file}`, Buffer.from('{}'));
    expect((await publish(here, '2026-11')).code).toBe(0);
    expect(state().current).toBe('2026-11.2');
    expect(names().filter((name) => name.includes('2026-11.1'))).toEqual([]);
  });

  it('is refused while somebody else has reserved its id', async () => {
    await publishOnly(here, '2026-10');
    meanwhile(/^PUT team\/reserved/, async () => {
      store.objects.set('team/reserved/2026-11.1.json', Buffer.from('{}'));
    });
    const { code, stderr } = await publish(here, '2026-11');
    expect([code, stderr]).toEqual([
      6,
      expect.stringMatching(
        /somebody else is publishing 2026-11\.1 to .+; nothing was published here; .+ run again/,
      ),
    ]);
    expect([await currentId(here.dataDir), state().current]).toEqual(['2026-10.1', '2026-10.1']);
  });

  itInDepth('counts as won when only the answer was lost', async () => {
    await publishOnly(here, '2026-10');
    const lost: string[] = [];
    for (const moment of [/^PUT team\/reserved/, /^PUT team\/current/])
      meanwhile(moment, async () => {
        lost.push(moment.source);
        store.faults.push('lost');
      });
    expect(await publish(here, '2026-11')).toMatchObject({ code: 0 });
    expect(lost).toHaveLength(2);
    expect(state().current).toBe('2026-11.1');
    expect(await currentId(here.dataDir)).toBe('2026-11.1');
  });

  it('keeps the copy of its snapshot that a server on this machine downloads before it is in place', async () => {
    await publishOnly(here, '2026-10');
    const login = { AWS_ENDPOINT_URL: store.endpoint, ...STORE_LOGIN };
    const bucket = new ObjectStore({ bucket: 'snapshots', prefix: 'team/' }, login);
    meanwhile(/^PUT team\/current/, () => pullSnapshot(here.dataDir, '2026-11.1', bucket));
    await publishOnly(here, '2026-11');
    expect(await currentId(here.dataDir)).toBe('2026-11.1');
    expect(await readHistory(here.dataDir)).toEqual(state().history);
    expect(await verify(here.dataDir, '2026-11.1')).toEqual([]);
  });

  it('publishes nothing while the store is away', async () => {
    await publishOnly(here, '2026-10');
    const objects = new Map(store.objects);
    await store.close();
    const { code, stderr } = await publish(here, '2026-11');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/does not answer .+ check AWS_ENDPOINT_URL_S3/),
    ]);
    expect(await currentId(here.dataDir)).toBe('2026-10.1');
    expect(store.objects).toEqual(objects);
  });

  itInDepth(
    'says that the outcome is unknown when the store goes away in the last moment, and takes it up later',
    async () => {
      await publishOnly(here, '2026-10');
      let isAway = false;
      store.before = (request) => {
        if (request.startsWith('PUT team/current')) isAway = true;
        if (isAway) store.faults.push(request.startsWith('PUT') ? 'lost' : 503);
      };
      const { code, stderr } = await publish(here, '2026-11');
      expect([code, stderr]).toEqual([1, expect.stringMatching(/whether it did is unknown/)]);
      expect(await currentId(here.dataDir)).toBe('2026-10.1');
      store.before = () => {};
      store.faults.length = 0;
      expect(await publish(here, '2026-11')).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('2026-11.1'),
      });
      expect(await currentId(here.dataDir)).toBe('2026-11.1');
      expect(await readHistory(here.dataDir)).toEqual(state().history);
    },
  );

  itInDepth('removes what a killed publication has left, and does not use its id again', async () => {
    await publishOnly(here, '2026-11');
    for (const name of ['reserved/2026-11.2.json', 'snapshots/2026-11.2/manifest.json'])
      store.objects.set(`team/${name}`, Buffer.from('{}'));
    expect((await run(here, 'list', '--store')).stdout).toBe('2026-11.1  current\n');
    expect((await publish(here, '2026-11', 0.999)).stdout).toContain('2026-11.3');
    expect(names().filter((name) => name.includes('2026-11.2'))).toEqual([]);
    await publishOnly(here, '2026-11', 0.998);
    expect(await currentId(here.dataDir)).toBe('2026-11.4');
    // The publisher was still alive, and writes its manifest now. Its snapshot must not appear in the store.
    store.objects.set('team/snapshots/2026-11.2/manifest.json', Buffer.from('{}'));
    expect((await run(here, 'list', '--store')).stdout).not.toContain('2026-11.2');
  });

  it('is refused where the store ignores conditions', async () => {
    store.ignoresConditions = true;
    const { code, stderr } = await publish(here, '2026-11');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/ignores If-Match .+ use a store that honours/),
    ]);
    expect(await currentId(here.dataDir)).toBeNull();
    expect(names()).toEqual([]);
  });

  it('never joins two clusters', async () => {
    await publishOnly(here, '2026-11');
    await publishRows(there.dataDir, '2026-10.1');
    const objects = new Map(store.objects);
    for (const args of [
      ['publish', sources.directory, '--month', '2026-12'],
      ['rollback', '2026-10.1'],
    ]) {
      const { code, stderr } = await run(there, ...args);
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(
          /two clusters cannot share one place; give each a prefix of its own in SNAPSHOT_STORE/,
        ),
      ]);
    }
    expect(store.objects).toEqual(objects);
    expect(await currentId(there.dataDir)).toBe('2026-10.1');
  });

  itInDepth(
    'stops where the state is older than what is here, and writes it anew as the message says',
    async () => {
      await publishOnly(here, '2026-10');
      const old = store.objects.get('team/current.json') ?? Buffer.alloc(0);
      await publishOnly(here, '2026-11');
      store.objects.set('team/current.json', old);
      const objects = new Map(store.objects);
      for (const args of [['publish', sources.directory, '--month', '2026-12'], ['rollback']]) {
        const { code, stderr } = await run(here, ...args);
        expect([code, stderr]).toEqual([
          1,
          expect.stringMatching(/names 2026-10\.1 and lacks the last steps .+/),
        ]);
      }
      expect(store.objects).toEqual(objects);
      expect(await currentId(here.dataDir)).toBe('2026-11.1');
      store.objects.delete('team/current.json');
      expect((await run(here, 'push')).stdout).toContain('it is current in the store now');
      expect(state()).toMatchObject({ current: '2026-11.1', history: await readHistory(here.dataDir) });
      expect((await run(here, 'rollback')).code).toBe(0);
    },
  );

  itInDepth('goes back one step although the listing of the store leaves out that snapshot', async () => {
    for (const month of ['2026-09', '2026-10', '2026-11']) await publishOnly(here, month);
    store.leftOut = 'team/snapshots/2026-10.1/';
    expect(await run(there, 'rollback')).toMatchObject({ code: 0 });
    expect(state().current).toBe('2026-10.1');
  });

  it.each([
    [
      'is not a state',
      'x',
      /current\.json in the store at s3:\/\/snapshots\/team\/ was damaged .+ writes it anew/,
    ],
    [
      'names a missing snapshot',
      JSON.stringify({ format: 1, current: '2026-12.1', history: [] }),
      /current\.json .+ names 2026-12\.1, which the store lacks; `ingest push 2026-12\.1`/,
    ],
  ])('stops when current.json %s', async (_, text, line) => {
    store.objects.set('team/current.json', Buffer.from(text));
    const { code, stderr } = await publish(here, '2026-11');
    expect([code, stderr]).toEqual([1, expect.stringMatching(line)]);
    expect(await readdir(path.join(here.dataDir, 'snapshots')).catch(() => [])).toEqual([]);
  });
});

describe('rollback with a store', () => {
  it('goes back everywhere, also to a snapshot that only the store has', async () => {
    for (const [i, month] of ['2026-09', '2026-10', '2026-11'].entries())
      await publishOnly(here, month, 1 - i / 1000);
    await mkdir(there.dataDir, { recursive: true });
    expect(await run(there, 'rollback')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^2026-10\.1 is current now; `ingest rollback 2026-11\.1` undoes this/),
    });
    expect(state()).toMatchObject({ current: '2026-10.1' });
    expect(await run(here, 'rollback')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^2026-09\.1 is current now; `ingest rollback 2026-10\.1` undoes this/),
    });
    expect(state().history).toEqual(await readHistory(here.dataDir));
    expect(state().history.at(-1)).toMatchObject({
      event: 'rolled-back',
      id: '2026-09.1',
      from: '2026-10.1',
    });
  });

  itInDepth('says that a snapshot was pushed only in part', async () => {
    for (const month of ['2026-10', '2026-11']) await publishOnly(here, month);
    store.objects.set('team/snapshots/2026-09.1/ggr.parquet', Buffer.from('a part'));
    expect(await run(there, 'rollback', '2026-09.1')).toMatchObject({
      code: 1,
      stderr:
        'the store at s3://snapshots/team/ has no manifest of 2026-09.1: only a part of it was pushed; ' +
        '`ingest push 2026-09.1` from a machine that has the snapshot repairs it\n',
    });
    expect(state().current).toBe('2026-11.1');
  });

  itInDepth('loses to somebody else, and changes nothing', async () => {
    for (const month of ['2026-10', '2026-11']) await publishOnly(here, month);
    const copy = await aDataDir(here.dataDir);
    meanwhile(/^PUT team\/current/, () => publishOnly(copy, '2026-12'));
    const { code, stderr } = await run(here, 'rollback');
    expect([code, stderr]).toEqual([
      6,
      expect.stringMatching(/^somebody else was first: 2026-12\.1 was published/),
    ]);
    expect(await currentId(here.dataDir)).toBe('2026-11.1');
    expect(state().current).toBe('2026-12.1');
    await copy.remove();
  });

  const DONE = [
    ['rollback', '2026-10.1 is current in the store'],
    ['publish', '2026-11.2 is published in the store'],
  ] as const;
  it.each(some(DONE, 1))(
    'says that the store has changed where this machine cannot follow: %s',
    async (command, done) => {
      for (const month of ['2026-10', '2026-11']) await publishOnly(here, month);
      // A folder is in the place of the link that becomes `current`.
      meanwhile(/^PUT team\/current/, () => mkdir(path.join(here.dataDir, 'current.new')));
      const { code, stderr } =
        command === 'publish' ? await publish(here, '2026-11', 0.999) : await run(here, command);
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(
          `${done}, and this machine could not take it up [(].*[)]; \`ingest rollback ${state().current}\` takes it up here\n$`,
        ),
      ]);
      expect(await currentId(here.dataDir)).toBe('2026-11.1');
      await rmdir(path.join(here.dataDir, 'current.new'));
      expect((await run(here, 'rollback', state().current)).stdout).toContain('is current already');
    },
  );

  itInDepth('begins the state of a store that has none, and pushes what it needs', async () => {
    for (const month of ['2026-10', '2026-11']) await publishRows(here.dataDir, `${month}.1`);
    expect((await run(here, 'rollback')).code).toBe(0);
    expect(state()).toMatchObject({ current: '2026-10.1' });
    expect(state().history).toHaveLength(3);
    await rm(there.dataDir, { recursive: true });
    expect((await run(there, 'rollback', '2026-10.1')).stdout).toContain('is current already');
    expect(await currentId(there.dataDir)).toBe('2026-10.1');
  });
});
