// Which labels are allowed, and how labels are compared.

import { describe, expect, it } from '@jest/globals';
import { folded } from '../../../src/access/keys/keyIndex.ts';
import { mintKey } from '../../../src/access/keys/keyText.ts';
import { parseShortText } from '../../../src/access/keys/shortText.ts';

describe('a label', () => {
  it.each([
    ['  Acme  ', 'Acme'],
    ['Zoe\u0308 Mu\u0308ller', 'Zo\u00eb M\u00fcller'],
    ['株式会社 アクメ', '株式会社 アクメ'],
    ['👩‍💻 notebooks', '👩‍💻 notebooks'],
    ['<b>"Acme" & Söhne</b>', '<b>"Acme" & Söhne</b>'],
    ['x'.repeat(100), 'x'.repeat(100)],
    ['👍'.repeat(100), '👍'.repeat(100)],
  ])('%j is kept as %j', (text, label) => {
    expect(parseShortText(text)).toEqual({ text: label });
  });

  it.each([
    ['', 'a label is needed'],
    [' \t\n ', 'a label is needed'],
    ['two\nlines', 'one line of text'],
    ['bell\u0007', 'one line of text'],
    ['\u202egnp.exe', 'one line of text'],
    ['half \ud83d', 'one line of text'],
    ['Ac\u200bme', 'one line of text'],
    ['x'.repeat(101), 'at most 100 characters'],
    [`Acme ${mintKey()}`, 'must not hold a key'],
  ])('%j is refused: %s', (text, problem) => {
    expect(parseShortText(text)).toEqual({ problem: expect.stringContaining(problem) });
  });
});

describe('labels are compared', () => {
  it.each([
    ['  Acme ', 'acme'],
    ['Zoë\u0308  Müller', 'zoe muller'],
    ['ACME\t Ltd', 'acme ltd'],
    ['\uff21\uff23\uff2d\uff25', 'acme'],
  ])('%j as %j', (text, compared) => {
    expect(folded(text)).toBe(compared);
  });
});
