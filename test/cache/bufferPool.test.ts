// Buffers are reused only after their lease has ended.

import { describe, expect, it } from '@jest/globals';
import { createBufferPool } from '../../src/cache/bufferPool.ts';

const BYTES = 2 ** 12;

describe('a buffer pool', () => {
  it('gives a buffer to the next once its lease has ended, not before', () => {
    const pool = createBufferPool(BYTES);
    const buffer = pool.acquire();
    const lease = pool.lease(buffer, BYTES);
    expect(pool.acquire()).not.toBe(buffer);
    lease.release();
    expect(pool.acquire()).toBe(buffer);
  });

  it('refuses a second release of a buffer, which two pages would then share', () => {
    const pool = createBufferPool(BYTES);
    const [released, detached] = [pool.acquire(), pool.acquire()].map((one) => pool.lease(one, BYTES));
    released?.release();
    detached?.detach();
    expect(() => released?.release()).toThrow('released twice');
    expect(() => detached?.release()).toThrow('released twice');
    expect(pool.acquire()).not.toBe(pool.acquire());
  });

  it('keeps 32 idle buffers at most, and none that has become larger than 1 MiB', () => {
    const pool = createBufferPool(2 ** 20);
    const leases = Array.from({ length: 33 }, () => pool.lease(pool.acquire(), BYTES));
    for (const { release } of leases) release();
    expect(pool.idleBytes).toBe(32 * 2 ** 20);
    const another = createBufferPool(BYTES);
    another.lease(Buffer.alloc(2 ** 20 + 1), BYTES).release();
    expect(another.idleBytes).toBe(0);
  });
});
