// A shared resource is freed once, after its last user has released it.

import { expect, it } from '@jest/globals';
import { referenceCount } from '../../src/catalog/referenceCount.ts';

it('what is counted is freed once, after it was closed and every user has released it, however often', () => {
  let freed = 0;
  const counted = referenceCount(() => {
    freed += 1;
  });
  const [one, other] = [counted.acquire(), counted.acquire()];
  one();
  // When a user releases it twice, the other user keeps it.
  one();
  expect(counted.inUse()).toBe(true);
  counted.close();
  expect(freed).toBe(0);
  other();
  expect([counted.inUse(), freed]).toEqual([false, 1]);
  other();
  counted.close();
  expect(freed).toBe(1);
  expect(() => counted.acquire()).toThrow('acquired after it was freed');
});

it('what nobody uses is freed when it is closed, and not before', () => {
  let freed = 0;
  const counted = referenceCount(() => {
    freed += 1;
  });
  counted.acquire()();
  expect(freed).toBe(0);
  counted.close();
  expect(freed).toBe(1);
});
