// Single flight: concurrent callers with the same key share one run of their work, with a deadline.

import { unavailable } from '../errors.ts';

/** Runs work once for all concurrent callers with the same key. */
export interface SingleFlight<Value> {
  /**
   * The result of `work`, or of the work with the same key that is already running.
   *
   * The signal `stop` aborts when the deadline has passed or all callers have given up. A later caller then starts new
   * work.
   *
   * @throws {ApiError} 503 as soon as the deadline passes or `signal` aborts, even if the work has not stopped yet.
   */
  run(key: string, work: (stop: AbortSignal) => Promise<Value>, signal?: AbortSignal): Promise<Value>;
}

/** Shares each run between its callers, until the run has taken `deadlineMs`. */
export function createSingleFlight<Value>(deadlineMs: number): SingleFlight<Value> {
  const flights = new Map<string, Flight<Value>>();
  return {
    run(key, work, signal) {
      let flight = flights.get(key);
      if (!flight || flight.isStopped()) {
        const started = startFlight(work, deadlineMs, () => {
          if (flights.get(key) === started) flights.delete(key);
        });
        flights.set(key, started);
        flight = started;
      }
      return flight.join(signal);
    },
  };
}

/** The stand-in that does nothing: runs the work of each caller separately, with the same deadline. */
export const noSingleFlight = <Value>(deadlineMs: number): SingleFlight<Value> => ({
  run: (_key, work, signal) => startFlight(work, deadlineMs, () => {}).join(signal),
});

interface Flight<Value> {
  isStopped(): boolean;
  join(signal?: AbortSignal): Promise<Value>;
}

function startFlight<Value>(
  work: (stop: AbortSignal) => Promise<Value>,
  deadlineMs: number,
  onEnd: () => void,
): Flight<Value> {
  const controller = new AbortController();
  const callers = new Set<() => void>();
  const stop = () => {
    controller.abort();
    for (const giveUp of callers) giveUp();
  };
  const deadline = setTimeout(stop, deadlineMs);
  const done = work(controller.signal).finally(() => {
    clearTimeout(deadline);
    onEnd();
  });
  // Callers receive a failure through `join`. Without this handler, a failure that no caller waits for would end the
  // process.
  done.catch(() => {});
  return {
    isStopped: () => controller.signal.aborted,
    join(signal) {
      return new Promise((resolve, reject) => {
        const leave = () => {
          callers.delete(giveUp);
          signal?.removeEventListener('abort', giveUp);
        };
        const giveUp = () => {
          leave();
          reject(unavailable());
          if (callers.size === 0) stop();
        };
        done.then(resolve, reject).finally(leave);
        callers.add(giveUp);
        signal?.addEventListener('abort', giveUp);
        if (signal?.aborted || controller.signal.aborted) giveUp();
      });
    },
  };
}
