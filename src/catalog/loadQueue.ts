// A queue of snapshot loads, which run one after another, the lowest rank first. When too many wait, the last is refused.

import { unavailable } from '../errors.ts';

export interface LoadQueue {
  /**
   * Queues `load`. The lowest rank runs first; of several with the same rank, the first queued.
   *
   * @throws {ApiError} 503 when the queue is full of loads that come before it.
   */
  run<Value>(load: () => Promise<Value>, rank: number): Promise<Value>;
  /** Settles when nothing runs or waits. */
  idle(): Promise<void>;
}

export function createLoadQueue(capacity: number): LoadQueue {
  /** In the order in which they run. */
  const waiting: Waiting[] = [];
  let draining: Promise<void> | null = null;

  async function drain(): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift()) await next.start();
    draining = null;
  }

  function insert(load: Waiting): void {
    const later = waiting.findIndex(({ rank }) => rank > load.rank);
    waiting.splice(later < 0 ? waiting.length : later, 0, load);
  }

  return {
    run: (load, rank) =>
      new Promise((resolve, reject) => {
        // One at a time, so that each load finds the memory of the loads before it counted.
        insert({ rank, start: () => load().then(resolve, reject), refuse: () => reject(unavailable()) });
        // The clients of the last load would give up before it starts.
        if (waiting.length > capacity) waiting.pop()?.refuse();
        draining ??= Promise.resolve().then(drain);
      }),
    idle: async () => {
      while (draining !== null) await draining;
    },
  };
}

interface Waiting {
  readonly rank: number;
  start(): Promise<void>;
  refuse(): void;
}
