// The snapshot that `rollback` makes current.

import { cp, mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { nextRevision, publicationOrder } from '../../../ingest/store/publicationOrder.ts';
import { rollback } from '../../../ingest/store/rollback.ts';
import { verify } from '../../../ingest/store/verify.ts';
import { currentId, snapshotIds } from '../../../src/catalog/dataDirectory.ts';
import { readHistory } from '../../../src/catalog/readHistory.ts';
import { itInDepth } from '../../support/depth.ts';
import { aDataDir, type DataDir, publishRows } from '../../support/snapshot.ts';

let made: DataDir;
let copied: DataDir;
let dataDir: string;
beforeAll(async () => {
  made = await aDataDir();
  for (const id of ['2026-10.1', '2026-11.1', '2026-11.2']) await publishRows(made.dataDir, id);
  await rm(path.join(made.dataDir, 'tmp'), { recursive: true });
});
beforeEach(async () => {
  copied = await aDataDir(made.dataDir);
  dataDir = copied.dataDir;
});
afterEach(() => copied.remove());
afterAll(() => made.remove());

const NOW = new Date('2026-11-21T09:00:00.000Z');
const back = (id?: string) => rollback(dataDir, id, { at: NOW });
const snapshot = (id: string) => path.join(dataDir, 'snapshots', id);

describe('rollback', () => {
  it('makes the snapshot published just before the current one current, and records it', async () => {
    expect(await back()).toEqual({
      status: 'rolled-back',
      snapshot: '2026-11.1',
      from: '2026-11.2',
      damages: [],
    });
    expect(await readlink(path.join(dataDir, 'current'))).toBe('snapshots/2026-11.1');
    expect((await readHistory(dataDir)).at(-1)).toEqual({
      event: 'rolled-back',
      id: '2026-11.1',
      from: '2026-11.2',
      by: os.userInfo().username,
      at: NOW.toISOString(),
    });
    expect(await snapshotIds(dataDir)).toEqual(['2026-10.1', '2026-11.1', '2026-11.2']);
    expect((await readdir(dataDir)).sort()).toEqual(['current', 'history.jsonl', 'snapshots']);
  });

  it('goes back two steps when asked twice, and then no further', async () => {
    await back();
    expect((await back()).snapshot).toBe('2026-10.1');
    await expect(back()).rejects.toThrow(
      'there is no snapshot from before 2026-10.1; name one of: 2026-10.1, 2026-11.1, 2026-11.2',
    );
    expect(await currentId(dataDir)).toBe('2026-10.1');
  });

  it('goes to a named snapshot, earlier or later', async () => {
    expect(await back('2026-10.1')).toMatchObject({ snapshot: '2026-10.1', from: '2026-11.2' });
    expect(await back('2026-11.2')).toMatchObject({ snapshot: '2026-11.2', from: '2026-10.1' });
  });

  it('goes back to the highest revision of those that only the store has and that the history lacks', async () => {
    const { retained, previousOf } = await publicationOrder(dataDir, ['2026-09.10', '2026-09.2']);
    expect(retained.slice(0, 3)).toEqual(['2026-09.2', '2026-09.10', '2026-10.1']);
    expect(previousOf('2026-10.1')).toBe('2026-09.10');
  });

  itInDepth('takes the snapshot published before a new one, whatever was rolled back meanwhile', async () => {
    await back('2026-10.1');
    await publishRows(dataDir, '2026-12.1');
    expect((await back()).snapshot).toBe('2026-11.2');
  });

  it('never lets a revision be used again', async () => {
    await back('2026-10.1');
    expect(await nextRevision(dataDir, '2026-11')).toBe(3);
    expect(await nextRevision(dataDir, '2026-10')).toBe(2);
  });

  it('says when the named one is current already, and records nothing', async () => {
    const before = await readHistory(dataDir);
    expect(await back('2026-11.2')).toMatchObject({ status: 'unchanged', snapshot: '2026-11.2' });
    expect(await readHistory(dataDir)).toEqual(before);
  });

  it('refuses a damaged one with what verify says', async () => {
    await writeFile(path.join(snapshot('2026-11.1'), 'fx.parquet'), 'damaged');
    const { status, from, damages } = await back();
    expect([status, from]).toEqual(['damaged', '2026-11.2']);
    expect(damages).toEqual(await verify(dataDir, '2026-11.1'));
    expect(damages).toContainEqual(expect.objectContaining({ file: 'fx.parquet' }));
    expect(await currentId(dataDir)).toBe('2026-11.2');
    expect((await readHistory(dataDir)).map(({ event }) => event)).not.toContain('rolled-back');
  });

  it('passes over one that is gone', async () => {
    await rm(snapshot('2026-11.1'), { recursive: true });
    expect((await back()).snapshot).toBe('2026-10.1');
  });

  it('mends a current that is missing, and one that leads nowhere', async () => {
    await rm(path.join(dataDir, 'current'));
    await expect(back()).rejects.toThrow('there is no current snapshot to go back from; name one of: ');
    expect(await back('2026-11.1')).toMatchObject({ status: 'rolled-back', from: null });
    await rm(path.join(dataDir, 'current'));
    await symlink('snapshots/2026-11.9', path.join(dataDir, 'current'));
    await expect(back()).rejects.toThrow('there is no snapshot from before 2026-11.9');
    expect(await back('2026-11.2')).toMatchObject({ status: 'rolled-back', from: '2026-11.9' });
  });

  it('goes back from a current snapshot whose folder is gone', async () => {
    await rm(snapshot('2026-11.2'), { recursive: true });
    expect((await back()).snapshot).toBe('2026-11.1');
  });

  it('goes to a whole snapshot that somebody put there by hand', async () => {
    await mkdir(snapshot('2026-09.1'));
    expect(await back('2026-09.1')).toMatchObject({ status: 'damaged' });
    await rm(snapshot('2026-09.1'), { recursive: true });
    await cp(snapshot('2026-10.1'), snapshot('2026-09.1'), { recursive: true });
    expect((await back('2026-09.1')).damages).toEqual([
      { file: 'manifest.json', column: null, message: 'is that of 2026-10.1; publish it again' },
    ]);
    const other = await aDataDir();
    await publishRows(other.dataDir, '2026-08.1');
    await cp(path.join(other.dataDir, 'snapshots/2026-08.1'), snapshot('2026-08.1'), { recursive: true });
    await other.remove();
    expect(await back('2026-08.1')).toMatchObject({ status: 'rolled-back' });
  });

  it.each(['2026-11.9', '2026-11', 'current', '../snapshots/2026-11.1', ''])(
    'refuses the unknown snapshot %j',
    async (id) => {
      await expect(back(id)).rejects.toThrow(`no snapshot ${id}; there are: 2026-10.1, 2026-11.1, 2026-11.2`);
    },
  );

  it('first completes what a killed command began', async () => {
    await writeFile(
      path.join(dataDir, 'step.json'),
      JSON.stringify({ event: 'published', id: '2026-12.1', at: NOW.toISOString() }),
    );
    await mkdir(path.join(dataDir, 'tmp'), { recursive: true });
    await mkdir(snapshot('2026-12.1'));
    expect((await back()).snapshot).toBe('2026-11.1');
    expect(await snapshotIds(dataDir)).toEqual(['2026-10.1', '2026-11.1', '2026-11.2']);
    expect((await readdir(dataDir)).sort()).toEqual(['current', 'history.jsonl', 'snapshots']);
    expect(await readFile(path.join(dataDir, 'history.jsonl'), 'utf8')).not.toContain('2026-12.1');
  });
});
