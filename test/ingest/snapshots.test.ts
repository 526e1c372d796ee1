import { appendFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { history, record } from '../../ingest/history.ts';
import { recover, switchCurrent } from '../../ingest/publish.ts';
import { currentId, snapshotIds } from '../../ingest/snapshots.ts';
import { nextRevision } from '../../ingest/succession.ts';
import { aDataDir, publishRows } from '../support/snapshot.ts';

let dataDir: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ dataDir, remove } = await aDataDir());
});
afterEach(() => remove());

const at = '2026-11-01T09:00:00.000Z';

describe('the snapshots folder', () => {
  it('has no current snapshot and a first revision before anything is published', async () => {
    expect(await currentId(dataDir)).toBeNull();
    expect(await snapshotIds(dataDir)).toEqual([]);
    expect(await nextRevision(dataDir, '2026-11')).toBe(1);
  });

  it('sorts revisions as numbers', async () => {
    for (const id of ['2026-11.10', '2026-11.9', '2026-10.3'])
      await mkdir(path.join(dataDir, 'snapshots', id), { recursive: true });
    expect(await snapshotIds(dataDir)).toEqual(['2026-10.3', '2026-11.9', '2026-11.10']);
    expect(await nextRevision(dataDir, '2026-11')).toBe(11);
  });

  it('never gives an id twice, even when its snapshot is gone', async () => {
    await record(dataDir, { event: 'published', id: '2026-11.4', at });
    expect(await nextRevision(dataDir, '2026-11')).toBe(5);
  });

  it('reads its history past a line that a crash cut', async () => {
    await record(dataDir, { event: 'published', id: '2026-10.1', at });
    await appendFile(path.join(dataDir, 'history.jsonl'), '{"event":"publ');
    await record(dataDir, { event: 'published', id: '2026-11.1', at });
    expect((await history(dataDir)).map(({ id }) => id)).toEqual(['2026-10.1', '2026-11.1']);
  });
});

describe('recover', () => {
  const killedAfter = async (step: 'rename' | 'switch') => {
    await publishRows(dataDir, '2026-10.1');
    await publishRows(dataDir, '2026-11.1');
    const { rm, writeFile } = await import('node:fs/promises');
    if (step === 'rename') await switchCurrent(dataDir, '2026-10.1');
    await rm(path.join(dataDir, 'history.jsonl'));
    await record(dataDir, { event: 'published', id: '2026-10.1', at });
    await writeFile(
      path.join(dataDir, 'step.json'),
      JSON.stringify({ event: 'published', id: '2026-11.1', at }),
    );
  };

  it('removes a snapshot that never became current', async () => {
    await killedAfter('rename');
    await recover(dataDir);
    expect(await snapshotIds(dataDir)).toEqual(['2026-10.1']);
    expect(await currentId(dataDir)).toBe('2026-10.1');
  });

  it('keeps one that did, and enters it in the history', async () => {
    await killedAfter('switch');
    await recover(dataDir);
    expect(await snapshotIds(dataDir)).toEqual(['2026-10.1', '2026-11.1']);
    expect((await history(dataDir)).map(({ id }) => id)).toEqual(['2026-10.1', '2026-11.1']);
  });

  it('never touches a snapshot that somebody put there by hand', async () => {
    await publishRows(dataDir, '2026-10.1');
    await mkdir(path.join(dataDir, 'snapshots', '2026-09.1'));
    await recover(dataDir);
    expect(await snapshotIds(dataDir)).toEqual(['2026-09.1', '2026-10.1']);
  });
});
