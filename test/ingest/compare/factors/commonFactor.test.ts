// Tests the search for a common factor on figures that were multiplied and rounded by hand.

import { describe, expect, it } from '@jest/globals';
import {
  exactFactor,
  factorRange,
  largestGroupOfOneFactor,
  moveSize,
  roundingUnit,
} from '../../../../ingest/compare/factors/commonFactor.ts';

it('halves are as far as doubles', () => {
  expect([2, 0.5, 1.25, 0.8, 1].map(moveSize)).toEqual([1, 1, 0.25, 0.25, 0]);
});

describe('the largest group of one factor', () => {
  const groups: readonly (readonly [string, readonly number[], readonly number[]])[] = [
    ['has the ratios that differ by less than the spread', [1.3, 1.2, 1.21, 1.05, 1.199], [1.199, 1.2, 1.21]],
    ['is the first one of two that are as large', [1.4, 1.2, 1.401, 1.201], [1.2, 1.201]],
    ['may be a single figure', [1.5], [1.5]],
    ['has the first ratio where all differ', [2, 1.5], [1.5]],
    ['may be all of them', [1.003, 1, 1.009], [1, 1.003, 1.009]],
    ['has ratios above 0 only', [-1.2, 0, 1.2, -1.2, 0], [1.2]],
    ['goes on where a smaller ratio is left behind', [1, 1.006, 1.011, 1.015], [1.006, 1.011, 1.015]],
    ['has the ratio that is smaller by the whole spread', [99, 100], [99, 100]],
    ['is empty where there are no figures', [], []],
  ];

  it.each(groups)('%s', (_, ratios, expected) => {
    const found = largestGroupOfOneFactor(
      ratios.map((ratio) => ({ ratio })),
      0.01,
    );
    expect(found.map(({ ratio }) => ratio)).toEqual(expected);
  });
});

describe('an exact factor', () => {
  /** Figures that were multiplied and rounded to a unit. */
  const multiplied = (olds: readonly number[], factor: number, unit = 1) =>
    olds.map((old) => {
      const fresh = Math.round((old * factor) / unit) * unit;
      return { old, fresh, ratio: fresh / old };
    });
  const LARGE = 10_000_000;
  const MILLIONS = [23_456_789, 45_678_912, 67_891_234];

  it.each([
    [1.005, 1.005],
    [0.995, 0.995],
    [1.06, 1.06],
    // The first is the factor of a missing month, and the second that of a month that is counted twice.
    [11 / 12, 11 / 12],
    [12 / 11, 12 / 11],
    [13 / 12, 13 / 12],
    [7 / 12, 7 / 12],
    // Factors with more than four decimals are no exact factors.
    [1.04753, null],
    [1.043719, null],
    // This is near 13/12, but these figures are large enough to show the difference.
    [1.08336, null],
  ])('of %f', (factor, expected) => {
    expect(exactFactor(multiplied(MILLIONS, factor), 3, LARGE)).toBe(expected);
  });

  it('explains figures that were all rounded down', () => {
    expect(exactFactor(multiplied([24_000_007, 36_000_007, 48_000_007], 11 / 12), 3, LARGE)).toBe(11 / 12);
    expect(exactFactor(multiplied([20_000_007, 30_000_007, 40_000_007], 1.06), 3, LARGE)).toBe(1.06);
  });

  it('needs figures of enough digits', () => {
    expect(exactFactor(multiplied([10_000_121], 1.06), 1, LARGE)).toBe(1.06);
    expect(exactFactor(multiplied([9_999_821], 1.06), 1, LARGE)).toBeNull();
    // Small figures determine the factor only together, because each was rounded in its own way.
    const small = [1_234_567, 2_345_678, 3_456_789, 4_567_891, 5_678_912, 6_789_123, 7_891_234, 8_912_345];
    expect(exactFactor(multiplied(small, 1.06), 8, LARGE)).toBe(1.06);
    expect(exactFactor(multiplied([1_000_000, 1_000_000, 1_000_000], 1.06), 3, LARGE)).toBeNull();
  });

  it('of four decimals needs figures of more digits', () => {
    expect(exactFactor(multiplied([100_001_234], 1.0827), 1, LARGE)).toBe(1.0827);
    expect(exactFactor(multiplied([99_998_765], 1.0827), 1, LARGE)).toBeNull();
    expect(exactFactor(multiplied([100_001_234], 1.0827), 1, 10 * LARGE)).toBe(1.0827);
    expect(exactFactor(multiplied([100_001_234], 1.0827), 1, 100 * LARGE)).toBeNull();
  });

  it('may leave some figures unexplained', () => {
    const figures = [...multiplied(MILLIONS, 1.06), ...multiplied([98_765_432], 1.061)];
    expect(exactFactor(figures, 3, LARGE)).toBe(1.06);
    expect(exactFactor(figures, 4, LARGE)).toBeNull();
  });

  it('explains figures up to half of their unit', () => {
    const olds = [23_456_700_000, 45_678_900_000, 67_891_200_000];
    expect(exactFactor(multiplied(olds, 1.06, 1000), 3, LARGE)).toBe(1.06);
    // The second figure ends in ones, so the figures do not count as rounded to thousands.
    const figures = [...multiplied([23_456_777_123], 1.06, 1000), ...multiplied([45_678_912_345], 1.06)];
    expect(exactFactor(figures, 2, LARGE)).toBeNull();
    // 2.5 was rounded up to 3, which is just half of the unit away.
    expect(
      exactFactor([{ old: 50_000_050, fresh: 53_000_053, ratio: 53_000_053 / 50_000_050 }], 1, LARGE),
    ).toBe(1.06);
    expect(
      exactFactor([{ old: 50_000_025, fresh: 53_000_027, ratio: 53_000_027 / 50_000_025 }], 1, LARGE),
    ).toBe(1.06);
    expect(
      exactFactor([{ old: 50_000_050, fresh: 53_000_054, ratio: 53_000_054 / 50_000_050 }], 1, LARGE),
    ).toBeNull();
  });
});

it('the factors that explain figures are those that explain each of them', () => {
  const rows = [
    { old: 100, fresh: 105 },
    { old: 200, fresh: 211 },
  ];
  expect(factorRange(rows.slice(0, 1), 0.5)).toEqual({ least: 1.045, most: 1.055 });
  expect(factorRange(rows, 0.5)).toEqual({ least: 1.0525, most: 1.055 });
  const { least, most } = factorRange([...rows, { old: 100, fresh: 120 }], 0.5);
  expect(least).toBeGreaterThan(most);
});

it('the unit of figures is the power of ten of which all are multiples, up to a million', () => {
  const units = [
    [1234, 1000],
    [1230, 1000],
    [3000, 200],
    [3000, 12_000],
    [5_000_000, 90_000_000],
    [1e9],
    [0],
  ];
  expect(units.map(roundingUnit)).toEqual([1, 10, 100, 1000, 1e6, 1e6, 1e6]);
});
