// A semaphore runs and queues as many callers as its settings say, and refuses all others.

import { describe, expect, it } from '@jest/globals';
import { createSemaphore } from '../../src/cache/semaphore.ts';
import { ApiError } from '../../src/errors.ts';

const never = new AbortController().signal;

describe('a semaphore', () => {
  it('runs and queues as many as it is made for, and refuses the rest at once', async () => {
    const semaphore = createSemaphore({ permits: 2, maxWaiting: 2 });
    const order: number[] = [];
    const releaseFirst = await semaphore.acquire(never);
    const releaseSecond = await semaphore.acquire(never);
    const waiting = [3, 4].map((n) =>
      semaphore.acquire(never).then((release) => [order.push(n), release] as const),
    );
    await expect(semaphore.acquire(never)).rejects.toThrow(ApiError);
    releaseFirst();
    releaseSecond();
    await Promise.all(waiting);
    expect(order).toEqual([3, 4]);
    expect([semaphore.running, semaphore.waiting]).toEqual([2, 0]);
  });

  it('frees the queue place of a caller who gives up', async () => {
    const semaphore = createSemaphore({ permits: 1, maxWaiting: 1 });
    const release = await semaphore.acquire(never);
    const impatient = new AbortController();
    const gone = semaphore.acquire(impatient.signal);
    impatient.abort();
    await expect(gone).rejects.toThrow(ApiError);
    const patient = semaphore.acquire(never);
    release();
    await expect(patient).resolves.toBeInstanceOf(Function);
  });

  it('refuses a caller who has already given up', async () => {
    await expect(createSemaphore({ permits: 1, maxWaiting: 1 }).acquire(AbortSignal.abort())).rejects.toThrow(
      ApiError,
    );
  });
});
