// Which months are refused, and with which exit code.

import { expect, it } from '@jest/globals';
import { isStopped, stoppedResult } from '../../../../ingest/commands/publish/publishResult.ts';
import type { FindingInLines } from '../../../../ingest/guards/finding.ts';
import type { GuardOutcome } from '../../../../ingest/guards/runGuards.ts';
import { wholeFile } from '../../../../ingest/messages/place.ts';
import { Problems } from '../../../../ingest/messages/problems.ts';

type Severity = 'unreadable' | 'error' | 'warning' | 'note';

const aFinding = (severity: 'warn' | 'refuse', accepted: string | null = null) =>
  ({ severity, accepted }) as unknown as FindingInLines;

it.each<[problems: Severity[], findings: FindingInLines[], plain: number | null, strict: number | null]>([
  [[], [], null, null],
  [['note'], [], null, null],
  [['warning'], [], null, 4],
  [['error'], [], 4, 4],
  // Of several codes that apply, the lowest one is used.
  [['error', 'unreadable'], [], 3, 3],
  [[], [aFinding('warn')], null, 4],
  [[], [aFinding('refuse')], 5, 5],
  [['warning'], [aFinding('refuse')], 5, 4],
  [[], [aFinding('refuse'), aFinding('warn')], 5, 4],
  [[], [aFinding('refuse', 'it ended'), aFinding('warn', 'it ended')], null, null],
  [[], [aFinding('refuse'), aFinding('warn', 'it ended')], 5, 5],
])('with %j and %j the code is %s, and %s when it is strict', (severities, findings, plain, strict) => {
  const problems = new Problems();
  for (const severity of severities)
    problems.add(severity, wholeFile('ggr.csv'), { problem: severity, remedy: null });
  const compared = { manifest: null, comparison: null, currentDamage: null, report: null, findings };
  const codeOf = (isStrict: boolean) => {
    if (!isStopped(problems, isStrict, { findings } as unknown as GuardOutcome)) return null;
    return stoppedResult(problems, isStrict, compared).exitCode;
  };
  expect([codeOf(false), codeOf(true)]).toEqual([plain, strict]);
});
