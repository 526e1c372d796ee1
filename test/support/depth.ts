// How deep a search goes: `make test` runs a few of a row, `make test-long` all: `runs(4)`, `some(cases, 2)`, `itInDepth`.

import { it } from '@jest/globals';

const DEPTH = Number(process.env.TEST_DEPTH ?? 1);

/** `few` in `make test`; TEST_DEPTH times as many in `make test-long`, or times `usual` where `few` are less than the usual. */
export const runs = (few: number, usual = few): number => (DEPTH > 1 ? usual * DEPTH : few);

/** Whether `make test-long` runs. */
export const isDeep = DEPTH > 1;

/** `few` of the cases, the first among them and the others spread evenly; all in `make test-long`. */
export const some = <T>(cases: readonly T[], few: number): T[] =>
  cases.filter((_, i) => {
    const before = Math.floor(((i - 1) * few) / cases.length);
    return isDeep || Math.floor((i * few) / cases.length) > before;
  });

/** A test of `make test-long` alone: `make test` has another one of the same kind, which costs less. */
export const itInDepth = (...test: Parameters<typeof it>): void => {
  if (isDeep) it(...test);
};
