// The numbers of values in memory are those that a map gives.

import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { renumber } from '../../../ingest/checks/stagedRows.ts';
import { runs } from '../../support/depth.ts';

/** The expected numbers: values are numbered in the order of their first occurrence. */
function numbered(values: readonly number[]) {
  const numbers = new Map<number, number>();
  for (const value of values) if (!numbers.has(value)) numbers.set(value, numbers.size);
  return { numbers: values.map((value) => numbers.get(value)), count: numbers.size };
}

it('values are numbered in the order of their first places', () => {
  const near = [0, 2 ** 32, Number.MAX_SAFE_INTEGER - 3].flatMap((first) =>
    [-1, 0, 1, 2].map((offset) => first + offset),
  );
  const value = fc.oneof(fc.constantFrom(...near), fc.nat(), fc.maxSafeNat());
  fc.assert(
    fc.property(fc.array(value, { maxLength: 40 }), (values) => {
      const numbers = Float64Array.from(values);
      const count = renumber(numbers);
      expect({ numbers: [...numbers], count }).toEqual(numbered(values));
    }),
    { numRuns: runs(60, 200) },
  );
});

it('numbers values of which many differ only in their high bits', () => {
  const values = Array.from({ length: 5_000 }, (_, i) => (i % 2_500) * 2 ** 38);
  const numbers = Float64Array.from(values);
  expect({ count: renumber(numbers), numbers: [...numbers] }).toEqual(numbered(values));
});
