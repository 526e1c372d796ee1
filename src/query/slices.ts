// Divides long computations into slices. Between two slices the event loop serves other requests.

import { unavailable } from '../errors.ts';

export interface Slices {
  /** Whether the time of the slice is used up. The caller must then await `next`. */
  isOver(): boolean;
  /**
   * Begins the next slice, in a later turn of the event loop. All computations together run one slice per turn.
   *
   * @throws {ApiError} 503 when `signal` has aborted.
   */
  next(): Promise<void>;
}

/** Slices of about `sliceMs` each, until `signal` aborts. */
export function inSlices(sliceMs: number, signal?: AbortSignal): Slices {
  let sliceStartMs = performance.now();
  return {
    isOver: () => performance.now() - sliceStartMs >= sliceMs,
    async next() {
      await turn();
      if (signal?.aborted) throw unavailable();
      sliceStartMs = performance.now();
    },
  };
}

/** The computations that wait for their next slice, in the order in which they began to wait. */
const waiting: (() => void)[] = [];

/** Resolves in a later turn of the event loop. In each turn only the first of all waiting callers goes on. */
export const turn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(resume);
  });

function resume(): void {
  waiting.shift()?.();
  // The resumed caller runs before the next turn, so only one caller runs in each turn.
  if (waiting.length > 0) setImmediate(resume);
}
