import { describe, expect, it } from '@jest/globals';
import { progressOn } from '../../../../ingest/commands/output/progress.ts';

function written(isTTY: boolean, use: (progress: ReturnType<typeof progressOn>) => void): string {
  const pieces: string[] = [];
  use(progressOn({ isTTY, write: (text) => pieces.push(text) }));
  return pieces.join('');
}

describe('progressOn', () => {
  it('writes a line per 10 % where nobody watches', () => {
    const text = written(false, (progress) => {
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

  it('draws in place on a terminal and leaves its line empty', () => {
    const text = written(true, (progress) => {
      progress.phase('reading');
      progress.update('ggr.xlsx', 1, 4);
      progress.end();
    });
    expect(text).toContain('reading ggr.xlsx … 25 %');
    expect(text.endsWith('\r\u001b[2K')).toBe(true);
    expect(text).not.toContain('\n');
  });
});
