// Text from outside contains nothing that controls a terminal.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { printable, printableJson } from '../../src/text/printable.ts';
import { codePoint } from '../support/codePoint.ts';

/** Whether the text would control a terminal, or be shown in another order. */
const acts = (text: string) =>
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u.test(text);

describe('printable', () => {
  it.each([
    ['a terminal escape', 'Malta\u001b[2J', String.raw`Malta\u001b[2J`],
    ['an escape of one character (C1)', '\u009b31mMalta', String.raw`\u009b31mMalta`],
    ['a line break', 'a.csv\n12 errors', String.raw`a.csv\n12 errors`],
    ['a carriage return and a tab', 'a\r\tb', String.raw`a\r\tb`],
    ['a bell and a null', '\u0007\u0000', String.raw`\u0007\u0000`],
    ['a change of direction', 'a\u202etlaM', String.raw`a\u202etlaM`],
    ['an isolate', '\u2066a\u2069', String.raw`\u2066a\u2069`],
    ['a zero-width space', 'Mal\u200bta', String.raw`Mal\u200bta`],
    ['a line separator', 'a\u2028b', String.raw`a\u2028b`],
    ['half a character', 'a\ud800b', String.raw`a\ud800b`],
    ['an invisible tag', 'a\u{e0041}', String.raw`a\u{e0041}`],
  ])('shows %s', (_, text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it.each(['Curaçao', "Côte d'Ivoire", '日本', 'العربية', '👩‍👩‍👧 Malta', 'a\\nb', 'x › Data!C41'])(
    'leaves %s as it is',
    (text) => {
      expect(printable(text)).toBe(text);
    },
  );

  it('leaves nothing that acts on a terminal, and is the same when applied again', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint, maxLength: 40 }), (text) => {
        const shown = printable(text);
        expect(acts(shown)).toBe(false);
        expect(printable(shown)).toBe(shown);
      }),
    );
  });
});

describe('printableJson', () => {
  it('is read back as the same data and leaves nothing that acts on a terminal', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: codePoint, maxLength: 20 })), (texts) => {
        const json = printableJson(JSON.stringify(texts, null, 2));
        expect(JSON.parse(json)).toEqual(texts);
        expect(json.split('\n').some(acts)).toBe(false);
      }),
    );
  });
});
