// The history of a data folder says when each snapshot was last published.

import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { publications, publicationTimes } from '../../src/catalog/publications.ts';
import { aDataDir } from '../support/snapshot.ts';

it('publications are ordered by when they were last published, whatever was rolled back or pruned', async () => {
  const { dataDir, remove } = await aDataDir();
  const at = (day: number) => `2026-11-0${day}T00:00:00.000Z`;
  const events = [
    ['published', '2026-10.1'],
    ['published', '2026-10.2'],
    ['published', '2026-10.1'],
    ['published', '2026-09.1'],
    ['rolled-back', '2026-10.2'],
    ['pruned', '2026-09.1'],
    ['published', 'not an id'],
  ].map(([event, id], i) => ({ event, id, at: at(i + 1) }));
  await writeFile(
    path.join(dataDir, 'history.jsonl'),
    events.map((event) => `${JSON.stringify(event)}\n`).join(''),
  );
  for (const id of ['2026-10.1', '2026-10.2', '2026-08.1'])
    await mkdir(path.join(dataDir, 'snapshots', id), { recursive: true });
  expect([...(await publicationTimes(dataDir))]).toEqual([
    ['2026-10.2', at(2)],
    ['2026-10.1', at(3)],
    ['2026-09.1', at(4)],
  ]);
  expect(await publications(dataDir)).toEqual([
    { id: '2026-10.1', publishedAt: at(3) },
    { id: '2026-10.2', publishedAt: at(2) },
    { id: '2026-08.1', publishedAt: null },
  ]);
  await remove();
});
