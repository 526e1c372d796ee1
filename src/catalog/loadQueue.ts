// Runs loads one after another, the most urgent first; the least urgent are refused when too many wait.

import { unavailable } from '../errors.ts';

export interface LoadQueue {
  /**
   * Runs `load` when it is the most urgent one that waits: the lowest urgency number, then the first to come.
   *
   * @throws {ApiError} 503 when the queue is full of more urgent loads.
   */
  run<Value>(load: () => Promise<Value>, urgency: number): Promise<Value>;
  /** Settles when nothing runs or waits any more. */
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
        // One at a time: what one load takes is known before the next one asks for room.
        insert({ urgency, start: () => load().then(resolve, reject), refuse: () => reject(unavailable()) });
        // Clients of a load at the end of a long queue have given up before it would begin.
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
