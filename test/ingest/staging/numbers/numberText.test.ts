// The number in a text or cell, or the reason why it has none.

import { expect, it } from '@jest/globals';
import { numberIn, whyNoNumber } from '../../../../ingest/staging/cellValues.ts';
import { styledNumber } from '../../../../ingest/staging/numbers/numberText.ts';
import { isPlaceholder, isPlaceholderValue } from '../../../../ingest/staging/numbers/placeholders.ts';

it('a number in a style keeps its sign, as a hyphen or as a minus', () => {
  expect(
    ['-1.234,5', '\u22121.234,5', ' 1.234,5 ', '1.234', '1,5e3'].map((text) => styledNumber(text, 'de')),
  ).toEqual([-1234.5, -1234.5, 1234.5, 1234, 1500]);
  expect(['\u22121,234.5', '1.234,5', '--5', '\u2212', ''].map((text) => styledNumber(text, 'en'))).toEqual([
    -1234.5,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

it('a cell without a number says why: its form, its size or its percent format', () => {
  const why = (cell: Parameters<typeof whyNoNumber>[0]) => whyNoNumber(cell, 'percent').problem;
  expect(why('1e999')).toBe('is beyond the largest number');
  expect(why(' 1e-999 ')).toBe('is "1e-999", closer to 0 than the smallest number');
  expect(why(Number.NaN)).toBe('is NaN');
  expect(why('ten')).not.toMatch(/beyond|closer/);
});

it('a percent format matters to figures in percent only', () => {
  const cell = { kind: 'percent', value: 0.05 } as const;
  expect(numberIn(cell, 'percent')).toBeUndefined();
  expect(whyNoNumber(cell, 'percent').problem).toMatch(
    /^shows .* and holds 0\.05, while its unit is percent$/,
  );
  expect(numberIn(cell, 'EUR')).toBe(0.05);
  expect(whyNoNumber({ kind: 'error', code: '#N/A' }, 'percent').problem).toContain('#N/A');
});

it('a text is a number where JSON has it, and none where it would become 0 or infinite', () => {
  const texts = ['1234.5', '-7', ' 12 ', '1e3', '0', '0.0', '1e-999', '1e999', '1.234,5', '1 234', 'ten', ''];
  expect(texts.map((text) => numberIn(text, 'EUR'))).toEqual([
    ...[1234.5, -7, 12, 1000, 0, 0],
    ...Array.from({ length: 6 }, () => undefined),
  ]);
});

it('a text stands for no value in a dimension: a zero, hashes, a mark or a word for it', () => {
  for (const text of ['0', '#', '####', '-', '–', 'n/a', 'NULL'])
    expect([text, isPlaceholderValue(text)]).toEqual([text, true]);
  for (const text of ['00', '10', '#1', 'Malta', 'Nauru', ''])
    expect([text, isPlaceholderValue(text)]).toEqual([text, false]);
  // In a column of numbers, a zero is one.
  expect(['0', '-', 'n/a'].map(isPlaceholder)).toEqual([false, true, true]);
});
