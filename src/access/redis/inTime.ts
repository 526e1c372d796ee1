// Gives Redis a deadline, so that a client gets its 503 within 300 ms (ruling 25).

import { type ApiError, unavailable } from '../../errors.ts';

const REPLY_MS = 250;

/**
 * The answer of Redis.
 *
 * @param errorOf gives the error to throw for a call that failed in Redis.
 * @throws {ApiError} 503 when there is no answer by the deadline, and what `errorOf` gives when Redis fails.
 */
export function inTime<Value>(
  asked: Promise<Value>,
  deadlineMs: number = REPLY_MS,
  errorOf: (failure: unknown) => ApiError = () => unavailable(),
): Promise<Value> {
  return new Promise((resolve, reject) => {
    // Gives up one turn later, so that a reply that arrived while the event loop was busy is read first.
    const timer = setTimeout(() => setImmediate(reject, unavailable()), deadlineMs);
    asked.then(resolve, (failure) => reject(errorOf(failure))).finally(() => clearTimeout(timer));
  });
}
