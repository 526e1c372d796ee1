// Runs work for requests that clients will probably make next. Requests that have arrived come first.

export interface Prefetch {
  /**
   * Runs `work` in a later turn of the event loop, or not at all. A failure is ignored, because the request repeats the
   * work.
   */
  schedule(work: () => Promise<void>): void;
}

/** The most work that runs at the same time. More would delay requests. Further work is dropped. */
const MAX_RUNNING = 4;

/** Runs work only after the turn that scheduled it, and at most `MAX_RUNNING` pieces of work at a time. */
export function createPrefetch(): Prefetch {
  let running = 0;
  return {
    schedule(work) {
      // Requests that have already arrived are handled in this turn, before the work begins.
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

/** The stand-in that does nothing: never runs anything. */
export const noPrefetch = (): Prefetch => ({ schedule() {} });
