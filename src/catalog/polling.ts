// Polls something outside the process, such as a file, with a pause after each poll.

export interface Polling {
  readonly firstPoll: Promise<void>;
  /** Stops the polling, and waits for a poll that is running. */
  stop(): Promise<void>;
}

/**
 * Calls `poll` at once, and again `pauseMs` after each call has ended. The pause does not keep the process alive.
 *
 * @param poll must not reject.
 */
export function startPolling(poll: () => Promise<void>, pauseMs: number): Polling {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  async function pollAndWait(): Promise<void> {
    await poll();
    if (isStopped) return;
    timer = setTimeout(() => {
      running = pollAndWait();
    }, pauseMs).unref();
  }

  const firstPoll = pollAndWait();
  let running = firstPoll;
  return {
    firstPoll,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
