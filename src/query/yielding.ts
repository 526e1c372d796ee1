// Makes exports yield to pages: while the server answers pages, all exports together pause longer than they work.

import { setTimeout as sleep } from 'node:timers/promises';
import { unavailable } from '../errors.ts';
import { type Slices, turn } from './slices.ts';

/** What the pages and the exports of a process share. */
export interface Yielding {
  /** To be called for every page. It only counts, because pages are many. */
  countPage(): void;
  slices(signal: AbortSignal): ExportSlices;
}

/** The slices of one export. A slice lasts from one `next` to the following one. */
export interface ExportSlices extends Slices {
  /**
   * Awaits what the export does not do itself: a client that reads, a thread that compresses. The time does not count
   * for the slice, because pages are answered meanwhile.
   */
  waitFor<Value>(others: Promise<Value>): Promise<Value>;
}

export interface YieldingOptions {
  /** How long an export keeps the event loop to itself at a time. */
  readonly sliceMs: number;
  /** The part of the time that all exports together get while pages are answered. */
  readonly share: number;
  /** The longest period of a slice. A process that the system suspends would otherwise measure a slice of minutes. */
  readonly maxPeriodMs: number;
  /** How long after a page exports still yield. A few pages a second do not slow them down. */
  readonly recentMs: number;
  readonly clock: Clock;
}

export interface Clock {
  now(): number;
  sleep(ms: number): Promise<unknown>;
}

/** Without pages exports never pause: another request then waits for one slice at most. */
export const YIELDING: YieldingOptions = {
  sliceMs: 0.5,
  share: 0.0625,
  maxPeriodMs: 20,
  recentMs: 10,
  clock: { now: () => performance.now(), sleep },
};

export function createYielding({
  sliceMs,
  share,
  maxPeriodMs,
  recentMs,
  clock,
}: YieldingOptions = YIELDING): Yielding {
  let pages = 0;
  let pagesSeen = 0;
  let pagesSeenMs = Number.NEGATIVE_INFINITY;
  /**
   * When the last period ends. The period of a slice is the time that it worked, divided by `share`: work and pause together.
   * The periods of all exports follow one another.
   */
  let periodsEndMs = Number.NEGATIVE_INFINITY;

  function arePagesAnswered(nowMs: number): boolean {
    if (pages !== pagesSeen) [pagesSeen, pagesSeenMs] = [pages, nowMs];
    return nowMs - pagesSeenMs < recentMs;
  }

  /** After a slice that has worked for `workedMs`, waits until its period ends. */
  async function pause(workedMs: number, nowMs: number): Promise<void> {
    const periodMs = Math.min(workedMs / share, maxPeriodMs);
    periodsEndMs = Math.max(periodsEndMs, nowMs - workedMs) + periodMs;
    if (periodsEndMs > nowMs) await clock.sleep(Math.ceil(periodsEndMs - nowMs));
    // Several exports may wake up together: one slice runs in a turn.
    await turn();
  }

  return {
    countPage() {
      pages += 1;
    },
    slices(signal) {
      let begunMs = clock.now();
      /** In this slice, before `begunMs`. */
      let workedMs = 0;
      return {
        isOver: () => workedMs + clock.now() - begunMs >= sliceMs,
        async next() {
          const nowMs = clock.now();
          if (arePagesAnswered(nowMs)) await pause(workedMs + nowMs - begunMs, nowMs);
          else await turn();
          if (signal.aborted) throw unavailable();
          workedMs = 0;
          begunMs = clock.now();
        },
        async waitFor(others) {
          workedMs += clock.now() - begunMs;
          try {
            return await others;
          } finally {
            begunMs = clock.now();
          }
        },
      };
    },
  };
}
