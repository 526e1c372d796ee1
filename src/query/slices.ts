// Divides long computations into slices, between which the event loop serves other requests.

import { unavailable } from '../errors.ts';

/** The slices of one computation. */
export interface Slices {
  /** Whether the slice has used up its time. The caller must then await `next`. */
  isOver(): boolean;
  /**
   * Resolves in a later turn of the event loop. One slice runs per turn, however many computations there are.
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

/** Resolves in a later turn of the event loop. */
export const turn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(resume);
  });

function resume(): void {
  waiting.shift()?.();
  // The resumed slice runs before the next turn of the loop.
  if (waiting.length > 0) setImmediate(resume);
}
