// Does work that somebody will probably ask for, after everything that has been asked for already.

export interface Prefetch {
  /** Runs `work` in a later turn of the event loop, or never. A failure is ignored: whoever asks will meet it. */
  schedule(work: () => Promise<void>): void;
}

/** More at once would delay the requests that clients wait for. */
const MAX_RUNNING = 4;

export function createPrefetch(): Prefetch {
  let running = 0;
  return {
    schedule(work) {
      // Requests that have arrived meanwhile come first.
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
