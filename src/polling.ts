// Repeats a look at something outside the process, with a pause after each look.

export interface Polling {
  /** Settles when the first look has ended. */
  readonly first: Promise<void>;
  /** Stops the polling, and waits for a look that is running. */
  stop(): Promise<void>;
}

/**
 * Looks at once, and again `pauseMs` after each look has ended. The pause does not keep the process alive.
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
