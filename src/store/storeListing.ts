// Lists the snapshots of a store. It does so rarely, so that requests for unknown ids do not burden the store.

import type { ObjectStore } from './objectStore.ts';
import { type SharedState, storedIds } from './sharedState.ts';

/** Makes a listing of `store`. It reads the store anew at most every `maxAgeMs`, or earlier when the state has changed. */
export function createStoreListing(store: ObjectStore, maxAgeMs: number) {
  let listed: Listed | null = null;
  let listing: Promise<readonly string[]> | null = null;

  async function listNow(state: SharedState | null): Promise<readonly string[]> {
    try {
      const ids = await storedIds(store, state);
      listed = { ids, state, atMs: performance.now() };
      return ids;
    } finally {
      listing = null;
    }
  }

  const isOf = (state: SharedState | null) => listed !== null && listed.state === state;
  return {
    /** The ids of the last listing; empty before the first one. */
    ids: (): readonly string[] => listed?.ids ?? [],
    /** Whether the store had this state when it was last listed. */
    isOf,
    /**
     * The ids in the store. They are listed anew when the last listing is older than `maxAgeMs` or was made under another
     * state. Concurrent callers share one listing.
     *
     * @throws {StoreFailed} when the store cannot be listed.
     */
    async list(state: SharedState | null): Promise<readonly string[]> {
      if (listed !== null && isOf(state) && performance.now() < listed.atMs + maxAgeMs) return listed.ids;
      listing ??= listNow(state);
      return listing;
    },
  };
}

interface Listed {
  readonly ids: readonly string[];
  readonly state: SharedState | null;
  readonly atMs: number;
}
