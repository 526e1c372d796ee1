// Keeps tests that count by the UTC day from running over midnight: `beforeEach(inOneDay)`.

import { setTimeout as sleep } from 'node:timers/promises';

const DAY_MS = 86_400_000;

/** The longest time of such a test on a busy machine. */
const TEST_MS = 30_000;

/** The wait before a test, so that it ends on the day on which it begins. 0 except in the last seconds of a day. */
export function untilOneDayMs(nowMs: number): number {
  const leftMs = DAY_MS - (nowMs % DAY_MS);
  return leftMs < TEST_MS ? leftMs : 0;
}

/** Waits until a test that begins now ends on the same UTC day. */
export async function inOneDay(): Promise<void> {
  const waitMs = untilOneDayMs(Date.now());
  if (waitMs > 0) await sleep(waitMs);
}
