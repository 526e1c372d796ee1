// A file is written whole or not at all.

import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { writeWhole } from '../../src/system/wholeFile.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'whole-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('several writers at the same time leave the whole text of one of them, and nothing else', async () => {
  const file = path.join(folder, 'a.json');
  const texts = Array.from({ length: 20 }, (_, i) => String.fromCharCode(97 + i).repeat(1 + 50_000 * i));
  await Promise.all(texts.map((text) => writeWhole(file, text)));
  expect(texts).toContain(await readFile(file, 'utf8'));
  expect(await readdir(folder)).toEqual(['a.json']);
});

it('what others have put beside the file is neither in the way nor changed', async () => {
  const file = path.join(folder, 'a.json');
  await mkdir(`${file}.new`);
  await writeWhole(file, 'one');
  expect(await readFile(file, 'utf8')).toBe('one');
  await rm(`${file}.new`, { recursive: true });
  await writeFile(path.join(folder, 'other'), 'other');
  await symlink('other', `${file}.new`);
  await writeWhole(file, 'two');
  expect(await readFile(file, 'utf8')).toBe('two');
  expect(await readFile(path.join(folder, 'other'), 'utf8')).toBe('other');
});

it('after a failure the old file is there, and nothing beside it', async () => {
  const file = path.join(folder, 'a');
  await mkdir(path.join(file, 'inside'), { recursive: true });
  await expect(writeWhole(file, 'x')).rejects.toThrow();
  expect([await readdir(folder), await readdir(file)]).toEqual([['a'], ['inside']]);
});
