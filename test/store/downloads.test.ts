// Snapshots are downloaded one after the other, and failed downloads are not repeated at once.

import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import type { Observation } from '../../src/observations.ts';
import { createDownloads } from '../../src/store/downloads.ts';
import { ObjectStore } from '../../src/store/objectStore.ts';

it('a snapshot is downloaded although others failed a moment ago, and those are not tried again', async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'downloads-'));
  // Without credentials, every request to the store fails at once.
  const store = new ObjectStore({ bucket: 'bucket', prefix: '' }, {});
  const failed: string[] = [];
  const observe = (one: Observation) => one.event === 'snapshot not fetched' && failed.push(one.snapshot);
  const downloads = createDownloads({ dataDir, store, observe, pauseMs: 60_000 });
  const ids = [1, 2, 3, 4, 5].map((revision) => `2026-11.${revision}`);
  for (const wanted of [ids.slice(0, 4), ids]) {
    for (const id of ids) downloads.startInBackground(id);
    // The download waits for all requests that have begun, at most four.
    await expect(downloads.download('2026-10.1')).rejects.toThrow();
    expect(failed).toEqual(wanted);
  }
  await downloads.close();
  await rm(dataDir, { recursive: true });
});
