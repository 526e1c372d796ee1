// Numbers, shares and spans of years are written for people.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  amountText,
  changeText,
  count,
  counted,
  exact,
  exactPair,
  listed,
  listedLines,
  percent,
  signed,
  significantDigits,
  size,
  yearSpans,
} from '../../../ingest/messages/numbers.ts';
import { runs } from '../../support/depth.ts';

describe('words', () => {
  it.each([
    [0, '±0 %'],
    [0.01239, '+1.24 %'],
    [-0.00045, '−0.045 %'],
    [0.2, '+20 %'],
    [-0.5, '−50 %'],
    [-1, '−100 %'],
    [7.5, '+750 %'],
    [9, '×10'],
    [11.5, '×12.5'],
    [999, '×1,000'],
    [null, 'new'],
    [1 / 5e-324, 'new'],
    [-1 / 5e-324, 'new'],
  ])('write a change of %p as %s', (relative, text) => expect(changeText(relative)).toBe(text));

  it('never write a change as none, nor what is left as nothing', () => {
    expect(changeText(2.65e-6)).toBe('+0.000265 %');
    expect(changeText(-1e-12)).toBe('≈0 %');
    expect(changeText(-0.9999994)).toBe('−99.99 %');
    expect(changeText(-0.99996)).toBe('−99.99 %');
    expect(changeText(-0.9996)).toBe('−99.96 %');
  });

  it.each([
    [0.05, '5 %'],
    [0.005, '0.5 %'],
    [0.1234567, '12.35 %'],
    [0.999999, '99.99 %'],
    [1, '100 %'],
    [0.000012345, '0.001235 %'],
    [-0.25, '−25 %'],
  ])('write the share %p as %s', (share, text) => expect(percent(share)).toBe(text));

  it('never print a percentage with more than four significant digits', () => {
    // Shares just below 100 % have another number of digits than all others.
    const near = fc.double({ min: 0.99, max: 1.01, noNaN: true });
    const shares = fc.oneof(fc.double({ min: -8, max: 8, noNaN: true }), near);
    fc.assert(
      fc.property(shares, (share) => {
        for (const text of [changeText(share), percent(share)]) {
          const digits = text.replace(/[^\d]/g, '').replace(/^0+/, '');
          expect(digits.length).toBeLessThanOrEqual(4);
        }
      }),
    );
  });

  it.each([
    [517_200_000_000, '517.2 bn'],
    [1_240_000, '1.24 m'],
    [12_345, '12.35 k'],
    [9_999, '9,999'],
    [0.00123456, '0.001235'],
    [-3.5e13, '−35 tn'],
    [999_996, '1 m'],
    [-9_999.9, '−10 k'],
    [0, '0'],
    [null, '–'],
  ])('write the amount %p as %s', (value, text) => expect(amountText(value)).toBe(text));

  it.each([
    [1234567.5, '1,234,567.5'],
    [-0.1, '−0.1'],
    [0.30000000000000004, '0.30000000000000004'],
    [123456789012345680000, '123,456,789,012,345,680,000'],
    [1e21, '1e+21'],
    [5e-7, '5e−7'],
    [-5e-7, '−5e−7'],
    [null, 'empty'],
  ])('write the value %p to its last digit: %s', (value, text) => expect(exact(value)).toBe(text));

  it('list what lines have room for, and count the rest', () => {
    expect(listedLines(['a', 'b'], 2)).toEqual(['a', 'b']);
    expect(listedLines(['a', 'b', 'c'], 2)).toEqual(['a', 'b', 'and 1 more']);
  });

  it('count, sign and list as people do', () => {
    expect([count(31142), counted(1, 'row'), counted(2, 'country', 'countries')]).toEqual([
      '31,142',
      '1 row',
      '2 countries',
    ]);
    expect([signed(6), signed(-45), signed(0)]).toEqual(['+6', '−45', '±0']);
    expect([size(999), size(12_345), size(999_960), size(3.2e6), size(4e9)]).toEqual([
      '999 B',
      '12.3 kB',
      '1.0 MB',
      '3.2 MB',
      '4.0 GB',
    ]);
    expect([listed([]), listed(['a']), listed(['a', 'b', 'c']), listed(['a', 'b', 'c', 'd', 'e'])]).toEqual([
      '',
      'a',
      'a, b and c',
      'a, b, c and 2 more',
    ]);
  });

  it('write years as spans, and of very many gaps only the number', () => {
    expect(yearSpans([])).toBe('');
    expect(yearSpans([2003, 2004, 2005])).toBe('2003–2005');
    expect(yearSpans([2003, 2005, 2006, 2009])).toBe('2003, 2005–2006, 2009');
    expect(yearSpans(Array.from({ length: 10 }, (_, i) => 2000 + 2 * i))).toBe('2000–2018 with 9 gaps');
  });

  it('have the digits that toLocaleString gives', () => {
    const asLocale = (n: number, most: number) =>
      n.toLocaleString('en-US', {
        maximumSignificantDigits: Math.max(most, n >= 1 ? String(Math.trunc(n)).length : 0),
      });
    const halves = fc.tuple(fc.nat(1e6), fc.nat(9)).map(([n, places]) => Number(`${n}5e-${places}`));
    const any = fc.double({ min: 0, max: 1e20, noNaN: true });
    fc.assert(
      fc.property(fc.oneof(any, halves, fc.nat()), fc.constantFrom(3, 4), (n, most) => {
        expect(significantDigits(n, most)).toBe(asLocale(n, most));
        expect(count(Math.trunc(n))).toBe(Math.trunc(n).toLocaleString('en-US'));
      }),
      {
        numRuns: runs(100, 300),
        examples: [
          [0, 3],
          [999.95, 4],
          [99.995, 4],
          [0.00099995, 4],
          [5e-324, 4],
        ],
      },
    );
  });
});

it('two values are distinguished by seven digits, or by all of them', () => {
  expect(exactPair(5200, 0)).toEqual(['5,200', '0']);
  expect(exactPair(0.175329, 5.821196139382721)).toEqual(['0.175329', '5.821196']);
  expect(exactPair(-1_234_567, 1_001_523.3429614999)).toEqual(['−1,234,567', '1,001,523']);
  expect(exactPair(1e-300, 2)).toEqual(['1e−300', '2']);
  expect(exactPair(2.00000001, 2.00000002)).toEqual(['2.00000001', '2.00000002']);
});
