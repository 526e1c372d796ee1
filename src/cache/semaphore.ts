// A semaphore with a limited queue: some callers run, some wait, and all others are refused.

import { unavailable } from '../errors.ts';

/** Limits how many callers run at the same time. */
export interface Semaphore {
  /**
   * Waits for a permit. The caller that waits longest gets the next one. The returned function releases the permit, and
   * must be called once.
   *
   * @throws {ApiError} 503 when the queue is full, or when `signal` aborts while waiting.
   */
  acquire(signal: AbortSignal): Promise<() => void>;
  readonly running: number;
  readonly waiting: number;
}

export interface SemaphoreOptions {
  /** The number of permits. */
  readonly permits: number;
  /** The greatest length of the queue. */
  readonly maxWaiting: number;
}

/** A semaphore with `permits` permits, for which at most `maxWaiting` callers wait. */
export function createSemaphore({ permits, maxWaiting }: SemaphoreOptions): Semaphore {
  let acquired = 0;
  const queue = new Set<() => void>();

  // A released permit goes directly to the first caller in the queue, so that a new caller cannot take it.
  const release = () => {
    const [next] = queue;
    if (next) next();
    else acquired--;
  };

  return {
    get running() {
      return acquired;
    },
    get waiting() {
      return queue.size;
    },
    async acquire(signal) {
      if (signal.aborted) throw unavailable();
      if (acquired < permits) {
        acquired++;
        return release;
      }
      if (queue.size >= maxWaiting) throw unavailable();
      return new Promise((resolve, reject) => {
        const proceed = () => {
          leaveQueue();
          resolve(release);
        };
        const giveUp = () => {
          leaveQueue();
          reject(unavailable());
        };
        const leaveQueue = () => {
          queue.delete(proceed);
          signal.removeEventListener('abort', giveUp);
        };
        queue.add(proceed);
        signal.addEventListener('abort', giveUp);
      });
    },
  };
}

/** The stand-in that does nothing: gives every caller a permit at once. */
export const noSemaphore = (): Semaphore => ({
  running: 0,
  waiting: 0,
  async acquire(signal) {
    if (signal.aborted) throw unavailable();
    return () => {};
  },
});
