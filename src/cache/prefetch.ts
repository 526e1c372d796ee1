// Runs work that a client will probably request next, after all requests that have arrived.

export interface Prefetch {
  /** Runs `work` in a later turn of the event loop, or never. Failures are ignored; the request repeats the work. */
  schedule(work: () => Promise<void>): void;
}

/** More concurrent work would delay actual requests. */
const MAX_RUNNING = 4;

export function createPrefetch(): Prefetch {
  let running = 0;
  return {
    schedule(work) {
      // A later turn, so that requests that have arrived come first.
      setImmediate(() => {
        if (running >= MAX_RUNNING) return;
        running += 1;
        const end = () => {
          running -= 1;
        };
        work().then(end, end);
      });
    },
  };
}

/** Never runs anything. */
export const noPrefetch = (): Prefetch => ({ schedule() {} });
