// A source that changes while it is read causes an error, and is never read in part.

import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Intake, unlessChanged } from '../../../ingest/sources/intake.ts';

const CHANGED = 'ggr.csv: changed while it was being read; run again when it is complete';

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'intake-'));
  file = path.join(folder, 'ggr.csv');
  await writeFile(file, 'year,ggr\n2024,1\n');
});
afterAll(() => rm(folder, { recursive: true }));

describe('a source that changes', () => {
  it('is not copied beyond the limit, which it kept before', async () => {
    await expect(new Intake(folder, 10).take(file, 'ggr.csv')).rejects.toThrow(CHANGED);
    expect(await new Intake(path.join(folder, 'whole')).take(file, 'ggr.csv')).toMatchObject({ bytes: 16 });
  });

  it('is an error where it is read without a copy, whatever came of reading it', async () => {
    expect(await unlessChanged(file, 'ggr.csv', async () => 1)).toBe(1);
    await expect(
      unlessChanged(file, 'ggr.csv', async () => Promise.reject(new Error('damaged'))),
    ).rejects.toThrow('damaged');
    for (const read of [async () => 1, async () => Promise.reject(new Error('damaged'))])
      await expect(
        unlessChanged(file, 'ggr.csv', async () => {
          await appendFile(file, '2025,2\n');
          return read();
        }),
      ).rejects.toThrow(CHANGED);
  });
});
