// Temporary folders are removed by their process, or a day after it has ended.

import { mkdir, mkdtemp, readdir, rm, symlink, utimes } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { makeTemporaryFolder, removeLeftovers } from '../../src/system/temporaryFolder.ts';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(path.join(os.tmpdir(), 'temporary-'));
});
afterEach(() => rm(parent, { recursive: true }));

/** The process id in the name of a folder whose process has ended: ids are never so high. */
const ENDED = 2 ** 30;
const dayAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
const old = async (name: string) => {
  await mkdir(path.join(parent, name, 'spill'), { recursive: true });
  await utimes(path.join(parent, name), dayAgo, dayAgo);
};

it('removes the folders of ended processes after a day, and nothing else', async () => {
  await old(`ours-${ENDED}-aB3xyz`);
  await old(`ours-${process.pid}-aB3xyz`);
  await old('ours-mine');
  await old(`others-${ENDED}-aB3xyz`);
  await mkdir(path.join(parent, `ours-${ENDED}-young1`));
  await symlink('ours-mine', path.join(parent, `ours-${ENDED}-link12`));
  await removeLeftovers(parent, 'ours-', Date.now());
  expect((await readdir(parent)).sort()).toEqual(
    [
      `ours-${process.pid}-aB3xyz`,
      'ours-mine',
      `others-${ENDED}-aB3xyz`,
      `ours-${ENDED}-young1`,
      `ours-${ENDED}-link12`,
    ].sort(),
  );
});

it('is made beside leftovers, which it removes', async () => {
  await old(`ours-${ENDED}-aB3xyz`);
  const made = await makeTemporaryFolder(parent, 'ours-');
  expect(path.basename(made)).toMatch(new RegExp(`^ours-${process.pid}-\\w{6}$`));
  for (let turns = 0; turns < 500 && (await readdir(parent)).length > 1; turns++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(await readdir(parent)).toEqual([path.basename(made)]);
});
