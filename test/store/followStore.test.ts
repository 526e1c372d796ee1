import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { joinStore } from '../../ingest/store/sharedStore.ts';
import { parseStoreAddress } from '../../src/catalog/storeAddress.ts';
import { logTo } from '../../src/log/log.ts';
import type { Observation } from '../../src/observations.ts';
import { followStore, type StoreFollower } from '../../src/store/followStore.ts';
import { openStore } from '../../src/store/objectStore.ts';
import { ingestCommand } from '../support/commands.ts';
import { some } from '../support/depth.ts';
import { aMonth, csvOf, type Month } from '../support/month.ts';
import { STORE_LOGIN, startStore, type TestStore } from '../support/objectStoreServer.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { aDataDir, aRow, publishRows } from '../support/snapshot.ts';

const STORE = 's3://snapshots/team';
const MONTHS = ['2026-09', '2026-10', '2026-11'];

let sources: Month;
let publisher: { dataDir: string; remove: () => Promise<void> };
/** A store with three months, whose ggr is 1, 2 and 3. */
let published: ReadonlyMap<string, Buffer>;
/** The history of these months. */
let history: string;
let store: TestStore;

const publish = async (month: string, ggr: number) => {
  await sources.write({ 'ggr.csv': csvOf('ggr', [aRow('ggr', { ggr })]) });
  const accept = ['totals', 'closed-years', 'revisions', 'relations', 'units', 'structure'].flatMap(
    (rule) => ['--accept', rule, '--reason', 'test'],
  );
  return command('publish', sources.directory, '--month', month, ...accept);
};

const command = (...args: readonly string[]) =>
  ingestCommand(publisher.dataDir, args, {
    SNAPSHOT_STORE: STORE,
    AWS_ENDPOINT_URL: store.endpoint,
    ...STORE_LOGIN,
  });

function addressOf(bucket: string) {
  const address = parseStoreAddress(bucket);
  if (address === undefined) throw new Error('no address');
  return address;
}

const loginOf = ({ endpoint }: TestStore, login: Record<string, string> = STORE_LOGIN) => ({
  AWS_ENDPOINT_URL_S3: endpoint,
  ...login,
});

beforeAll(async () => {
  [sources, publisher, store] = await Promise.all([aMonth(), aDataDir(), startStore()]);
  for (const [i, month] of MONTHS.entries()) {
    const shared = await joinStore(publisher.dataDir, openStore(addressOf(STORE), loginOf(store)));
    await publishRows(publisher.dataDir, `${month}.1`, { ggr: [aRow('ggr', { ggr: i + 1 })] }, shared);
  }
  published = new Map(store.objects);
  history = await readFile(path.join(publisher.dataDir, 'history.jsonl'), 'utf8');
  await store.close();
});
afterAll(() => Promise.all([sources.remove(), publisher.remove()]));

let here: { dataDir: string; remove: () => Promise<void> };
let server: TestServer | null;
let follower: StoreFollower | null;
let lines: string[];
let observed: Observation[];
beforeEach(async () => {
  [store, here] = await Promise.all([startStore(), aDataDir()]);
  for (const [name, content] of published) store.objects.set(name, content);
  [server, follower, lines, observed] = [null, null, [], []];
});
afterEach(async () => {
  await follower?.close();
  await server?.close();
  await Promise.all([store.close(), here.remove()]);
});

/** A server on the data directory that follows the store. */
async function start(
  login: Record<string, string> = STORE_LOGIN,
  bucket = STORE,
  pollMs = POLL_MS,
): Promise<TestServer> {
  const write = (_: object, message: string) => void lines.push(message);
  const log = logTo({ info() {}, warn: write, error: write });
  follower = followStore({
    dataDir: here.dataDir,
    store: openStore(addressOf(bucket), loginOf(store, login)),
    observe: (observation) => {
      observed.push(observation);
      log(observation);
    },
    pollMs,
  });
  server = await startServer({
    dataDir: here.dataDir,
    follow: { source: follower },
    readiness: { isRedisUp: () => true, isWarm: () => true, isStoreUp: follower.isUp },
  });
  return server;
}

async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let turns = 0; !(await isSo()); turns++) {
    if (turns > 5000) throw new Error(`${what} did not happen within 100 s`);
    await sleep(20);
  }
}

/** What says anything twice has said it after some looks at the store. */
const someLooks = () => sleep(4 * POLL_MS);

const POLL_MS = 100;

const GGR = '/v1/financials?metric=ggr';
const ggr = async (snapshot?: string) => {
  const { status, headers, json } = (await server?.get(
    GGR,
    snapshot === undefined ? {} : { 'X-Snapshot': snapshot },
  )) ?? { status: 0, headers: new Headers(), json: null };
  return {
    status,
    from: headers.get('x-snapshot'),
    value: json?.data?.[0]?.values?.ggr ?? json?.data?.[0]?.value,
    retryAfter: headers.get('retry-after'),
  };
};
/** Waits without a request: a slow machine would be kept busy by them. */
async function serves(id: string): Promise<void> {
  await until(`serving ${id}`, () => {
    const lease = server?.snapshots.current();
    lease?.release();
    return lease?.snapshot.id === id;
  });
  expect((await ggr()).from).toBe(id);
}

describe('a server with a store', () => {
  it('starts without any snapshot, downloads the current one and serves it', async () => {
    await start();
    await serves('2026-11.1');
    expect((await ggr()).value).toBe(3);
    expect(await readdir(path.join(here.dataDir, 'snapshots'))).toEqual(['2026-11.1']);
    expect((await readdir(here.dataDir)).filter((name) => !/\.lock$/.test(name)).sort()).toEqual([
      'current',
      'history.jsonl',
      'snapshots',
    ]);
    expect(await readFile(path.join(here.dataDir, 'history.jsonl'), 'utf8')).toBe(history);
    expect((await server?.get('/readyz'))?.json).toMatchObject({ status: 'ready', store: 'up' });
  });

  it('polls with conditional requests, which are answered 304, and downloads nothing twice', async () => {
    await start();
    await serves('2026-11.1');
    store.requests.length = 0;
    await until('four looks', () => store.requests.length >= 4);
    expect(new Set(store.requests)).toEqual(new Set(['GET team/current.json']));
  });

  it('follows publications and rollbacks of others', async () => {
    await start();
    await serves('2026-11.1');
    expect((await publish('2026-12', 4)).code).toBe(0);
    await serves('2026-12.1');
    expect((await command('rollback', '2026-11.1')).code).toBe(0);
    await serves('2026-11.1');
    expect((await command('rollback', '2026-12.1')).code).toBe(0);
    await serves('2026-12.1');
  });

  it.each(some(['2026-10.1', '2026-10'], 1))(
    'fetches snapshot %s, which it lacks and a client names: 503 until it is there',
    async (named) => {
      await start();
      await serves('2026-11.1');
      const first = await ggr(named);
      expect(first).toMatchObject({ status: 503, retryAfter: '2' });
      await until('the answer', async () => (await ggr(named)).status === 200);
      expect(await ggr(named)).toMatchObject({ from: '2026-10.1', value: 2 });
      expect((await readdir(path.join(here.dataDir, 'snapshots'))).sort()).toEqual([
        '2026-10.1',
        '2026-11.1',
      ]);
    },
  );

  it('answers 400 for a snapshot that the store lacks, without a request to the store for each', async () => {
    await start(STORE_LOGIN, STORE, 60_000);
    await serves('2026-11.1');
    store.requests.length = 0;
    for (let revision = 2; revision < 30; revision++)
      expect(await ggr(`2026-11.${revision}`)).toMatchObject({ status: 400 });
    expect((await ggr('2026-08')).status).toBe(400);
    expect(store.requests).toEqual([]);
  });

  it('fetches a published snapshot that the listing of the store leaves out', async () => {
    store.leftOut = 'team/snapshots/2026-10.1/';
    await start();
    await serves('2026-11.1');
    await until('the answer', async () => (await ggr('2026-10.1')).status === 200);
    expect(await ggr('2026-10')).toMatchObject({ from: '2026-10.1', value: 2 });
  });

  it('does not serve a snapshot that was pushed but never published', async () => {
    for (const [name, content] of published) {
      if (name.startsWith('team/snapshots/2026-10.1/'))
        store.objects.set(name.replace('2026-10.1', '2026-12.1'), content);
    }
    store.objects.set('team/reserved/2026-12.1.json', Buffer.from('{}'));
    await start();
    await serves('2026-11.1');
    expect((await ggr('2026-12.1')).status).toBe(400);
    expect((await ggr('2026-12')).status).toBe(400);
  });

  it('serves on while the store is away, logs it once, and follows again when it is back', async () => {
    await start();
    await serves('2026-11.1');
    const { port } = new URL(store.endpoint);
    await store.close();
    await until('the line', () => lines.length > 0);
    await someLooks();
    expect(lines).toEqual([
      expect.stringMatching(/^the store at .+ does not answer .+; serving on what is here$/),
    ]);
    expect(await ggr()).toMatchObject({ status: 200, from: '2026-11.1' });
    expect(await server?.get('/readyz')).toMatchObject({ status: 200, json: { store: 'down' } });
    // Nobody can tell whether the snapshot exists.
    expect((await ggr('2026-10.1')).status).toBe(503);
    const objects = store.objects;
    store = await startStore(Number(port));
    for (const [name, content] of objects) store.objects.set(name, content);
    await until('the store is up', async () => (await server?.get('/readyz'))?.json.store === 'up');
    await until('the answer', async () => (await ggr('2026-10.1')).status === 200);
  });

  const TROUBLES: [string, () => void | Promise<void>, RegExp][] = [
    [
      'an object was changed by hand',
      () => void store.objects.set('team/snapshots/2026-11.1/fx.parquet', Buffer.from('x')),
      /^fx\.parquet of 2026-11\.1 is not what its manifest says .+ `ingest push 2026-11\.1` from a machine/,
    ],
    [
      'an object is torn',
      () => {
        const name = 'team/snapshots/2026-11.1/ggr.parquet';
        store.objects.set(name, store.objects.get(name)?.subarray(0, 100) ?? Buffer.alloc(0));
      },
      /^ggr\.parquet of 2026-11\.1 is not what its manifest says/,
    ],
    [
      'a manifest was changed by hand',
      () => void store.objects.set('team/snapshots/2026-11.1/manifest.json', Buffer.from('{}')),
      /^manifest\.json of 2026-11\.1 is no manifest in the store .+ repairs it/,
    ],
    [
      'current.json names a missing snapshot',
      () => {
        for (const name of [...store.objects.keys()])
          if (name.includes('/2026-11.1/')) store.objects.delete(name);
      },
      /^current\.json in the store at .+ names 2026-11\.1, which the store lacks; `ingest push 2026-11\.1`/,
    ],
    [
      'current.json is damaged',
      () => void store.objects.set('team/current.json', Buffer.from('{"format":1}')),
      /^current\.json in the store at .+ was damaged \(current: .+writes it anew/,
    ],
    [
      'two clusters use one bucket',
      () => publishRows(here.dataDir, '2026-10.1').then(() => {}),
      /two clusters cannot share one place; give each a prefix of its own in SNAPSHOT_STORE/,
    ],
    [
      'the clock is wrong',
      () => {
        store.skewMs = 20 * 60 * 1000;
      },
      /^the clocks of this machine and of the store at .+ differ; set this machine's clock/,
    ],
  ];
  it.each(some(TROUBLES, 3))('says in one line that %s, and serves on', async (what, act, line) => {
    if (!what.startsWith('two clusters')) {
      // It has the month before.
      const state = JSON.parse(String(published.get('team/current.json')));
      const before = { ...state, current: '2026-10.1', history: state.history.slice(0, 2) };
      store.objects.set('team/current.json', Buffer.from(JSON.stringify(before)));
      await start();
      await serves('2026-10.1');
      store.objects.set('team/current.json', published.get('team/current.json') ?? Buffer.alloc(0));
      store.before = async (request) => {
        store.before = () => {};
        if (request !== '') await act();
      };
      // Requests during the switch saw the month before, or failed.
    } else {
      await act();
      await start();
    }
    await until('the line', () => lines.length > 0);
    await someLooks();
    expect(lines).toEqual([expect.stringMatching(line)]);
    expect(lines[0]).toMatch(/; serving on what is here$/);
    expect(lines[0]).not.toContain('\n');
    expect(await ggr()).toMatchObject({ status: 200, from: '2026-10.1' });
    expect(await server?.get('/readyz')).toMatchObject({ status: 200, json: { store: 'down' } });
    expect(await readdir(path.join(here.dataDir, 'snapshots'))).toEqual(['2026-10.1']);
    // Damaged objects are not downloaded at every poll.
    const files = store.requests.filter((request) => /2026-11.*parquet/.test(request));
    expect(new Set(files).size).toBe(files.length);
  });

  it.each<[string, (state: string) => string | null, RegExp]>([
    [
      'is older than what is here',
      (state) => {
        const now = JSON.parse(state);
        return JSON.stringify({ ...now, current: '2026-10.1', history: now.history.slice(0, 2) });
      },
      /names 2026-10\.1 and lacks the last steps in the history of .+: a cache in between answers, or the store was restored/,
    ],
    ['is gone', () => null, /^current\.json was there and is gone from the store .+writes it anew/],
  ])(
    'says that current.json %s, goes on with the newest snapshot, and recovers',
    async (_, changed, line) => {
      await start();
      await serves('2026-11.1');
      const state = store.objects.get('team/current.json') ?? Buffer.alloc(0);
      const other = changed(String(state));
      if (other === null) store.objects.delete('team/current.json');
      else store.objects.set('team/current.json', Buffer.from(other));
      await until('the line', () => lines.length > 0);
      await someLooks();
      expect(lines).toEqual([expect.stringMatching(line)]);
      expect(await ggr()).toMatchObject({ status: 200, from: '2026-11.1' });
      expect((await server?.get('/readyz'))?.json).toMatchObject({ store: 'down' });
      store.objects.set('team/current.json', state);
      await until('the store is up', async () => (await server?.get('/readyz'))?.json.store === 'up');
    },
  );

  it('logs in one line that it may not write, and serves on', async () => {
    await mkdir(path.join(here.dataDir, 'store.lock'), { recursive: true });
    await start();
    await until('the line', () => lines.length > 0);
    await someLooks();
    expect(lines).toEqual([
      expect.stringMatching(/^the snapshot store cannot be followed \(.+\); .+; serving on what is here$/),
    ]);
    expect(lines[0]).not.toContain('\n');
  });

  it.each<[string, Record<string, string>, string, RegExp]>([
    ['wrong credentials', { ...STORE_LOGIN, AWS_SECRET_ACCESS_KEY: 'no' }, STORE, /refuses the credentials/],
    ['no credentials', {}, STORE, /has no credentials: set AWS_ACCESS_KEY_ID/],
    ['a missing bucket', STORE_LOGIN, 's3://other', /the bucket other does not exist; create it/],
  ])('says in one line what is wrong with %s, and serves on', async (_, login, bucket, line) => {
    await publishRows(here.dataDir, '2026-08.1');
    await start(login, bucket);
    await until('the line', () => lines.length > 0);
    await someLooks();
    expect(lines).toEqual([expect.stringMatching(line)]);
    expect(await ggr()).toMatchObject({ status: 200, from: '2026-08.1' });
  });

  it('removes the files of a killed download, and switches `current` where the history is ahead of it', async () => {
    await writeFile(path.join(here.dataDir, 'history.jsonl'), history);
    await mkdir(path.join(here.dataDir, 'incoming/2026-10.1'), { recursive: true });
    await writeFile(path.join(here.dataDir, 'incoming/2026-10.1/ggr.parquet'), 'x');
    await start();
    await serves('2026-11.1');
    expect((await readdir(here.dataDir)).includes('incoming')).toBe(false);
  });

  it('downloads from a slow store that cuts connections and fails now and then', async () => {
    store.before = (request) => {
      if (request.includes('ggr')) store.faults.push('slow');
      if (/GET .*(fx|country)\./.test(request) && store.requests.length % 2 === 0) store.faults.push('cut');
      if (request.includes('turnover') && store.requests.length % 2 === 0) store.faults.push(503);
    };
    await start();
    await serves('2026-11.1');
    expect(observed).toContainEqual(
      expect.objectContaining({ event: 'snapshot fetched', snapshot: '2026-11.1' }),
    );
  });

  it('does not fetch a damaged snapshot again at every request', async () => {
    store.objects.set('team/snapshots/2026-10.1/fx.parquet', Buffer.from('x'));
    await start();
    await serves('2026-11.1');
    await ggr('2026-10.1');
    await until('the line', () => lines.length > 0);
    store.requests.length = 0;
    for (let i = 0; i < 5; i++) expect((await ggr('2026-10.1')).status).toBe(503);
    expect(store.requests.filter((request) => request.includes('2026-10.1'))).toEqual([]);
    expect(lines).toEqual([expect.stringMatching(/^fx\.parquet of 2026-10\.1 .+; requests for it get 503$/)]);
    await rm(path.join(here.dataDir, 'incoming'), { recursive: true, force: true });
  });
});
