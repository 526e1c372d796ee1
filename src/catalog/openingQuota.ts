// Limits how many older snapshots each caller can open in a minute, because opening one takes seconds and memory.

import { createHash } from 'node:crypto';

/** A caller is any text, such as an API key. Only its hash is stored. */
export interface OpeningQuota {
  /** Openings by that caller within the last minute. */
  used(caller: string, nowMs: number): number;
  /**
   * Counts one opening, unless the caller has used up its quota.
   *
   * @returns 0 when it was counted; otherwise the whole seconds until the caller may open another one.
   */
  take(caller: string, nowMs: number): number;
}

export function createOpeningQuota(limit: number): OpeningQuota {
  const openings = new Map<string, number[]>();

  function recent(caller: string, nowMs: number): number[] {
    return (openings.get(caller) ?? []).filter((ms) => ms > nowMs - WINDOW_MS);
  }

  function forgetOld(nowMs: number): void {
    for (const caller of openings.keys()) {
      if (recent(caller, nowMs).length === 0) openings.delete(caller);
    }
  }

  return {
    used: (caller, nowMs) => recent(hash(caller), nowMs).length,
    take(name, nowMs) {
      const caller = hash(name);
      const times = recent(caller, nowMs);
      const [oldest = nowMs] = times;
      if (times.length >= limit) return Math.max(1, Math.ceil((oldest + WINDOW_MS - nowMs) / 1000));
      if (!openings.has(caller)) forgetOld(nowMs);
      openings.set(caller, [...times, nowMs]);
      return 0;
    },
  };
}

const WINDOW_MS = 60_000;

const hash = (caller: string) => createHash('sha256').update(caller).digest('base64url');
