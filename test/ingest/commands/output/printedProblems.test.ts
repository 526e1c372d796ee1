// Problems on a terminal: groups, counts, line breaks.

import { describe, expect, it } from '@jest/globals';
import { printedProblems } from '../../../../ingest/commands/output/printedProblems.ts';
import { listedProblems } from '../../../../ingest/commands/publish/publishResult.ts';
import { Problems } from '../../../../ingest/messages/problems.ts';
import { PLAIN } from '../../../../src/terminal/terminalStyle.ts';
import { wrapped } from '../../../../src/terminal/wrap.ts';

const place = (row: number) => ({ file: 'ggr.xlsx', sheet: 'Data', cell: `I${row}` });

const printed = (problems: Problems) => printedProblems(listedProblems(problems));

describe('problems on a terminal', () => {
  it('that are alike are one group: how many, the first five places, the remedy once', () => {
    const problems = new Problems();
    for (let row = 1; row <= 66; row++)
      problems.add('error', place(row), { problem: 'ggr is "n/a"', remedy: 'leave the cell empty' });
    problems.add('note', place(99), 'country was trimmed');
    expect(printed(problems)).toBe(
      [
        '66 errors',
        '  66 × ggr is "n/a"',
        ...[1, 2, 3, 4, 5].map((row) => `      ggr.xlsx › Data!I${row}`),
        '      … and 61 more places',
        '      → leave the cell empty',
        '',
        '1 note',
        '  ggr.xlsx › Data!I99: country was trimmed',
        '',
      ].join('\n'),
    );
  });

  it('that each stand for several cells are counted by cell', () => {
    const problems = new Problems();
    const kind = 'country was trimmed';
    for (const [row, cells] of [2, 3].entries())
      problems.add('note', place(row), { problem: `${kind} (first of ${cells})`, remedy: null, kind, cells });
    expect(printed(problems)).toBe(
      [
        '2 notes',
        '  5 × country was trimmed',
        '      ggr.xlsx › Data!I0: country was trimmed (first of 2)',
        '      ggr.xlsx › Data!I1: country was trimmed (first of 3)',
        '',
      ].join('\n'),
    );
  });

  it('of one kind that say different things are named each', () => {
    const problems = new Problems();
    for (const text of ['"a"', '"b"'])
      problems.add('error', place(1), {
        problem: `ggr is ${text}`,
        remedy: 'write a number',
        kind: 'ggr is text',
      });
    expect(printed(problems)).toBe(
      '2 errors\n  2 × ggr is text\n      ggr.xlsx › Data!I1: ggr is "a"\n      ggr.xlsx › Data!I1: ggr is "b"\n      → write a number\n',
    );
  });

  it('are counted in full, and further kinds are shown, when there are more than are stored', () => {
    const problems = new Problems();
    for (let row = 2; row <= 31_143; row++)
      problems.add('error', place(row), { problem: 'fx is "£"', remedy: 'write GBP', kind: 'no code' });
    problems.add('error', { file: 'fx.csv', sheet: null, cell: 'line 7' }, 'year is empty');
    problems.addUnseen({ severity: 'error', kind: 'duplicate rows', remedy: null }, 3);
    expect(printed(problems)).toBe(
      [
        '31,146 errors',
        '  31,142 × no code',
        ...[2, 3, 4, 5, 6].map((row) => `      ggr.xlsx › Data!I${row}: fx is "£"`),
        '      … and 31,137 more places',
        '      → write GBP',
        '  fx.csv › line 7: year is empty',
        '  … and 3 more',
        '',
      ].join('\n'),
    );
  });

  it('are at most 40 groups; the rest is counted', () => {
    const problems = new Problems();
    for (let row = 1; row <= 45; row++) problems.add('error', place(row), `wrong in its own way ${row}`);
    const lines = printed(problems).trimEnd().split('\n');
    expect(lines).toHaveLength(42);
    expect(lines.at(-1)).toBe('  … and 5 more: --json has them');
  });

  it('are wrapped between words on a terminal, the remedy on lines of its own', () => {
    const problems = new Problems();
    problems.add('error', place(1), {
      problem: 'ggr is "1.2m", a number with its unit',
      remedy: 'write it in full, 1200000 for 1.2m',
    });
    expect(printedProblems(listedProblems(problems), PLAIN, 40)).toBe(
      [
        '1 error',
        '  ggr.xlsx › Data!I1: ggr is "1.2m", a',
        '    number with its unit',
        '      → write it in full, 1200000 for',
        '        1.2m',
        '',
      ].join('\n'),
    );
  });

  it('keep a word that is longer than the line in one piece', () => {
    const long = 'x'.repeat(50);
    expect(wrapped(`a ${long} b`, '  ', '    ', 20)).toBe(`  a\n    ${long}\n    b\n`);
    expect(wrapped('two words', '', '')).toBe('two words\n');
  });
});
