import { expect, it } from '@jest/globals';
import { failureOf } from '../../../ingest/commands/failure.ts';
import { notTakenUp } from '../../../ingest/store/sharedStore.ts';

const full = Object.assign(new Error('ENOSPC: no space left on device, symlink'), { code: 'ENOSPC' });
const ROOM = '; the disk is full: free some space, such as with prune';

it('a full disk leaves current as it was', () => {
  expect(failureOf(full).message).toBe(`${full.message}${ROOM}, and run again; current is what it was`);
});

it('a full disk after the store has switched is not said to leave current as it was', async () => {
  const switched = Promise.reject(full).catch(notTakenUp('2026-11.2', 'published'));
  expect((await switched.catch(failureOf)).message).toBe(
    `2026-11.2 is published in the store, and this machine could not take it up (${full.message})` +
      `${ROOM}, then \`ingest rollback 2026-11.2\` takes it up here`,
  );
});
