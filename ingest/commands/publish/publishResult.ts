// The result of publishing a month: its status, its exit code, its problems, and the findings of guards.

import type { Comparison } from '../../compare/comparisonTypes.ts';
import { type FindingInLines, isRefused, isWarning } from '../../guards/finding.ts';
import type { GuardOutcome } from '../../guards/runGuards.ts';
import type { Problem, ProblemGroup, Problems } from '../../messages/problems.ts';
import type { Report } from '../../report/reportTypes.ts';
import type { DraftManifest } from '../../store/writeDatasets.ts';
import type { DamageFinding } from './damageFinding.ts';

export interface PublishResult {
  readonly status: 'published' | 'unchanged' | 'checked' | 'rejected' | 'refused';
  /** The snapshot published, or the current one with the same content; null when rejected or refused. */
  readonly snapshot: string | null;
  readonly problems: readonly Problem[];
  /** How many problems of each severity there are, including those that `problems` does not list. */
  readonly counts: Problems['counts'];
  /** How many problems the group of a problem has, including those that `problems` does not list. */
  readonly countLike: (group: ProblemGroup) => number;
  /** What the snapshot contains; null when the run stopped before its files were written. */
  readonly manifest: DraftManifest | null;
  /** The changes since the current snapshot; null when nothing was compared. */
  readonly comparison: Comparison | null;
  readonly findings: readonly FindingInLines[];
  /** Why nothing could be compared with the current snapshot; null when it is undamaged, or there is none. */
  readonly currentDamage: DamageFinding | null;
  /** The report for people; null when the run stopped before it was made. */
  readonly report: Report | null;
  readonly exitCode: 0 | 3 | 4 | 5;
}

type ComparedPart = Pick<PublishResult, 'manifest' | 'comparison' | 'findings' | 'currentDamage' | 'report'>;

const NOTHING_COMPARED: ComparedPart = {
  manifest: null,
  comparison: null,
  findings: [],
  currentDamage: null,
  report: null,
};

/** Whether a month with these problems and findings must not be published. */
export const isStopped = (problems: Problems, strict: boolean, guarded?: GuardOutcome): boolean =>
  problems.count('error', 'unreadable') > 0 ||
  (strict && problems.count('warning') > 0) ||
  (guarded?.findings ?? []).some((one) => isRefused(one) || (strict && isWarning(one)));

/**
 * The result of a month that was stopped. Of several exit codes that apply, the lowest is taken: 3 for a file that cannot
 * be read, 4 for wrong content or (under `strict`) a warning, 5 when only guards refuse.
 */
export function stoppedResult(
  problems: Problems,
  strict: boolean,
  compared = NOTHING_COMPARED,
): PublishResult {
  const isWrong =
    problems.count('error') > 0 ||
    (strict && (problems.count('warning') > 0 || compared.findings.some(isWarning)));
  const exitCodeOfContent = isWrong || compared === NOTHING_COMPARED ? 4 : 5;
  const exitCode = problems.count('unreadable') > 0 ? 3 : exitCodeOfContent;
  const status = exitCode === 5 ? 'refused' : 'rejected';
  return { status, snapshot: null, ...listedProblems(problems), ...compared, exitCode };
}

/** The result of a month that nothing stopped. */
export function finishedResult(
  status: 'published' | 'unchanged' | 'checked',
  snapshot: string,
  problems: Problems,
  compared: Partial<ComparedPart>,
): PublishResult {
  return { status, snapshot, ...listedProblems(problems), ...NOTHING_COMPARED, ...compared, exitCode: 0 };
}

/** The problems, at most `most` of each severity, and how many there are in all. */
export const listedProblems = (
  problems: Problems,
  most?: number,
): Pick<PublishResult, 'problems' | 'counts' | 'countLike'> => ({
  problems: problems.list(most),
  counts: problems.counts,
  countLike: (group) => problems.countLike(group),
});
