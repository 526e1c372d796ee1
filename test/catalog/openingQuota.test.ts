// A caller may have only a limited number of older snapshots opened in any minute.

import { expect, it } from '@jest/globals';
import { createOpeningQuota } from '../../src/catalog/openingQuota.ts';

it('never lets a caller open more than its limit within any minute, and frees each place to the second', () => {
  const quota = createOpeningQuota(3);
  expect([0, 1000, 2000].map((ms) => quota.take('one', ms))).toEqual([0, 0, 0]);
  expect(quota.take('one', 2000)).toBe(58);
  expect(quota.take('one', 59_999)).toBe(1);
  expect(quota.used('one', 59_999)).toBe(3);
  expect(quota.take('one', 60_000)).toBe(0);
  expect(quota.take('one', 60_000)).toBe(1);
  expect(quota.take('another', 2000)).toBe(0);
});

it('forgets callers a minute after their last opening, when a new caller comes', () => {
  const quota = createOpeningQuota(3);
  for (let i = 0; i < 50; i++) quota.take(`caller ${i}`, i);
  expect(quota.callers).toBe(50);
  quota.take('caller 0', 59_000);
  quota.take('new', 60_030);
  // `caller 0`, those from 31 on, and the new one.
  expect(quota.callers).toBe(21);
});
