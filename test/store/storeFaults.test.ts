// A server continues while its store is away, refuses or is damaged.

import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { some } from '../support/depth.ts';
import { STORE_LOGIN } from '../support/objectStoreServer.ts';
import { publishRows } from '../support/snapshot.ts';
import { followedStore, STORE, somePolls, until } from './followedStore.ts';

const world = followedStore();

describe('a server whose store has a fault', () => {
  it('serves on while the store is away, logs it once, and follows again when it is back', async () => {
    await world.start();
    await world.serves('2026-11.1');
    await world.store.close();
    await until('the line', () => world.lines.length > 0);
    await somePolls();
    expect(world.lines).toEqual([
      expect.stringMatching(/^the store at .+ does not answer .+; serving on what is here$/),
    ]);
    expect(await world.ggr()).toMatchObject({ status: 200, from: '2026-11.1' });
    expect(await world.server.get('/readyz')).toMatchObject({ status: 200, json: { store: 'down' } });
    // The server cannot know whether the snapshot exists.
    expect((await world.ggr('2026-10.1')).status).toBe(503);
    await world.restartStore();
    await until('the store is up', async () => (await world.server.get('/readyz')).json.store === 'up');
    await until('the answer', async () => (await world.ggr('2026-10.1')).status === 200);
  });

  const TROUBLES: [string, () => void | Promise<void>, RegExp][] = [
    [
      'an object was changed by hand',
      () => void world.store.objects.set('team/snapshots/2026-11.1/fx.parquet', Buffer.from('x')),
      /^fx\.parquet of 2026-11\.1 is not what its manifest says .+ `ingest push 2026-11\.1` from a machine/,
    ],
    [
      'an object is torn',
      () => {
        const name = 'team/snapshots/2026-11.1/ggr.parquet';
        world.store.objects.set(name, world.store.objects.get(name)?.subarray(0, 100) ?? Buffer.alloc(0));
      },
      /^ggr\.parquet of 2026-11\.1 is not what its manifest says/,
    ],
    [
      'a manifest was changed by hand',
      () => void world.store.objects.set('team/snapshots/2026-11.1/manifest.json', Buffer.from('{}')),
      /^manifest\.json of 2026-11\.1 is not a manifest in the store .+ repairs it/,
    ],
    [
      'current.json names a missing snapshot',
      () => {
        for (const name of [...world.store.objects.keys()])
          if (name.includes('/2026-11.1/')) world.store.objects.delete(name);
      },
      /^current\.json in the store at .+ names 2026-11\.1, which the store lacks; `ingest push 2026-11\.1`/,
    ],
    [
      'current.json is damaged',
      () => void world.store.objects.set('team/current.json', Buffer.from('{"format":1}')),
      /^current\.json in the store at .+ was damaged \(current: .+writes it anew/,
    ],
    [
      'two clusters use one bucket',
      () => publishRows(world.dataDir, '2026-10.1').then(() => {}),
      /two clusters cannot share one place; give each a prefix of its own in SNAPSHOT_STORE/,
    ],
    [
      'the clock is wrong',
      () => {
        world.store.skewMs = 20 * 60 * 1000;
      },
      /^the clocks of this machine and of the store at .+ differ; set this machine's clock/,
    ],
  ];
  it.each(some(TROUBLES, 1))('says in one line that %s, and serves on', async (what, act, line) => {
    if (!what.startsWith('two clusters')) {
      // The store is set back to the month before, 2026-10.1.
      const state = JSON.parse(String(world.published.get('team/current.json')));
      const before = { ...state, current: '2026-10.1', history: state.history.slice(0, 2) };
      world.store.objects.set('team/current.json', Buffer.from(JSON.stringify(before)));
      await world.start();
      await world.serves('2026-10.1');
      world.store.objects.set(
        'team/current.json',
        world.published.get('team/current.json') ?? Buffer.alloc(0),
      );
      world.store.before = async (request) => {
        world.store.before = () => {};
        if (request !== '') await act();
      };
    } else {
      await act();
      await world.start();
    }
    await until('the line', () => world.lines.length > 0);
    await somePolls();
    expect(world.lines).toEqual([expect.stringMatching(line)]);
    expect(world.lines[0]).toMatch(/; serving on what is here$/);
    expect(world.lines[0]).not.toContain('\n');
    expect(await world.ggr()).toMatchObject({ status: 200, from: '2026-10.1' });
    expect(await world.server.get('/readyz')).toMatchObject({ status: 200, json: { store: 'down' } });
    expect(await readdir(path.join(world.dataDir, 'snapshots'))).toEqual(['2026-10.1']);
    // Damaged objects are not downloaded at every poll.
    const files = world.store.requests.filter((request) => /2026-11.*parquet/.test(request));
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
      await world.start();
      await world.serves('2026-11.1');
      const state = world.store.objects.get('team/current.json') ?? Buffer.alloc(0);
      const other = changed(String(state));
      if (other === null) world.store.objects.delete('team/current.json');
      else world.store.objects.set('team/current.json', Buffer.from(other));
      await until('the line', () => world.lines.length > 0);
      await somePolls();
      expect(world.lines).toEqual([expect.stringMatching(line)]);
      expect(await world.ggr()).toMatchObject({ status: 200, from: '2026-11.1' });
      expect((await world.server.get('/readyz')).json).toMatchObject({ store: 'down' });
      world.store.objects.set('team/current.json', state);
      await until('the store is up', async () => (await world.server.get('/readyz')).json.store === 'up');
    },
  );

  it('logs in one line that it may not write, and serves on', async () => {
    await mkdir(path.join(world.dataDir, 'store.lock'), { recursive: true });
    await world.start();
    await until('the line', () => world.lines.length > 0);
    await somePolls();
    expect(world.lines).toEqual([
      expect.stringMatching(/^the snapshot store cannot be followed \(.+\); .+; serving on what is here$/),
    ]);
    expect(world.lines[0]).not.toContain('\n');
  });

  const MISTAKES: [string, Record<string, string>, string, RegExp][] = [
    ['wrong credentials', { ...STORE_LOGIN, AWS_SECRET_ACCESS_KEY: 'no' }, STORE, /refuses the credentials/],
    ['no credentials', {}, STORE, /has no credentials: set AWS_ACCESS_KEY_ID/],
    ['a missing bucket', STORE_LOGIN, 's3://other', /the bucket other does not exist; create it/],
  ];
  it.each(some(MISTAKES, 1))(
    'says in one line what is wrong with %s, and serves on',
    async (_, login, bucket, line) => {
      await publishRows(world.dataDir, '2026-08.1');
      await world.start(login, bucket);
      await until('the line', () => world.lines.length > 0);
      await somePolls();
      expect(world.lines).toEqual([expect.stringMatching(line)]);
      expect(await world.ggr()).toMatchObject({ status: 200, from: '2026-08.1' });
    },
  );

  it('says in one line that the store lacks its current snapshot, and how to put it there', async () => {
    for (const name of world.published.keys())
      if (name.startsWith('team/snapshots/2026-11.1/')) world.store.objects.delete(name);
    await world.start();
    await until('the line', () => world.lines.length > 0);
    await somePolls();
    expect(world.lines).toEqual([
      expect.stringMatching(
        /^current\.json in the store at s3:.+ names 2026-11\.1, which the store lacks; `ingest push 2026-11\.1` /,
      ),
    ]);
  });

  it('does not fetch a damaged snapshot again at every request', async () => {
    world.store.objects.set('team/snapshots/2026-10.1/fx.parquet', Buffer.from('x'));
    await world.start();
    await world.serves('2026-11.1');
    await world.ggr('2026-10.1');
    await until('the line', () => world.lines.length > 0);
    world.store.requests.length = 0;
    for (let i = 0; i < 5; i++) expect((await world.ggr('2026-10.1')).status).toBe(503);
    expect(world.store.requests.filter((request) => request.includes('2026-10.1'))).toEqual([]);
    expect(world.lines).toEqual([
      expect.stringMatching(/^fx\.parquet of 2026-10\.1 .+; requests for it get 503$/),
    ]);
    await rm(path.join(world.dataDir, 'incoming'), { recursive: true, force: true });
  });
});
