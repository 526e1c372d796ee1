// A queue of snapshot loads. The lowest rank runs first. When too many loads wait, the last one is refused.

import { unavailable } from '../errors.ts';

/** A queue that runs one load at a time, while at most `capacity` others wait. */
export function createLoadQueue(capacity: number) {
  /** The loads that wait, in the order in which they will run. */
  const waiting: WaitingLoad[] = [];
  let draining: Promise<void> | null = null;

  async function drain(): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift()) await next.start();
    draining = null;
  }

  function insert(load: WaitingLoad): void {
    const later = waiting.findIndex(({ rank }) => rank > load.rank);
    waiting.splice(later < 0 ? waiting.length : later, 0, load);
  }

  return {
    /**
     * Queues a load. The lowest rank runs first. Loads of the same rank run in the order in which they were queued.
     *
     * @throws {ApiError} 503 when so many loads wait before it that the queue is full.
     */
    run: <Value>(load: () => Promise<Value>, rank: number): Promise<Value> =>
      new Promise((resolve, reject) => {
        // Loads run one at a time, so that the memory of each load is counted before the next one begins.
        insert({ rank, start: () => load().then(resolve, reject), refuse: () => reject(unavailable()) });
        // The last load is refused, because its clients would give up before it starts.
        if (waiting.length > capacity) waiting.pop()?.refuse();
        draining ??= Promise.resolve().then(drain);
      }),
    /** Settles when nothing runs or waits. */
    async idle(): Promise<void> {
      while (draining !== null) await draining;
    },
  };
}

interface WaitingLoad {
  readonly rank: number;
  start(): Promise<void>;
  refuse(): void;
}
