// A source that changes while it is read causes an error, and is never read in part.

import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readUnchanged, SourceCopies } from '../../../ingest/sources/sourceCopies.ts';
import { openDescriptors } from '../../support/openDescriptors.ts';

const CHANGED = 'ggr.csv: changed while it was being read; run again when it is complete';

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'sourceCopies-'));
  file = path.join(folder, 'ggr.csv');
  await writeFile(file, 'year,ggr\n2024,1\n');
});
afterAll(() => rm(folder, { recursive: true }));

it('is closed when it was copied, and when it could not be', async () => {
  await new SourceCopies(path.join(folder, 'copies')).copy(file, 'ggr.csv');
  const limited = new SourceCopies(path.join(folder, 'limited'), 10);
  await expect(limited.copy(file, 'ggr.csv')).rejects.toThrow(CHANGED);
  expect(openDescriptors(file)).toBe(0);
});

describe('a source that changes', () => {
  it('is not copied beyond the limit, which it kept before', async () => {
    await expect(new SourceCopies(folder, 10).copy(file, 'ggr.csv')).rejects.toThrow(CHANGED);
    expect(await new SourceCopies(path.join(folder, 'whole')).copy(file, 'ggr.csv')).toMatchObject({
      bytes: 16,
    });
  });

  it('is an error where it is read without a copy, whatever came of reading it', async () => {
    expect(await readUnchanged(file, 'ggr.csv', async () => 1)).toBe(1);
    await expect(
      readUnchanged(file, 'ggr.csv', async () => Promise.reject(new Error('damaged'))),
    ).rejects.toThrow('damaged');
    for (const read of [async () => 1, async () => Promise.reject(new Error('damaged'))])
      await expect(
        readUnchanged(file, 'ggr.csv', async () => {
          await appendFile(file, '2025,2\n');
          return read();
        }),
      ).rejects.toThrow(CHANGED);
  });
});
