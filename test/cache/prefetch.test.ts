// The number of prefetches is limited.

import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { createPrefetch } from '../../src/cache/prefetch.ts';

it('at most four pieces of work run at once, the others are dropped, and there is room again when some end', async () => {
  const prefetch = createPrefetch();
  const ends: (() => void)[] = [];
  const work = () =>
    new Promise<void>((resolve, reject) => {
      ends.push(ends.length === 0 ? () => reject(new Error('failed')) : () => resolve());
    });
  for (let i = 0; i < 6; i += 1) prefetch.schedule(work);
  // Scheduling the work does not interrupt the current turn of the event loop.
  expect(ends).toHaveLength(0);
  await setImmediate();
  expect(ends).toHaveLength(4);
  for (const end of ends.slice(0, 2)) end();
  await setImmediate();
  for (let i = 0; i < 6; i += 1) prefetch.schedule(work);
  await setImmediate();
  expect(ends).toHaveLength(6);
});
