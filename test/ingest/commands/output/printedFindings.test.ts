// The findings of guards for people: each in the block of its verdict, with what accepts it.

import { expect, it } from '@jest/globals';
import { printedFindings } from '../../../../ingest/commands/output/printedFindings.ts';
import type { FindingInLines } from '../../../../ingest/guards/finding.ts';

const finding = (severity: 'warn' | 'refuse', message: string, accepted: string | null = null) =>
  ({
    ...{ rule: 'rows', rules: ['rows'], severity, dataset: 'ggr', country: null, accepted },
    ...{ message, lines: [message, '2 rows'], accept: '--accept rows:ggr --reason "…"' },
  }) as unknown as FindingInLines;

const [refused, warned, accepted] = [
  finding('refuse', 'half is gone'),
  finding('warn', 'some are new'),
  finding('refuse', 'all moved', 'rebased'),
];

it('are refusals, then warnings, then what was accepted, each a line', () => {
  expect(printedFindings([accepted, warned, refused, refused], undefined)).toBe(
    [
      '2 refusals by guards',
      '  ggr: half is gone. If that is right: --accept rows:ggr --reason "…"',
      '  ggr: half is gone. If that is right: --accept rows:ggr --reason "…"',
      '',
      '1 warning by a guard',
      '  ggr: some are new (--accept rows:ggr --reason "…")',
      '',
      '1 finding accepted',
      '  ggr: all moved. Accepted as rows: rebased',
      '',
    ].join('\n'),
  );
});

it('are several lines on a terminal, without empty blocks', () => {
  expect(printedFindings([warned], 60)).toBe(
    [
      '1 warning by a guard',
      '  ggr: some are new',
      '      2 rows',
      '      → if that is right: --accept rows:ggr --reason "…"',
      '',
    ].join('\n'),
  );
  expect(printedFindings([], 60)).toBe('');
});
