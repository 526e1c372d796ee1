// Keeps tests that count by the UTC day from running over midnight: `beforeEach(inOneDay)`.

import { setTimeout as sleep } from 'node:timers/promises';

const DAY_MS = 86_400_000;

/** Longer than such a test takes on a busy machine. */
const TEST_MS = 30_000;

/** How long to wait so that a test which begins then ends on the same day; 0 but for the last seconds of a day. */
export function untilOneDayMs(nowMs: number): number {
  const leftMs = DAY_MS - (nowMs % DAY_MS);
  return leftMs < TEST_MS ? leftMs : 0;
}

export async function inOneDay(): Promise<void> {
  const waitMs = untilOneDayMs(Date.now());
  if (waitMs > 0) await sleep(waitMs);
}
