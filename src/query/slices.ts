// Divides long computations into slices, so that the event loop answers other requests in between.

import { unavailable } from '../errors.ts';

/** One computation's share of the event loop. */
export interface Slices {
  /** Whether the slice has run for long enough: the caller then awaits `next`. */
  isOver(): boolean;
  /**
   * Resolves in a later turn of the event loop. Computations take turns: one slice runs per turn of the loop, however
   * many computations there are.
   *
   * @throws {ApiError} 503 when `signal` has aborted.
   */
  next(): Promise<void>;
}

/** Slices of about `sliceMs` each, until `signal` aborts. */
export function inSlices(sliceMs: number, signal?: AbortSignal): Slices {
  let begunMs = performance.now();
  return {
    isOver: () => performance.now() - begunMs >= sliceMs,
    async next() {
      await turn();
      if (signal?.aborted) throw unavailable();
      begunMs = performance.now();
    },
  };
}

/** First come, first served. */
const waiting: (() => void)[] = [];

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(resume);
  });

function resume(): void {
  waiting.shift()?.();
  // The slice that was resumed runs before the next turn of the loop.
  if (waiting.length > 0) setImmediate(resume);
}
