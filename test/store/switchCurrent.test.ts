// `current` can be switched after a process was killed while switching it.

import { readdir, readlink, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { switchCurrent } from '../../src/store/switchCurrent.ts';
import { aDataDir, publishRows } from '../support/snapshot.ts';

it('current is switched although a process that was killed has left its link to another snapshot', async () => {
  const { dataDir, remove } = await aDataDir();
  await publishRows(dataDir, '2026-10.1');
  await publishRows(dataDir, '2026-11.1');
  await symlink('snapshots/2026-11.1', path.join(dataDir, 'current.new'));
  await switchCurrent(dataDir, '2026-10.1');
  expect(await readlink(path.join(dataDir, 'current'))).toBe('snapshots/2026-10.1');
  expect(await readdir(dataDir)).not.toContain('current.new');
  await remove();
});
