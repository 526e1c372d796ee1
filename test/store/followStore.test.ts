// A server follows the publications and rollbacks of a store.

import { renameSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { appendToHistory } from '../../ingest/store/historyWriter.ts';
import { readHistory } from '../../src/catalog/readHistory.ts';
import { itInDepth, some } from '../support/depth.ts';
import { STORE_LOGIN } from '../support/objectStoreServer.ts';
import { followedStore, STORE, until } from './followedStore.ts';

const world = followedStore();

describe('a server with a store', () => {
  it('starts without any snapshot, downloads the current one and serves it', async () => {
    await world.start();
    await world.serves('2026-11.1');
    expect((await world.ggr()).value).toBe(3);
    expect(await readdir(path.join(world.dataDir, 'snapshots'))).toEqual(['2026-11.1']);
    expect((await readdir(world.dataDir)).filter((name) => !/\.lock$/.test(name)).sort()).toEqual([
      'current',
      'history.jsonl',
      'snapshots',
    ]);
    expect(await readFile(path.join(world.dataDir, 'history.jsonl'), 'utf8')).toBe(world.history);
    expect((await world.server.get('/readyz')).json).toMatchObject({ status: 'ready', store: 'up' });
  });

  it('polls with conditional requests, which are answered 304, and downloads nothing twice', async () => {
    await world.start();
    await world.serves('2026-11.1');
    world.store.requests.length = 0;
    await until('four looks', () => world.store.requests.length >= 4);
    expect(new Set(world.store.requests)).toEqual(new Set(['GET team/current.json']));
    // The fourth request may not be answered yet.
    expect(world.store.unchanged.length).toBeGreaterThanOrEqual(3);
  });

  it('follows publications and rollbacks of others', async () => {
    await world.start();
    await world.serves('2026-11.1');
    expect((await world.publish('2026-12', 4)).code).toBe(0);
    await world.serves('2026-12.1');
    expect((await world.command('rollback', '2026-11.1')).code).toBe(0);
    await world.serves('2026-11.1');
    expect((await world.command('rollback', '2026-12.1')).code).toBe(0);
    await world.serves('2026-12.1');
  });

  it.each(some(['2026-10.1', '2026-10'], 1))(
    'fetches snapshot %s, which it lacks and a client names: 503 until it is there',
    async (named) => {
      await world.start();
      await world.serves('2026-11.1');
      const first = await world.ggr(named);
      expect(first).toMatchObject({ status: 503, retryAfter: '2' });
      await until('the answer', async () => (await world.ggr(named)).status === 200);
      expect(await world.ggr(named)).toMatchObject({ from: '2026-10.1', value: 2 });
      expect((await readdir(path.join(world.dataDir, 'snapshots'))).sort()).toEqual([
        '2026-10.1',
        '2026-11.1',
      ]);
    },
  );

  it('answers 400 for a snapshot that the store lacks, without a request to the store for each', async () => {
    await world.start(STORE_LOGIN, STORE, 60_000);
    await world.serves('2026-11.1');
    world.store.requests.length = 0;
    for (let revision = 2; revision < 30; revision++)
      expect(await world.ggr(`2026-11.${revision}`)).toMatchObject({ status: 400 });
    expect((await world.ggr('2026-08')).status).toBe(400);
    expect(world.store.requests).toEqual([]);
  });

  itInDepth('fetches a published snapshot that the listing of the store leaves out', async () => {
    world.store.leftOut = 'team/snapshots/2026-10.1/';
    await world.start();
    await world.serves('2026-11.1');
    await until('the answer', async () => (await world.ggr('2026-10.1')).status === 200);
    expect(await world.ggr('2026-10')).toMatchObject({ from: '2026-10.1', value: 2 });
  });

  it('does not serve a snapshot that was pushed but never published', async () => {
    for (const [name, content] of world.published) {
      if (name.startsWith('team/snapshots/2026-10.1/'))
        world.store.objects.set(name.replace('2026-10.1', '2026-12.1'), content);
    }
    world.store.objects.set('team/reserved/2026-12.1.json', Buffer.from('{}'));
    await world.start();
    await world.serves('2026-11.1');
    expect((await world.ggr('2026-12.1')).status).toBe(400);
    expect((await world.ggr('2026-12')).status).toBe(400);
  });

  it('removes the files of a killed download, and switches `current` where the history is ahead of it', async () => {
    await writeFile(path.join(world.dataDir, 'history.jsonl'), world.history);
    for (const id of ['2026-10.1', '2026-11.1']) {
      await mkdir(path.join(world.dataDir, 'incoming', id), { recursive: true });
      await writeFile(path.join(world.dataDir, 'incoming', id, 'left.parquet'), 'x');
    }
    await world.start();
    await world.serves('2026-11.1');
    expect((await readdir(world.dataDir)).includes('incoming')).toBe(false);
    // Otherwise the folder of the killed download would have become that of the snapshot.
    expect(await readdir(path.join(world.dataDir, 'snapshots/2026-11.1'))).not.toContain('left.parquet');
  });

  it('downloads a snapshot again that a command removes before `current` names it', async () => {
    const place = path.join(world.dataDir, 'snapshots', '2026-11.1');
    let removals = 0;
    world.onObserved = ({ event }) => {
      if (event === 'snapshot fetched' && removals++ === 0) renameSync(place, `${place}.pruned`);
    };
    await world.start();
    await world.serves('2026-11.1');
    expect(removals).toBe(2);
    expect(await readdir(place)).toContain('manifest.json');
  });

  it('downloads the current snapshot when its folder is gone and the link is there', async () => {
    await writeFile(path.join(world.dataDir, 'history.jsonl'), world.history);
    await symlink('snapshots/2026-11.1', path.join(world.dataDir, 'current'));
    await world.start();
    await world.serves('2026-11.1');
  });

  itInDepth('keeps what a command records in the history during the download', async () => {
    const pruned = { event: 'pruned', id: '2026-08.1', at: '2026-11-30T09:00:00.000Z' };
    let isRecorded = false;
    world.store.before = async (request) => {
      if (isRecorded || !/^GET .*2026-11\.1\/ggr/.test(request)) return;
      isRecorded = true;
      await appendToHistory(world.dataDir, pruned);
    };
    await world.start();
    await world.serves('2026-11.1');
    const entries = await readHistory(world.dataDir);
    expect(entries).toContainEqual(pruned);
    expect(entries.filter(({ event }) => event === 'published').map(({ id }) => id)).toEqual([
      '2026-09.1',
      '2026-10.1',
      '2026-11.1',
    ]);
  });

  it('downloads from a slow store that cuts connections and fails now and then', async () => {
    world.store.before = (request) => {
      if (request.includes('ggr')) world.store.faults.push('slow');
      if (/GET .*(fx|country)\./.test(request) && world.store.requests.length % 2 === 0)
        world.store.faults.push('cut');
      if (request.includes('turnover') && world.store.requests.length % 2 === 0) world.store.faults.push(503);
    };
    await world.start();
    await world.serves('2026-11.1');
    expect(world.observed).toContainEqual(
      expect.objectContaining({ event: 'snapshot fetched', snapshot: '2026-11.1' }),
    );
  });
});
