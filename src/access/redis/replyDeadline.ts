// Sets a deadline for an answer of Redis, so that a client gets its 503 within 300 ms (ruling 25).

import { type ApiError, unavailable } from '../../errors.ts';

/** When a request gets its 503, counted from its arrival. */
export const REPLY_MS = 250;

/** The monotonic clock and the timers by which deadlines run. Tests have one that they move. */
export interface MonotonicClock {
  readonly nowMs: () => number;
  /** Runs a function after a deadline, and returns the function that cancels it. */
  readonly afterDeadline: (deadlineMs: number, run: () => void) => () => void;
}

/**
 * Waits for an answer of Redis until a deadline.
 *
 * @param errorOf gives the error to throw when the call fails in Redis.
 * @throws {ApiError} 503 when there is no answer by the deadline, and the error of `errorOf` when the call fails.
 */
export function withinDeadline<Value>(
  reply: Promise<Value>,
  deadlineMs: number = REPLY_MS,
  errorOf: (failure: unknown) => ApiError = () => unavailable(),
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const cancel = afterDeadline(deadlineMs, () => reject(unavailable()));
    reply.then(resolve, (failure) => reject(errorOf(failure))).finally(cancel);
  });
}

/**
 * Runs a function one turn of the event loop after a deadline, unless it is cancelled first. So a reply that arrived
 * while the event loop was busy is read first.
 *
 * @returns the function that cancels it.
 */
export function afterDeadline(deadlineMs: number, run: () => void): () => void {
  let turn: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    turn = setImmediate(run);
  }, deadlineMs);
  return () => {
    clearTimeout(timer);
    clearImmediate(turn);
  };
}

/** The clock of this process. */
export const PROCESS_CLOCK: MonotonicClock = { nowMs: () => performance.now(), afterDeadline };
