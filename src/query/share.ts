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
  const stop = new AbortController();
  const deadline = setTimeout(() => stop.abort(), deadlineMs);
  const done = work(stop.signal).finally(() => clearTimeout(deadline));
  // Those who join see the failure; with nobody left it is nobody's.
  done.catch(() => {});
  let waiting = 0;
  return {
    done,
    stopped: () => stop.signal.aborted,
    join(signal) {
      waiting++;
      return new Promise((resolve, reject) => {
        let left = false;
        const leave = () => {
          if (left) return;
          left = true;
          waiting--;
          stop.signal.removeEventListener('abort', giveUp);
          signal?.removeEventListener('abort', giveUp);
        };
        const giveUp = () => {
          leave();
          reject(unavailable());
          if (waiting === 0) stop.abort();
        };
        done.then(resolve, reject).finally(leave);
        stop.signal.addEventListener('abort', giveUp);
        signal?.addEventListener('abort', giveUp);
        if (signal?.aborted || stop.signal.aborted) giveUp();
      });
    },
  };
}
