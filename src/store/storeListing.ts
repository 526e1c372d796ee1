// Lists the snapshots of a store. It does so rarely, so that requests for unknown ids do not burden the store.

import type { ObjectStore } from './objectStore.ts';
import { type SharedState, storedIds } from './sharedState.ts';

/** Makes a listing of `store`. It reads the store anew at most every `maxAgeMs`, or earlier when the state has changed. */
export function createStoreListing(store: ObjectStore, maxAgeMs: number) {
  let last: Listing | null = null;
  /** The last listing that began, until it ends. */
  let running: RunningListing | null = null;

  function begin(state: SharedState | null): Promise<readonly string[]> {
    const started: RunningListing = { state, ids: storedIds(store, state) };
    running = started;
    const end = (ids: readonly string[] | null) => {
      // A listing that began later, under another state, counts instead.
      if (running !== started) return;
      running = null;
      if (ids !== null) last = { ids, state, atMs: performance.now() };
    };
    started.ids.then(end, () => end(null));
    return started.ids;
  }

  const isOf = (state: SharedState | null) => last !== null && last.state === state;
  return {
    /** The ids of the last listing; empty before the first one. */
    ids: (): readonly string[] => last?.ids ?? [],
    /** Whether the store had this state when it was last listed. */
    isOf,
    /**
     * The ids in the store. They are listed anew when the last listing is older than `maxAgeMs` or was made under another
     * state. Concurrent callers with the same state share one listing.
     *
     * @throws {StoreFailed} when the store cannot be listed.
     */
    async list(state: SharedState | null): Promise<readonly string[]> {
      if (last !== null && isOf(state) && performance.now() < last.atMs + maxAgeMs) return last.ids;
      // A listing that began under an earlier state may lack the newest snapshot.
      return running !== null && running.state === state ? running.ids : begin(state);
    },
  };
}

interface RunningListing {
  readonly state: SharedState | null;
  readonly ids: Promise<readonly string[]>;
}

interface Listing {
  readonly ids: readonly string[];
  readonly state: SharedState | null;
  readonly atMs: number;
}
