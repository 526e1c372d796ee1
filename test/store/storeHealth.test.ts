// The log reports that a store fails, once for each reason, and that it answers again.

import { expect, it } from '@jest/globals';
import type { Observation } from '../../src/observations.ts';
import { createStoreHealth } from '../../src/store/storeHealth.ts';

it('a store is reported as up when it answers again, and as failing once for each reason', () => {
  const observed: Observation[] = [];
  const health = createStoreHealth({
    address: 's3://bucket',
    dataDir: '/data',
    observe: (one) => observed.push(one),
  });
  const states = [health.isUp()];
  const looks: (string | null)[] = [null, null, 'away', 'away', 'full', null, 'full'];
  for (const reason of looks) {
    if (reason === null) health.recordSuccess();
    else health.recordFailure(new Error(reason));
    states.push(health.isUp());
  }
  expect(states).toEqual([false, true, true, false, false, false, true, false]);
  expect(observed).toEqual([
    { event: 'store up', address: 's3://bucket' },
    { event: 'store failed', reason: expect.stringContaining('away') },
    { event: 'store failed', reason: expect.stringContaining('full') },
    { event: 'store up', address: 's3://bucket' },
    { event: 'store failed', reason: expect.stringContaining('full') },
  ]);
});
