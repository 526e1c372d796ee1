// Tables and lines fit the width of a terminal, and no text is lost.

import { describe, expect, it } from '@jest/globals';
import { table } from '../../src/terminal/table.ts';
import { PLAIN, styleFor } from '../../src/terminal/terminalStyle.ts';
import { wrapped } from '../../src/terminal/wrap.ts';

describe('a table for a terminal', () => {
  const rows = [
    ['dataset', 'rows', 'total moved most', 'years'],
    [
      'country_reference',
      '31,142',
      '+0.739 % adult_population 2025 forecast and a long rest',
      '2003–2030, 2040',
    ],
  ];

  it('fits the width that it is given, and loses nothing without one', () => {
    for (const line of table(rows, { indent: '  ', width: 60 }).trimEnd().split('\n'))
      expect([...line].length).toBeLessThanOrEqual(60);
    expect(table(rows, { width: 40 })).toContain('…');
    expect(table(rows, { width: 90 }).match(/^dataset/gm)).toHaveLength(2);
    expect(table(rows, { width: 90 })).not.toContain('…');
    expect(table(rows)).not.toContain('…');
    expect(table(rows, { width: 200 })).toBe(table(rows));
  });

  it('is divided only where it is too wide by a character', () => {
    const four = [['aaaa', 'bbbb', 'cccc']];
    expect(table(four, { width: 16 })).toBe('aaaa  bbbb  cccc\n');
    expect(table(four, { width: 15 })).toBe('aaaa  bbbb\n\naaaa  cccc\n');
    // The first column is never alone.
    expect(table([['a long name', 'a long value']], { width: 16 })).toMatch(/^a .+…\n$/);
  });

  it('counts characters of Chinese and emoji as two', () => {
    expect(
      table([
        ['中国', 'a'],
        ['🎰', 'b'],
        ['Wales', 'c'],
      ]),
    ).toBe('中国   a\n🎰     b\nWales  c\n');
  });

  it('leaves no column alone on its last lines', () => {
    const wide = [['dataset', 'change', 'revised', 'countries', 'years']];
    const parts = table(wide, { width: 34 }).trimEnd().split('\n\n');
    expect(parts).toEqual(['dataset  change  revised', 'dataset  countries  years']);
  });
});

describe('a line that is broken', () => {
  it('keeps an option and its value together', () => {
    const text = 'If that is right: --accept totals:ggr:Peru --reason "…" (--accept rows:ggr) -- and more';
    expect(wrapped(text, '', '  ', 28).trimEnd().split('\n')).toEqual([
      'If that is right:',
      '  --accept totals:ggr:Peru',
      '  --reason "…"',
      '  (--accept rows:ggr) -- and',
      '  more',
    ]);
  });

  it('keeps a number with its %, and an arrow with what it leads to', () => {
    const text = 'moved by a total of +20 %: 6,426,616 → 7,711,939';
    expect(wrapped(text, '', '  ', 23).trimEnd().split('\n')).toEqual([
      'moved by a total of',
      '  +20 %: 6,426,616',
      '  → 7,711,939',
    ]);
  });
});

describe('colours', () => {
  it.each([
    ['a terminal', { isTTY: true }, {}, true],
    ['a terminal where NO_COLOR is empty', { isTTY: true }, { NO_COLOR: '' }, true],
    ['a terminal where NO_COLOR is set', { isTTY: true }, { NO_COLOR: '1' }, false],
    ['a dumb terminal', { isTTY: true }, { TERM: 'dumb' }, false],
    ['a pipe', {}, {}, false],
  ])('for %s', (_, stream, settings, coloured) => {
    expect(styleFor(stream, settings).red('x')).toBe(coloured ? '\u001b[31mx\u001b[0m' : 'x');
    expect(styleFor(stream, settings) === PLAIN).toBe(!coloured);
  });
});
