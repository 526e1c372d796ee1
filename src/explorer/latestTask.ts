// Runs only the latest task. Planning a task cancels the one before, even if it is running.

export interface LatestTask {
  /** Runs a task after a pause. Its signal is aborted when the next task is planned. */
  plan(pauseMs: number, run: (signal: AbortSignal) => Promise<void>): void;
  cancel(): void;
}

/** Makes a runner, with no task planned yet. */
export function createLatestTask(): LatestTask {
  let running = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function cancel(): void {
    clearTimeout(timer);
    running.abort();
  }

  return {
    plan(pauseMs, run) {
      cancel();
      running = new AbortController();
      const { signal } = running;
      timer = setTimeout(() => void run(signal), pauseMs);
    },
    cancel,
  };
}
