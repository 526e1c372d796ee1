// A clock that stands still until a test moves it, for deadlines: `const clock = manualClock()`.

import type { MonotonicClock } from '../../../src/access/redis/replyDeadline.ts';

export interface ManualClock extends MonotonicClock {
  /** Moves the clock, and runs what is due. A negative time moves it back. */
  advance(byMs: number): void;
}

/** Makes a clock that begins at 0. A busy machine cannot make a call late by it. */
export function manualClock(): ManualClock {
  let nowMs = 0;
  const timers = new Set<{ readonly dueMs: number; readonly run: () => void }>();
  return {
    nowMs: () => nowMs,
    afterDeadline(deadlineMs, run) {
      const timer = { dueMs: nowMs + deadlineMs, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(byMs) {
      nowMs += byMs;
      for (const timer of [...timers]) {
        if (timer.dueMs > nowMs) continue;
        timers.delete(timer);
        timer.run();
      }
    },
  };
}
