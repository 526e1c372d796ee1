// Sets a deadline for an answer of Redis, so that a client gets its 503 within 300 ms (ruling 25).

import { type ApiError, unavailable } from '../../errors.ts';

const REPLY_MS = 250;

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
    // The promise is rejected one turn after the deadline, so that a reply that arrived while the event loop was busy is
    // read first.
    const timer = setTimeout(() => setImmediate(reject, unavailable()), deadlineMs);
    reply.then(resolve, (failure) => reject(errorOf(failure))).finally(() => clearTimeout(timer));
  });
}
