// The page that shows a run of the benchmarks.

import { expect, it } from '@jest/globals';
import type { Figure } from '../../bench/figure.ts';
import { type Run, runPage, slowerRows } from '../../bench/runPage.ts';

const figure = (value: number, changes: Partial<Figure> = {}): Figure => ({
  what: 'hot page',
  unit: 'a second',
  value,
  better: 'higher',
  ...changes,
});
const run = (...figures: readonly Figure[]): Run => ({
  date: '2026-11-22T00:00:00.000Z',
  machine: { cores: 2 },
  rows: { hot: figures },
});

it.each([
  ['a rate that fell by a tenth', figure(90), figure(100), [0.9]],
  ['a rate that fell by a hundredth', figure(99), figure(100), []],
  [
    'a time that grew by a tenth',
    figure(110, { better: 'lower' }),
    figure(100, { better: 'lower' }),
    [1 / 1.1],
  ],
  ['a slower machine', figure(50, { reference: 50 }), figure(100, { reference: 100 }), []],
  ['a figure that is new', figure(1, { what: 'other' }), figure(100), []],
])('says what became slower: %s', (_, now, before, speeds) => {
  expect(slowerRows(run(now), run(before)).map(({ speed }) => speed)).toEqual(
    speeds.map((speed) => expect.closeTo(speed)),
  );
});

it('shows figure, range, reference, mark and what changed, as text', () => {
  const now = figure(90, { what: '<b>', range: [80, 95], reference: 100, referenceName: 'bare', mark: 1 });
  const page = runPage(run(now), run({ ...now, value: 100 }));
  for (const text of ['&lt;b&gt;', '80.0–95.0', '100 bare', '≥ 1 × MISSED', '0.90 ×'])
    expect(page).toContain(text);
});
