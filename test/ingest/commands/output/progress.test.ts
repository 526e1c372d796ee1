// Progress on a terminal and in a log.

import { describe, expect, it } from '@jest/globals';
import { progressOn } from '../../../../ingest/commands/output/progress.ts';

function written(use: (progress: ReturnType<typeof progressOn>) => void): string {
  const pieces: string[] = [];
  use(progressOn({ isTTY: false, write: (text) => pieces.push(text) }));
  return pieces.join('');
}

describe('progressOn', () => {
  it('writes a line per 10 % where nobody watches', () => {
    const text = written((progress) => {
      progress.phase('reading');
      for (let done = 0; done <= 1000; done++) progress.update('ggr.xlsx', done, 1000);
      progress.end();
    });
    expect(text.split('\n').slice(0, 3)).toEqual([
      'reading',
      'reading 10 % (ggr.xlsx)',
      'reading 20 % (ggr.xlsx)',
    ]);
    expect(text.trimEnd().split('\n')).toHaveLength(11);
  });

  it('shows no control characters of a file name', () => {
    const text = written((progress) => progress.update('a\u001b[2J\n0 errors.csv', 1, 1));
    expect(text).toBe(String.raw` 100 % (a\u001b[2J\n0 errors.csv)`.concat('\n'));
  });

  it.each([true, false])('shows nothing after its end, on a terminal: %s', (isTTY) => {
    const pieces: string[] = [];
    const progress = progressOn({ isTTY, write: (piece) => pieces.push(piece) }, () => 1000);
    progress.end();
    const before = pieces.length;
    progress.phase('checking');
    progress.update('ggr.xlsx', 1, 1);
    expect(pieces.slice(before)).toEqual([]);
  });

  it('draws in place on a terminal, at most ten times a second, and leaves its line empty', () => {
    const pieces: string[] = [];
    let nowMs = 0;
    const progress = progressOn({ isTTY: true, write: (piece) => pieces.push(piece) }, () => nowMs);
    progress.phase('reading');
    for (; nowMs < 2000; nowMs += 5) progress.update('ggr.xlsx', 1, 4);
    progress.end();
    expect(pieces.length).toBeLessThanOrEqual(22);
    const text = pieces.join('');
    expect(text).toContain('reading ggr.xlsx … 25 %');
    expect(text.endsWith('\r\u001b[2K')).toBe(true);
    expect(text).not.toContain('\n');
  });
});
