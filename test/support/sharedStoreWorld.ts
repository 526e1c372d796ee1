// Checks a store that several machines share, after a process was killed: `await wrongInStore(machine, store)`.

import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { joinStore } from '../../ingest/store/sharedStore.ts';
import { verify } from '../../ingest/store/verify.ts';
import { currentId, snapshotIds } from '../../src/catalog/dataDirectory.ts';
import { readHistory } from '../../src/catalog/readHistory.ts';
import type { ObjectStore } from '../../src/store/objectStore.ts';
import { readSharedState, storedIds } from '../../src/store/sharedState.ts';
import { wrongIn } from './killedCommand.ts';

/**
 * Finds faults after a process was killed. When an empty data directory joins the store, it must get the whole history and
 * whole snapshots. When the data directory of the process joins it, both must have the same history and current snapshot.
 */
export async function wrongInStore(dataDir: string, store: ObjectStore): Promise<string[]> {
  const wrong = await wrongIn(dataDir);
  const state = await readSharedState(store);
  if (state === null) return [...wrong, 'the store has no state'];
  await joinStore(dataDir, store);
  wrong.push(...(await wrongIn(dataDir)));
  const fresh = await mkdtemp(path.join(os.tmpdir(), 'joined-'));
  try {
    const joined = await joinStore(fresh, store);
    const local = (await readHistory(dataDir)).filter(({ event }) => event !== 'pruned');
    if (JSON.stringify(await readHistory(fresh)) !== JSON.stringify(local))
      wrong.push('the machine and the store have different histories');
    for (const where of [dataDir, fresh])
      if ((await currentId(where)) !== state.current) wrong.push(`${where} has another current snapshot`);
    const published = new Set(state.history.map(({ id }) => id));
    for (const id of await storedIds(store, state)) {
      if (!published.has(id)) wrong.push(`${id} counts as stored and was never published`);
      await joined.download(id);
    }
    for (const id of await snapshotIds(fresh))
      wrong.push(...(await verify(fresh, id)).map(({ file, message }) => `${id}/${file}: ${message}`));
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return wrong;
}
