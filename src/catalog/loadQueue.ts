// Runs loads one after another, the most urgent first.

export interface LoadQueue {
  /** Runs `load` when it is the most urgent one that waits: the lowest urgency number, then the first to come. */
  run<Value>(load: () => Promise<Value>, urgency: number): Promise<Value>;
  /** Settles when nothing runs or waits any more. */
  idle(): Promise<void>;
}

export function createLoadQueue(): LoadQueue {
  const waiting: { readonly urgency: number; readonly start: () => Promise<void> }[] = [];
  let draining: Promise<void> | null = null;

  async function drain(): Promise<void> {
    for (;;) {
      const most = Math.min(...waiting.map(({ urgency }) => urgency));
      const [next] = waiting.splice(
        waiting.findIndex(({ urgency }) => urgency === most),
        1,
      );
      if (!next) break;
      await next.start();
    }
    draining = null;
  }

  return {
    run: (load, urgency) =>
      new Promise((resolve, reject) => {
        // One at a time: what one load takes is known before the next one asks for room.
        waiting.push({ urgency, start: () => load().then(resolve, reject) });
        draining ??= Promise.resolve().then(drain);
      }),
    idle: async () => {
      while (draining !== null) await draining;
    },
  };
}
