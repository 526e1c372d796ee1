// How much a test runs: little in `make test`, all in `make test-long`: `runs(4)`, `some(cases, 2)`, `itInDepth`.

import { it } from '@jest/globals';

const DEPTH = Number(process.env.TEST_DEPTH ?? 1);

/** The number of runs: `few` in `make test`, and TEST_DEPTH times `usual` in `make test-long`. */
export const runs = (few: number, usual = few): number => (DEPTH > 1 ? usual * DEPTH : few);

/** Whether `make test-long` runs. */
export const isDeep = DEPTH > 1;

/** The cases to test: all in `make test-long`, otherwise `few` of them at equal distances, beginning with the first one. */
export const some = <T>(cases: readonly T[], few: number): T[] =>
  cases.filter((_, i) => {
    const before = Math.floor(((i - 1) * few) / cases.length);
    return isDeep || Math.floor((i * few) / cases.length) > before;
  });

/** A test that only `make test-long` runs. `make test` has a cheaper one of the same kind. */
export const itInDepth = (...test: Parameters<typeof it>): void => {
  if (isDeep) it(...test);
};
