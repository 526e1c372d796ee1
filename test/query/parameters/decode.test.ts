// Query strings are split as URLSearchParams splits them, or refused.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ApiError } from '../../../src/errors.ts';
import { decodeQuery } from '../../../src/query/parameters/decode.ts';
import { codePoint } from '../../support/codePoint.ts';

/** The text as Node gives a request line: one character for each byte. */
const bytes = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

describe('decodeQuery', () => {
  it.each<[string, [string, string][]]>([
    ['', []],
    ['&&', []],
    [
      'a=1&b=2',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    [
      'a=1&a=2',
      [
        ['a', '1'],
        ['a', '2'],
      ],
    ],
    ['a', [['a', '']]],
    ['=1', [['', '1']]],
    ['a==b', [['a', '=b']]],
    ['a=b+c%20d', [['a', 'b c d']]],
    ['a=%2B', [['a', '+']]],
    ['a=Congo,+Democratic+Republic+of', [['a', 'Congo, Democratic Republic of']]],
    ['country%5B%5D=Malta', [['country[]', 'Malta']]],
    ['a=C%C3%B4te', [['a', 'Côte']]],
    ['a=%00', [['a', '\0']]],
    ['a=%EF%BB%BFx', [['a', '\ufeffx']]],
    ['a=1?b=2', [['a', '1?b=2']]],
    [bytes('a=Åland'), [['a', 'Åland']]],
    [bytes('a=Å%C3%85'), [['a', 'ÅÅ']]],
  ])('splits %j', (raw, parameters) => {
    expect(decodeQuery(raw)).toEqual(parameters);
  });

  it.each([
    'a=%',
    'a=%4',
    'a=%zz',
    '%=1',
    'a=%C3',
    'a=%C3%28',
    'a=%ED%A0%80',
    'a=%C0%80',
    'a=%F5%80%80%80',
    'a=\xff',
    'a=1&b=%FF&c=3',
    bytes('a=Å%'),
    bytes('a=Å%4'),
    bytes('a=%zzÅ'),
  ])('refuses %j instead of replacing what it cannot read', (raw) => {
    expect(() => decodeQuery(raw)).toThrow(ApiError);
    try {
      decodeQuery(raw);
    } catch (error) {
      expect(JSON.parse(JSON.stringify(error))).toEqual({
        error: 'Invalid query parameters',
        details: { formErrors: ['The query string is not valid percent-encoded UTF-8'], fieldErrors: {} },
      });
    }
  });

  it('reads whatever URLSearchParams writes', () => {
    const pairs = fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: codePoint })));
    fc.assert(
      fc.property(pairs, (parameters) => {
        // A lone surrogate has no UTF-8, and URLSearchParams would replace it.
        const whole = parameters.filter(([name, value]) => !/\p{Surrogate}/u.test(name + value));
        const named = whole.filter(([name, value]) => name !== '' || value !== '');
        expect(decodeQuery(new URLSearchParams(named).toString())).toEqual(named);
      }),
    );
  });

  it('agrees with URLSearchParams on whatever it accepts', () => {
    const PIECES = [
      '&',
      '=',
      '+',
      '%20',
      '%26',
      '%C3%A9',
      '%e2%82%ac',
      '%',
      '?',
      '#',
      ';',
      '[]',
      'a',
      'b',
      'é',
    ];
    let pairs = 0;
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('&', '=', ...PIECES), maxLength: 12 }), (raw) => {
        try {
          const read = decodeQuery(bytes(raw));
          expect(read).toEqual([...new URLSearchParams(raw.startsWith('?') ? `?${raw}` : raw)]);
          pairs += read.length;
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
        }
      }),
      { numRuns: 1000 },
    );
    expect(pairs).toBeGreaterThan(500);
  });
});
