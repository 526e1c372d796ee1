// Tests that count by the UTC day do not run over midnight.

import { expect, it } from '@jest/globals';
import { untilOneDayMs } from './support/wholeDay.ts';

it('a test that counts by the day waits for the next one in the last half minute of a day, and not otherwise', () => {
  const midnight = Date.UTC(2026, 10, 24);
  expect(untilOneDayMs(midnight)).toBe(0);
  expect(untilOneDayMs(midnight - 31_000)).toBe(0);
  expect(untilOneDayMs(midnight - 5_000)).toBe(5_000);
});
