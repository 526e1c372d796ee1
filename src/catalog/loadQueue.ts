// A queue of snapshot loads, which run one after another by urgency. When too many wait, the least urgent is refused.

import { unavailable } from '../errors.ts';

export interface LoadQueue {
  /**
   * Queues `load`. The lowest urgency runs first; of several with the same urgency, the first queued.
   *
   * @throws {ApiError} 503 when the queue is full of more urgent loads.
   */
  run<Value>(load: () => Promise<Value>, urgency: number): Promise<Value>;
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
    const later = waiting.findIndex(({ urgency }) => urgency > load.urgency);
    waiting.splice(later < 0 ? waiting.length : later, 0, load);
  }

  return {
    run: (load, urgency) =>
      new Promise((resolve, reject) => {
        // One at a time, so that each load finds the memory of the loads before it counted.
        insert({ urgency, start: () => load().then(resolve, reject), refuse: () => reject(unavailable()) });
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
  readonly urgency: number;
  start(): Promise<void>;
  refuse(): void;
}
