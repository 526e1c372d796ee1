// Lists the snapshots of a store for the server, seldom enough that clients who name unknown ids do not load the store.

import type { ObjectStore } from './objectStore.ts';
import { type SharedState, storedIds } from './sharedState.ts';

export interface StoreListing {
  /** The ids of the last listing; empty before the first one. */
  ids(): readonly string[];
  /** Whether the last listing was made under this state. */
  isOf(state: SharedState | null): boolean;
  /**
   * Lists the store, unless it was listed under this state within `maxAgeMs`. Concurrent callers share one listing.
   *
   * @throws {StoreFailed}
   */
  list(state: SharedState | null): Promise<readonly string[]>;
}

export function createStoreListing(store: ObjectStore, maxAgeMs: number): StoreListing {
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
    ids: () => listed?.ids ?? [],
    isOf,
    async list(state) {
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
