// Numbers after right-to-left names keep their places on a terminal.

import { describe, expect, it } from '@jest/globals';
import { withNumbersInPlace } from '../../src/text/rightToLeft.ts';

const ISRAEL = 'ישראל';
const MARK = '\u200e';

describe('a line for a terminal', () => {
  it.each([
    ['a change', `${ISRAEL}: 1 → 2`, `${ISRAEL}${MARK}: 1 → 2`],
    ['columns', `ggr ${ISRAEL}   12  −3\n`, `ggr ${ISRAEL}${MARK}   12  −3\n`],
    ['a name of two words', `${ISRAEL} ${ISRAEL} 2024`, `${ISRAEL} ${ISRAEL}${MARK} 2024`],
    ['Arabic', 'مصر 2024', `مصر${MARK} 2024`],
  ])('has a mark before the number: %s', (_, line, shown) => {
    expect(withNumbersInPlace(line)).toBe(shown);
  });

  it.each([
    ['Latin letters', 'Malta: 1 → 2'],
    ['a word between name and number', `${ISRAEL} in 2024`],
    ['a number in the next line', `${ISRAEL}\n2024`],
    ['options to copy', `--accept 'vanished:ggr:${ISRAEL} 2' --reason "…"`],
    ['marks of vowels without an end', `${'\u05b0'.repeat(10_000)}`],
  ])('stays as it is: %s', (_, line) => {
    expect(withNumbersInPlace(line)).toBe(line);
  });
});
