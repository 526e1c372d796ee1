// The data directory: ids of snapshots in their order, and the link to the current one.

import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { currentId, idParts, isSnapshotId, snapshotIds } from '../../src/catalog/dataDirectory.ts';
import { aDataDir } from '../support/snapshot.ts';

let dataDir: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ dataDir, remove } = await aDataDir());
});
afterEach(() => remove());

describe('the snapshots folder', () => {
  it('has no current snapshot before anything is published', async () => {
    expect(await currentId(dataDir)).toBeNull();
    expect(await snapshotIds(dataDir)).toEqual([]);
  });

  it('sorts revisions as numbers, and ignores other files', async () => {
    for (const id of ['2026-11.10', '2026-11.9', '2026-10.3', '2026-11.9.bak', '.trash', '2026-11.0'])
      await mkdir(path.join(dataDir, 'snapshots', id), { recursive: true });
    expect(await snapshotIds(dataDir)).toEqual(['2026-10.3', '2026-11.9', '2026-11.10']);
  });

  it('is not taken for an empty one where it cannot be read', async () => {
    const file = path.join(dataDir, 'file');
    await writeFile(file, '');
    await expect(currentId(file)).rejects.toThrow(/file is not a folder: .* name another DATA_DIR$/);
    await expect(snapshotIds(file)).rejects.toThrow('ENOTDIR');
  });

  it('recognises an id by its form', () => {
    expect(['2026-11.1', '2026-11.12'].every(isSnapshotId)).toBe(true);
    expect(['2026-11', '2026-11.01', '2026-11.1/', '../2026-11.1', ''].some(isSnapshotId)).toBe(false);
    expect([idParts('2026-11.12'), idParts('current')]).toEqual([['2026-11', 12], null]);
  });

  it('names the current snapshot whether it exists or not', async () => {
    await symlink('snapshots/2026-11.1', path.join(dataDir, 'current'));
    expect(await currentId(dataDir)).toBe('2026-11.1');
  });

  it('reads a link that leads to the folder of the snapshots by another path', async () => {
    await mkdir(path.join(dataDir, 'elsewhere', '2026-10.1'), { recursive: true });
    await symlink('elsewhere', path.join(dataDir, 'snapshots'));
    await symlink(path.join(dataDir, 'elsewhere', '2026-10.1'), path.join(dataDir, 'current'));
    expect(await currentId(dataDir)).toBe('2026-10.1');
  });

  it.each(['backup', 'copy/snapshots'])(
    'says what to do where current leads to %s, though to a snapshot of that name',
    async (elsewhere) => {
      for (const folder of ['snapshots', elsewhere])
        await mkdir(path.join(dataDir, folder, '2026-10.1'), { recursive: true });
      await symlink(`${elsewhere}/2026-10.1`, path.join(dataDir, 'current'));
      await expect(currentId(dataDir)).rejects.toThrow(
        `current leads to ${elsewhere}/2026-10.1, which is not in the folder snapshots: move it away, then name`,
      );
    },
  );

  it.each<[string, (file: string) => Promise<unknown>]>([
    ['folder', (file) => mkdir(file)],
    ['file', (file) => writeFile(file, '2026-11.1')],
  ])('says what to do where current is a %s', async (_, make) => {
    await make(path.join(dataDir, 'current'));
    await expect(currentId(dataDir)).rejects.toThrow(
      /current must be a link to a snapshot and is a file or folder: move it away, then name the current snapshot/,
    );
  });
});
