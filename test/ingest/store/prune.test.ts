// Which snapshots `prune` removes, and which ones it never removes.

import { cp, mkdir, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { appendToHistory } from '../../../ingest/store/historyWriter.ts';
import { makeRoom, prune } from '../../../ingest/store/prune.ts';
import { nextRevision } from '../../../ingest/store/publicationOrder.ts';
import { snapshotIds } from '../../../src/catalog/dataDirectory.ts';
import { readHistory } from '../../../src/catalog/readHistory.ts';
import { switchCurrent } from '../../../src/store/switchCurrent.ts';
import { aDataDir, type DataDir, publishRows } from '../../support/snapshot.ts';

let whole: DataDir;
let dataDir: string;
let remove: () => Promise<void>;
beforeAll(async () => {
  whole = await aDataDir();
  await publishRows(whole.dataDir, '2026-01.1');
});
afterAll(() => whole.remove());
beforeEach(async () => {
  ({ dataDir, remove } = await aDataDir());
});
afterEach(() => remove());

const snapshot = (id: string) => path.join(dataDir, 'snapshots', id);
const day = (date: number) => new Date(Date.UTC(2026, 10, date, 9));

/** Publishes snapshots as prune sees them, one a day in this order. The last one is current. */
async function published(...ids: string[]): Promise<void> {
  for (const [i, id] of ids.entries()) {
    await cp(path.join(whole.dataDir, 'snapshots/2026-01.1'), snapshot(id), { recursive: true });
    const manifest = path.join(snapshot(id), 'manifest.json');
    await writeFile(manifest, (await readFile(manifest, 'utf8')).replace('2026-01.1', id));
    await switchCurrent(dataDir, id);
    await appendToHistory(dataDir, { event: 'published', id, at: day(i + 1).toISOString() });
  }
}

async function rolledBack(id: string, at: Date): Promise<void> {
  await switchCurrent(dataDir, id);
  await appendToHistory(dataDir, { event: 'rolled-back', id, at: at.toISOString() });
}

const keeping = (keep: number, at = day(30), dryRun = false) => prune({ dataDir, keep, dryRun, at });
const removedOf = async (keep: number, at?: Date) => (await keeping(keep, at)).removed.map(({ id }) => id);

describe('prune', () => {
  it('keeps the newest, and records what it removed', async () => {
    await published('2026-08.1', '2026-09.1', '2026-10.1', '2026-11.1');
    const size = (await stat(path.join(snapshot('2026-08.1'), 'ggr.parquet'))).size;
    const { status, removed, kept } = await keeping(3);
    expect([status, removed.map(({ id }) => id), kept]).toEqual([
      'pruned',
      ['2026-08.1'],
      ['2026-09.1', '2026-10.1', '2026-11.1'],
    ]);
    expect(removed[0]?.bytes).toBeGreaterThan(size);
    expect(await snapshotIds(dataDir)).toEqual(kept);
    expect((await readHistory(dataDir)).at(-1)).toEqual({
      event: 'pruned',
      id: '2026-08.1',
      at: day(30).toISOString(),
    });
    expect((await readdir(dataDir)).sort()).toEqual(['current', 'history.jsonl', 'snapshots']);
  });

  it.each([0, 1, 2])('never removes the current nor the previous one: --keep %i', async (keep) => {
    await published('2026-09.1', '2026-10.1', '2026-11.1');
    expect(await removedOf(keep)).toEqual(['2026-09.1']);
  });

  it('keeps them after a rollback as well, wherever they are in the order', async () => {
    await published('2026-07.1', '2026-08.1', '2026-09.1', '2026-10.1', '2026-11.1');
    await rolledBack('2026-09.1', day(6));
    const { removed, kept } = await keeping(1);
    expect([removed.map(({ id }) => id), kept]).toEqual([
      ['2026-07.1', '2026-10.1'],
      ['2026-08.1', '2026-09.1', '2026-11.1'],
    ]);
  });

  it('goes by publication, not by month', async () => {
    await published('2026-11.1', '2026-10.1', '2026-10.2');
    expect(await removedOf(2)).toEqual(['2026-11.1']);
  });

  it('says when there is nothing to remove', async () => {
    await published('2026-10.1', '2026-11.1');
    expect(await keeping(6)).toEqual({
      status: 'unchanged',
      removed: [],
      kept: ['2026-10.1', '2026-11.1'],
    });
  });

  it('only says what it would remove on a dry run', async () => {
    await published('2026-09.1', '2026-10.1', '2026-11.1');
    const { status, removed } = await keeping(2, day(30), true);
    expect([status, removed.map(({ id }) => id)]).toEqual(['checked', ['2026-09.1']]);
    expect(await snapshotIds(dataDir)).toHaveLength(3);
    expect(await readHistory(dataDir)).toHaveLength(3);
  });

  it('names what was superseded less than 48 hours ago', async () => {
    await published('2026-08.1', '2026-09.1', '2026-10.1', '2026-11.1');
    const { removed } = await keeping(2, new Date(day(5).getTime() - 1));
    expect(removed.map(({ id, superseded, recent }) => [id, superseded, recent])).toEqual([
      ['2026-08.1', day(2).toISOString(), false],
      ['2026-09.1', day(3).toISOString(), true],
    ]);
  });

  it('counts 48 hours to the millisecond, and none below zero when the clock was set back', async () => {
    await published('2026-09.1', '2026-10.1', '2026-11.1');
    const recentAt = async (at: Date) => (await keeping(2, at, true)).removed[0]?.recent;
    expect(await recentAt(new Date(day(4).getTime() - 1))).toBe(true);
    expect(await recentAt(day(4))).toBe(false);
    expect(await recentAt(new Date(0))).toBe(true);
  });

  it('counts a snapshot as superseded when it was rolled back from', async () => {
    await published('2026-08.1', '2026-09.1', '2026-10.1');
    await rolledBack('2026-08.1', day(20));
    await rolledBack('2026-09.1', day(21));
    const { removed } = await keeping(0, day(21));
    expect(removed).toMatchObject([{ id: '2026-10.1', superseded: day(20).toISOString(), recent: true }]);
  });

  it('does not count what is cut short among those it keeps, and removes it when it is old', async () => {
    await published('2026-07.1', '2026-08.1', '2026-09.1', '2026-10.1', '2026-11.1', '2026-12.1');
    await rm(path.join(snapshot('2026-10.1'), 'manifest.json'));
    await rm(path.join(snapshot('2026-12.1'), 'fx.parquet'));
    await truncate(path.join(snapshot('2026-08.1'), 'ggr.parquet'), 5);
    expect(await removedOf(3)).toEqual([]);
    expect(await removedOf(2)).toEqual(['2026-07.1', '2026-08.1']);
  });

  it('makes room for its lock on a full disk by removing the oldest, and records that later', async () => {
    await published('2026-08.1', '2026-09.1', '2026-10.1', '2026-11.1');
    const options = { dataDir, keep: 2, dryRun: false, at: day(30) };
    const removedForRoom = await makeRoom(options);
    expect(removedForRoom).toMatchObject({
      id: '2026-08.1',
      superseded: day(2).toISOString(),
      recent: false,
    });
    expect(removedForRoom?.bytes).toBeGreaterThan(1000);
    expect(await snapshotIds(dataDir)).toEqual(['2026-09.1', '2026-10.1', '2026-11.1']);
    // Only the empty folder is left.
    expect(await readdir(path.join(dataDir, 'tmp'))).toEqual([]);
    const { status, removed, kept } = await prune({ ...options, removedForRoom });
    expect([status, removed.map(({ id }) => id), kept]).toEqual([
      'pruned',
      ['2026-08.1', '2026-09.1'],
      ['2026-10.1', '2026-11.1'],
    ]);
    const entries = (await readHistory(dataDir)).slice(-2).map(({ event, id }) => [event, id]);
    expect(entries).toEqual([
      ['pruned', '2026-08.1'],
      ['pruned', '2026-09.1'],
    ]);
    expect(await makeRoom(options)).toBeNull();
    expect(await snapshotIds(dataDir)).toEqual(kept);
  });

  it('makes room by a file or a link called like a snapshot, and keeps the folder that the link leads to', async () => {
    await published('2026-10.1', '2026-11.1');
    const options = { dataDir, keep: 2, dryRun: false, at: day(30) };
    await writeFile(snapshot('2026-01.1'), 'a file');
    expect(await makeRoom(options)).toMatchObject({ id: '2026-01.1' });
    await symlink(path.join(whole.dataDir, 'snapshots/2026-01.1'), snapshot('2026-01.1'));
    expect(await makeRoom(options)).toMatchObject({ id: '2026-01.1' });
    expect(await readdir(path.join(whole.dataDir, 'snapshots/2026-01.1'))).toContain('ggr.parquet');
    expect((await readdir(dataDir)).sort()).toEqual(['current', 'history.jsonl', 'snapshots']);
    expect(await snapshotIds(dataDir)).toEqual(['2026-10.1', '2026-11.1']);
  });

  it('removes a file and a half-removed folder called like a snapshot, and nothing else', async () => {
    await published('2026-10.1', '2026-11.1');
    await mkdir(snapshot('2026-01.1'));
    await writeFile(snapshot('2026-01.2'), 'a file');
    await mkdir(snapshot('not-a-snapshot'));
    expect(await removedOf(2)).toEqual(['2026-01.1', '2026-01.2']);
    expect((await readdir(path.join(dataDir, 'snapshots'))).sort()).toEqual([
      '2026-10.1',
      '2026-11.1',
      'not-a-snapshot',
    ]);
    expect(await nextRevision(dataDir, '2026-01')).toBe(3);
  });

  it.each<[string, () => Promise<unknown>, RegExp]>([
    ['nothing', async () => {}, /^current names no snapshot; name one with rollback <id>, then prune$/],
    [
      'what is not there',
      () => symlink('snapshots/2026-12.1', path.join(dataDir, 'current')),
      /^current names 2026-12\.1, which is not there; name one with rollback <id>, then prune$/,
    ],
  ])('removes nothing while current names %s', async (_, make, message) => {
    await published('2026-09.1', '2026-10.1', '2026-11.1');
    await rm(path.join(dataDir, 'current'));
    await make();
    await expect(keeping(0)).rejects.toThrow(message);
    expect(await snapshotIds(dataDir)).toHaveLength(3);
  });
});
