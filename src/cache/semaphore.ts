// A bounded queue: so many run, so many wait, the rest is refused at once.

import { unavailable } from '../errors.ts';

export interface Slots {
  /**
   * Waits for a place, first come first served; the returned function gives it back.
   *
   * @throws {ApiError} 503 when too many wait already, or when `signal` aborts while waiting.
   */
  enter(signal: AbortSignal): Promise<() => void>;
}

export function createSlots({ running, waiting }: { running: number; waiting: number }): Slots {
  let taken = 0;
  const queue = new Set<() => void>();

  /** A place is handed on to the first who waits, so nobody can slip in between. */
  const leave = () => {
    const [next] = queue;
    if (next) next();
    else taken--;
  };
  const once = () => {
    let left = false;
    return () => {
      if (!left) leave();
      left = true;
    };
  };

  return {
    async enter(signal) {
      if (signal.aborted) throw unavailable();
      if (taken < running) {
        taken++;
        return once();
      }
      if (queue.size >= waiting) throw unavailable();
      return new Promise((resolve, reject) => {
        const proceed = () => {
          settle();
          resolve(once());
        };
        const giveUp = () => {
          settle();
          reject(unavailable());
        };
        const settle = () => {
          queue.delete(proceed);
          signal.removeEventListener('abort', giveUp);
        };
        queue.add(proceed);
        signal.addEventListener('abort', giveUp);
      });
    },
  };
}
