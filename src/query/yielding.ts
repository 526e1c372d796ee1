// Makes exports yield to pages: while the server answers pages, exports pause longer than they work.

import { setTimeout as sleep } from 'node:timers/promises';
import { unavailable } from '../errors.ts';
import { type Slices, turn } from './slices.ts';

/** Shared by the pages and the exports of a process. */
export interface Yielding {
  /** Must be called for every page. It only increments a counter, because there are many pages. */
  countPage(): void;
  /** Whether no pages are being answered, so that nobody waits for a long slice. */
  isIdle(): boolean;
  slices(signal: AbortSignal): ExportSlices;
}

/** The slices of one export. A slice lasts from one call of `next` to the following one. */
export interface ExportSlices extends Slices {
  /**
   * Awaits work that others do, such as a client that reads or a thread that compresses. This time does not count as
   * part of the slice, because pages are answered in it.
   */
  waitFor<Value>(others: Promise<Value>): Promise<Value>;
}

/** The limits within which exports work. */
export interface YieldingOptions {
  /** How long an export keeps the event loop to itself at a time. */
  readonly sliceMs: number;
  /** While pages are answered, all exports together work for this share of the time. */
  readonly busyShare: number;
  /**
   * The most time that a slice and the pause after it take together: its period. Without this limit, an export would pause
   * far too long after its process was suspended for minutes.
   */
  readonly maxPeriodMs: number;
  /**
   * How long exports still yield after the last page. It is short, so that a few pages a second do not slow them down.
   */
  readonly pageRecencyMs: number;
  readonly clock: Clock;
}

/** A clock in milliseconds. Tests pass one that they set. */
export interface Clock {
  now(): number;
  sleep(ms: number): Promise<unknown>;
}

/** While no pages are answered, exports do not pause. Another request then waits for one slice at most. */
export const YIELDING_DEFAULTS: YieldingOptions = {
  sliceMs: 0.5,
  busyShare: 0.0625,
  maxPeriodMs: 20,
  pageRecencyMs: 10,
  clock: { now: () => performance.now(), sleep },
};

/**
 * The bytes that are read, converted or sent at once, and the size of the pooled buffers for them. Handling a chunk
 * takes a third of a slice. Smaller chunks would take more time per byte.
 */
export const CHUNK_BYTES = 2 ** 19;

/** Makes all exports of a process share one budget of time. Tests pass a clock of their own. */
export function createYielding(options: YieldingOptions = YIELDING_DEFAULTS): Yielding {
  const { busyShare, maxPeriodMs, pageRecencyMs, clock } = options;
  let pages = 0;
  let pagesSeen = 0;
  let pagesSeenMs = Number.NEGATIVE_INFINITY;
  /**
   * When the last period ends. The period of a slice is its work and the pause after it. It lasts as long as the work,
   * divided by `busyShare`. The periods of all exports follow one another.
   */
  let periodsEndMs = Number.NEGATIVE_INFINITY;

  function arePagesAnswered(nowMs: number): boolean {
    if (pages !== pagesSeen) [pagesSeen, pagesSeenMs] = [pages, nowMs];
    return nowMs - pagesSeenMs < pageRecencyMs;
  }

  /** After a slice that has worked for `workedMs`, waits until its period ends. */
  async function pause(workedMs: number, nowMs: number): Promise<void> {
    const periodMs = Math.min(workedMs / busyShare, maxPeriodMs);
    periodsEndMs = Math.max(periodsEndMs, nowMs - workedMs) + periodMs;
    if (periodsEndMs > nowMs) await clock.sleep(Math.ceil(periodsEndMs - nowMs));
    // Several exports may wake up at the same time, and only one slice may run in a turn.
    await turn();
  }

  return {
    countPage() {
      pages += 1;
    },
    isIdle: () => !arePagesAnswered(clock.now()),
    slices: (signal) =>
      exportSlices(options, signal, (workedMs, nowMs) =>
        arePagesAnswered(nowMs) ? pause(workedMs, nowMs) : turn(),
      ),
  };
}

/**
 * The slices of one export.
 *
 * @param pauseBetweenSlices gets the time that the export worked in the slice before, and the time now.
 */
function exportSlices(
  { sliceMs, clock }: YieldingOptions,
  signal: AbortSignal,
  pauseBetweenSlices: (workedMs: number, nowMs: number) => Promise<unknown>,
): ExportSlices {
  let workStartMs = clock.now();
  /** How long the export worked in this slice before `workStartMs`. */
  let workedMs = 0;
  return {
    isOver: () => workedMs + clock.now() - workStartMs >= sliceMs,
    async next() {
      const nowMs = clock.now();
      await pauseBetweenSlices(workedMs + nowMs - workStartMs, nowMs);
      if (signal.aborted) throw unavailable();
      workedMs = 0;
      workStartMs = clock.now();
    },
    async waitFor(others) {
      workedMs += clock.now() - workStartMs;
      try {
        return await others;
      } finally {
        workStartMs = clock.now();
      }
    },
  };
}
