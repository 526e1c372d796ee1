// Checks a deadline on a machine that may be busy: `await expectWithin(300, () => ask(url))`.

import { expect } from '@jest/globals';
import { isDeep } from './depth.ts';

/** The most calls. Other work on the machine delays some of them, but a deadline that does not work delays all. */
const CALLS = 10;

/** The factor for slow machines in `make test`. A call without a deadline takes even longer. */
const FACTOR = isDeep ? 1 : 20;

/**
 * Calls `ask` until a call takes less than `limitMs`, and returns its result. The tenth call must take less than
 * `FACTOR` times `limitMs`.
 */
export async function expectWithin<Result>(limitMs: number, ask: () => Promise<Result>): Promise<Result> {
  for (let calls = 1; ; calls++) {
    const startMs = performance.now();
    const result = await ask();
    const tookMs = performance.now() - startMs;
    if (calls === CALLS) expect(tookMs).toBeLessThan(FACTOR * limitMs);
    if (calls === CALLS || tookMs < limitMs) return result;
  }
}
