// Limits how many older snapshots a caller may have opened per minute, because opening one takes seconds and memory.

import { sha256 } from '../basics/sha256.ts';

/**
 * Lets each caller have `limit` snapshots opened in any minute. A caller is any text, such as an API key. Only hashes of
 * callers are stored.
 */
export function createOpeningQuota(limit: number) {
  /** The hash of each caller → the times of its openings, in milliseconds of the caller's clock. */
  const openings = new Map<string, number[]>();

  function recent(id: string, nowMs: number): number[] {
    return (openings.get(id) ?? []).filter((ms) => ms > nowMs - WINDOW_MS);
  }

  function forgetOld(nowMs: number): void {
    for (const id of openings.keys()) {
      if (recent(id, nowMs).length === 0) openings.delete(id);
    }
  }

  return {
    /** How many callers are remembered. */
    get callers(): number {
      return openings.size;
    },
    /** How many snapshots were opened for a caller in the last minute. */
    used: (caller: string, nowMs: number): number => recent(hash(caller), nowMs).length,
    /**
     * Counts an opening, unless the quota of the caller is used up.
     *
     * @returns 0 when it was counted; otherwise the whole seconds until another snapshot may be opened for the caller.
     */
    take(caller: string, nowMs: number): number {
      const id = hash(caller);
      const times = recent(id, nowMs);
      const [oldest = nowMs] = times;
      if (times.length >= limit) return Math.max(1, Math.ceil((oldest + WINDOW_MS - nowMs) / 1000));
      if (!openings.has(id)) forgetOld(nowMs);
      openings.set(id, [...times, nowMs]);
      return 0;
    },
  };
}

const WINDOW_MS = 60_000;

const hash = (caller: string) => sha256(caller, 'base64url');
