// Sums are the double nearest to the true sum, in any order.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createExactSums } from '../../../src/query/computations/exactSum.ts';
import { runs } from '../../support/depth.ts';
import { nearestSum } from '../../support/nearestSum.ts';

function sumOf(values: readonly number[]): number {
  const sums = createExactSums(1);
  for (const value of values) sums.add(0, value);
  return sums.sum(0);
}

const figure = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ noNaN: true, min: -1e12, max: 1e12 }),
  fc.integer({ min: -1e9, max: 1e9 }).map((cents) => cents / 100),
  fc.constantFrom(1e16, -1e16, 1, 2 ** -1074, Number.MAX_VALUE, -Number.MAX_VALUE, 0.1),
);

describe('an exact sum', () => {
  it.each([
    [[0.1, 0.2, 0.3], 0.6],
    [[1e16, 1, -1e16], 1],
    [[1e308, 1e308, -1e308], 1e308],
    [[1, 1e100, 1, -1e100], 2],
    [[Number.MAX_VALUE, Number.MAX_VALUE], Number.POSITIVE_INFINITY],
    [[-Number.MAX_VALUE, -Number.MAX_VALUE], Number.NEGATIVE_INFINITY],
    [[2 ** 53, 1, 2 ** -60], 2 ** 53 + 2],
    [[2 ** 53, 1], 2 ** 53],
    [[2 ** -1074, 2 ** -1074], 2 ** -1073],
    [[Number.MAX_VALUE, Number.MAX_VALUE, -Number.MAX_VALUE, -Number.MAX_VALUE, 2 ** -1074], 2 ** -1074],
    [
      [Number.MAX_VALUE, Number.MAX_VALUE, -Number.MAX_VALUE, -Number.MAX_VALUE, -3 * 2 ** -1074],
      -3 * 2 ** -1074,
    ],
    [[], 0],
    [[-0], 0],
    [[-(2 ** 969), Number.MAX_VALUE], Number.MAX_VALUE],
    // The sum fits a double, but the sum minus the first value does not. TwoSum computes that difference.
    [[-1.5 * 2 ** 971, Number.MAX_VALUE], Number.MAX_VALUE - 2 ** 971],
    [[-1.5 * 2 ** 971, Number.MAX_VALUE, 2 ** 970, 1], Number.MAX_VALUE - 2 ** 971],
    [[-1.5 * 2 ** 971, Number.MAX_VALUE, 1.5 * 2 ** 971], Number.MAX_VALUE],
  ])('of %p is %p', (values, sum) => {
    expect(sumOf(values)).toBe(sum);
  });

  it('is the double nearest to the true sum, in any order', () => {
    fc.assert(
      fc.property(fc.array(figure, { maxLength: 40 }), (values) => {
        const sum = sumOf(values);
        expect(sum).toBe(nearestSum(values));
        expect(sumOf(values.toReversed())).toBe(sum);
        expect(sumOf(values.toSorted((a, b) => a - b))).toBe(sum);
      }),
      { numRuns: runs(40, 100) },
    );
  });

  it('keeps groups apart', () => {
    const sums = createExactSums(3);
    for (const [group, value] of [
      [0, 1e16],
      [2, 0.5],
      [0, 1],
      [2, 0.25],
      [0, -1e16],
    ] as const)
      sums.add(group, value);
    expect([sums.sum(0), sums.sum(1), sums.sum(2)]).toEqual([1, 0, 0.75]);
  });
});
