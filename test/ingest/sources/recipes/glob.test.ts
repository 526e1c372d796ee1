// Patterns of file names in recipes.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { filesBelow, globTest } from '../../../../ingest/sources/recipes/fillTables.ts';

describe('globTest', () => {
  it.each([
    ['gdp.csv', 'gdp.csv', true],
    ['gdp.csv', 'a/gdp.csv', false],
    ['*.csv', 'gdp.csv', true],
    ['*.csv', 'a/gdp.csv', false],
    ['**/*.csv', 'gdp.csv', true],
    ['**/*.csv', 'a/b/gdp.csv', true],
    ['a/**/c.csv', 'a/c.csv', true],
    ['a/**/c.csv', 'a/b/b/c.csv', true],
    ['a/**/c.csv', 'ab/c.csv', false],
    ['a/**', 'a/b/c.csv', true],
    ['**/API_X_*.csv', 'Metadata_API_X_1.csv', false],
    ['20??.csv', '2025.csv', true],
    ['20??.csv', '20/5.csv', false],
    ['NY.GDP*.csv', 'NY_GDP.csv', false],
    ['a[1](2)+{3}.csv', 'a[1](2)+{3}.csv', true],
    ['GDP.csv', 'gdp.csv', false],
    ['Curaçao.csv', 'Curaçao.csv'.normalize('NFD'), true],
  ])('applies %s to %s, with the result %s', (pattern, file, matches) => {
    expect(globTest(pattern)(file)).toBe(matches);
  });
});

describe('filesBelow', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'glob-'));
    await mkdir(path.join(directory, 'b', 'c.csv'), { recursive: true });
    await mkdir(path.join(directory, '.git'));
    for (const file of ['b/z.csv', 'a.csv', 'b/c.csv/in.csv', '.hidden.csv', '.git/x.csv', 'b/~$z.xlsx']) {
      await writeFile(path.join(directory, file), '');
    }
  });
  afterAll(() => rm(directory, { recursive: true }));

  it('lists files of all depths in name order, without folders, dotfiles and lock files', async () => {
    expect(await filesBelow(directory)).toEqual(['a.csv', 'b/c.csv/in.csv', 'b/z.csv']);
  });
});
