// Polls something outside the process: each look begins some time after the one before has ended.

export interface Polling {
  /** Settles when the first look has ended. */
  readonly first: Promise<void>;
  /** Begins no further look, and waits for one that is running. */
  stop(): Promise<void>;
}

/**
 * Looks at once, and then again and again. A process may end while no look is running.
 *
 * @param look must not reject.
 */
export function startPolling(look: () => Promise<void>, pauseMs: number): Polling {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  async function lookAndWait(): Promise<void> {
    await look();
    if (isStopped) return;
    timer = setTimeout(() => {
      running = lookAndWait();
    }, pauseMs).unref();
  }

  const first = lookAndWait();
  let running = first;
  return {
    first,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
