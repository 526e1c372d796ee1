// The garbage of reading rows is collected at once. V8 by itself would collect it much later.

import { runInNewContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import { collectYoung } from '../../src/process/collectGarbage.ts';

const MEGABYTE = 1_000_000;

const usedBytes = () => process.memoryUsage().arrayBuffers;

it('frees the memory of objects that are no longer used, and leaves no function for that behind', () => {
  collectYoung();
  const before = usedBytes();
  // These are so few that V8 does not collect them by itself.
  for (let i = 0; i < 10; i += 1) new ArrayBuffer(MEGABYTE);
  collectYoung();
  // Another thread frees the memory of the buffers. A second collection waits until it has.
  collectYoung();
  expect(usedBytes()).toBeLessThan(before + MEGABYTE);
  expect(runInNewContext('typeof gc')).toBe('undefined');
});
