// Work that several ask for at once is done once, and stops when it takes too long or nobody waits any more.

import { unavailable } from '../errors.ts';

export interface Shared<Value> {
  /** Settles with the work itself, which may be after everybody has left. */
  readonly done: Promise<Value>;
  /** Whether the work was told to stop: whoever comes now starts anew. */
  stopped(): boolean;
  /**
   * The work's outcome.
   *
   * @throws {ApiError} 503 at once when the deadline passes or `signal` aborts, however long the work then takes
   * to stop.
   */
  join(signal?: AbortSignal): Promise<Value>;
}

export function share<Value>(work: (stop: AbortSignal) => Promise<Value>, deadlineMs: number): Shared<Value> {
  const controller = new AbortController();
  const waiting = new Set<() => void>();
  const stop = () => {
    controller.abort();
    for (const giveUp of waiting) giveUp();
  };
  const deadline = setTimeout(stop, deadlineMs);
  const done = work(controller.signal).finally(() => clearTimeout(deadline));
  // Those who wait see the failure; with nobody left it is nobody's.
  done.catch(() => {});
  return {
    done,
    stopped: () => controller.signal.aborted,
    join(signal) {
      return new Promise((resolve, reject) => {
        const leave = () => {
          waiting.delete(giveUp);
          signal?.removeEventListener('abort', giveUp);
        };
        const giveUp = () => {
          leave();
          reject(unavailable());
          if (waiting.size === 0) stop();
        };
        done.then(resolve, reject).finally(leave);
        waiting.add(giveUp);
        signal?.addEventListener('abort', giveUp);
        if (signal?.aborted || controller.signal.aborted) giveUp();
      });
    },
  };
}
