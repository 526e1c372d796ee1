// Counts the digits of figures by arithmetic where it can, which must agree with the digits that a number shows.

import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { digitsOf } from '../../../ingest/figures/digits.ts';

/** The digits that a number shows, and the unit of the last of them. */
function shownDigits(value: number) {
  const [digits = '', exponent = '0'] = Math.abs(value).toExponential().split('e');
  const count = digits.replace('.', '').length;
  return { count, unit: 10 ** (Number(exponent) - count + 1) };
}

it('the digits of a figure are those that it shows without the zeros at its end', () => {
  expect(digitsOf(1200)).toEqual({ count: 2, unit: 100 });
  expect(digitsOf(-10.5)).toEqual({ count: 3, unit: 0.1 });
  expect(digitsOf(0)).toEqual({ count: 1, unit: 1 });
  const decimals = fc
    .tuple(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e17, max: 1e17 }), fc.nat(7))
    .map(([value, places]) => Number(value.toFixed(places)));
  fc.assert(
    fc.property(
      fc.oneof(decimals, fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true })),
      (value) => {
        expect(digitsOf(value)).toEqual(shownDigits(value));
      },
    ),
  );
});
