// A semaphore with a bounded queue: a limited number runs, a limited number waits, and all others are refused.

import { unavailable } from '../errors.ts';

export interface Semaphore {
  /**
   * Waits for a permit, first come first served. The returned function releases it; calling that again does nothing.
   *
   * @throws {ApiError} 503 when the queue is full, or when `signal` aborts while waiting.
   */
  acquire(signal: AbortSignal): Promise<() => void>;
  /** Permits that are acquired. */
  readonly running: number;
  /** Callers in the queue. */
  readonly waiting: number;
}

export interface SemaphoreOptions {
  readonly running: number;
  readonly waiting: number;
}

export function createSemaphore({ running, waiting }: SemaphoreOptions): Semaphore {
  let acquired = 0;
  const queue = new Set<() => void>();

  // A released permit goes straight to the first in the queue, so no newcomer can take it.
  const release = () => {
    const [next] = queue;
    if (next) next();
    else acquired--;
  };
  const releaseOnce = () => {
    let isReleased = false;
    return () => {
      if (!isReleased) release();
      isReleased = true;
    };
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
      if (acquired < running) {
        acquired++;
        return releaseOnce();
      }
      if (queue.size >= waiting) throw unavailable();
      return new Promise((resolve, reject) => {
        const proceed = () => {
          leaveQueue();
          resolve(releaseOnce());
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

/** Gives every caller a permit at once. */
export const noSemaphore = (): Semaphore => ({
  running: 0,
  waiting: 0,
  async acquire(signal) {
    if (signal.aborted) throw unavailable();
    return () => {};
  },
});
