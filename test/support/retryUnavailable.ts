// Repeats a request that got a 503, a bounded number of times: `await retryUnavailable(() => ask(url))`.

import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../src/errors.ts';

/**
 * The most attempts. A busy machine may delay Redis beyond its deadline, but a server that never answers must fail the
 * test.
 */
const ATTEMPTS = 40;

/**
 * Returns the first answer other than 503, or the last answer. Repetitions are harmless, because a 503 counts against no
 * limit.
 */
export async function retryUnavailable<Answer extends { readonly status: number }>(
  ask: () => Promise<Answer>,
): Promise<Answer> {
  for (let times = 1; ; times++) {
    const answer = await ask();
    if (answer.status !== 503 || times === ATTEMPTS) return answer;
    await sleep(50);
  }
}

/** `fetch` from a server whose Redis a busy machine may delay. */
export const patientFetch = (url: string, init?: RequestInit): Promise<Response> =>
  retryUnavailable(() => fetch(url, init));

/** Calls a function that throws a 503, and repeats the call as `retryUnavailable` does. */
export async function retryThrown<Result>(ask: () => Promise<Result>): Promise<Result> {
  const outcome = await retryUnavailable(() =>
    ask().then(
      (result) => ({ status: 200, result }),
      (error: unknown) => ({ status: error instanceof ApiError ? error.status : 500, error }),
    ),
  );
  if ('error' in outcome) throw outcome.error;
  return outcome.result;
}
