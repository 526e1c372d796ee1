// Which snapshot an id, a month or a day names.

import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { snapshotAsOf } from '../../src/catalog/asOf.ts';
import { aDataDir, type DataDir } from '../support/snapshot.ts';

const made: DataDir[] = [];
afterAll(() => Promise.all(made.map(({ remove }) => remove())));

type Publication = readonly [id: string, at: string];

const EARLIER: Publication = ['2026-11.1', '2026-11-20T10:00:00Z'];

/** Asks for the snapshot of 20 November at the time `now`, when another snapshot is current. */
async function asked(now: string, later: readonly Publication[]): Promise<string | null> {
  const folder = await aDataDir();
  made.push(folder);
  const lines = [EARLIER, ...later].map(([id, at]) => `${JSON.stringify({ event: 'published', id, at })}\n`);
  await appendFile(path.join(folder.dataDir, 'history.jsonl'), lines.join(''));
  return snapshotAsOf('2026-11-20', {
    dataDir: folder.dataDir,
    current: '2026-11.9',
    now: new Date(now),
    ids: async () => ['2026-11.1', '2026-11.2', '2026-11.9'],
  });
}

it.each<[string, string, readonly Publication[], string]>([
  ['has not ended', '2026-11-20T23:30:00Z', [], '2026-11.9'],
  ['has ended by our clock', '2026-11-21T00:00:00Z', [['2026-11.9', '2026-11-21T00:00:00Z']], '2026-11.1'],
  ['ends in a millisecond', '2026-11-20T23:59:59.999Z', [], '2026-11.9'],
  [
    'has ended by another clock',
    '2026-11-20T23:30:00Z',
    [['2026-11.2', '2026-11-21T00:00:00Z']],
    '2026-11.1',
  ],
  [
    'has ended by a clock half an hour ahead',
    '2026-11-20T23:30:00Z',
    [['2026-11.2', '2026-11-21T00:30:00Z']],
    '2026-11.1',
  ],
  [
    'has ended by a clock too far ahead',
    '2026-11-20T23:30:00Z',
    [['2026-11.2', '2026-11-21T00:30:00.001Z']],
    '2026-11.9',
  ],
  [
    'ends in more than an hour',
    '2026-11-20T22:59:59.999Z',
    [['2026-11.2', '2026-11-21T00:00:00Z']],
    '2026-11.9',
  ],
])(
  'a day that %s, asked at %s, is that of the history once it has ended, else the current snapshot',
  async (_, now, later, id) => {
    expect(await asked(now, later)).toBe(id);
  },
);
