// The types of guards' findings, and of people's acceptances.

import type { DatasetName } from '../../src/catalog/datasets.ts';
import type { AnyPattern } from '../compare/patterns/patternTypes.ts';

/** The names of the guards, in the order in which their findings are reported. */
export const RULES = [
  'rows',
  'totals',
  'closed-years',
  'vanished',
  'renamed',
  'units',
  'nulls',
  'new-values',
  'revisions',
  'copies',
  'relations',
  'structure',
] as const;

export type Rule = (typeof RULES)[number];

export type GuardSeverity = 'warn' | 'refuse';

/** Whether a finding refuses the month, because nobody accepted it. */
export const isRefused = ({ severity, accepted }: Pick<GuardFinding, 'severity' | 'accepted'>): boolean =>
  severity === 'refuse' && accepted === null;

/** Whether a finding warns, and nobody accepted it. */
export const isWarning = ({ severity, accepted }: Pick<GuardFinding, 'severity' | 'accepted'>): boolean =>
  severity === 'warn' && accepted === null;

/** Something suspicious that a guard found in a comparison. */
export interface GuardFinding {
  /** The rule that reports the finding: the first of `rules`, in the order of `RULES`. */
  readonly rule: Rule;
  /** All rules that object with this severity. Accepting any of them accepts the finding. */
  readonly rules: readonly Rule[];
  readonly dataset: DatasetName;
  /** The country of the finding; null when it is about several countries or the whole dataset. */
  readonly country: string | null;
  readonly severity: GuardSeverity;
  /** One sentence without its full stop: the place, what happened and the size. */
  readonly message: string;
  /** The pattern that the guard found; null when it found something else. */
  readonly pattern: AnyPattern | null;
  /** Whether the finding is the cause of others. Such findings come first, on terminals and pages alike. */
  readonly isCause: boolean;
  /** The narrowest option that accepts the finding: `--accept vanished:ggr:Malta --reason "…"`. */
  readonly accept: string;
  /** The reason of the person who accepted the finding; null when nobody did. */
  readonly accepted: string | null;
  /** The refusals that appear only once this one is accepted. */
  readonly hides: readonly HiddenRefusal[];
}

/** A refusal that appears only once another one is accepted, such as a broken relation that the other one explains. */
export type HiddenRefusal = Pick<GuardFinding, 'dataset' | 'message' | 'accept'>;

/** The findings, with those that are causes of others first. Otherwise the order stays. */
export const causesFirst = <Finding extends Pick<GuardFinding, 'isCause'>>(
  findings: readonly Finding[],
): readonly Finding[] => [
  ...findings.filter(({ isCause }) => isCause),
  ...findings.filter(({ isCause }) => !isCause),
];

/**
 * A finding whose message is also divided into short lines, for terminals and reports. Manifests and the JSON of commands
 * use `message`.
 */
export interface FindingInLines extends GuardFinding {
  /** The message in lines: first what happened, then its shares, then each example. */
  readonly lines: readonly string[];
}

/** The finding without its lines, as the JSON of commands has it. */
export const withoutLines = ({ lines: _, ...finding }: FindingInLines): GuardFinding => finding;

/**
 * A person's acceptance of a rule's findings, with the reason. Without a dataset, or without a country, it applies to all
 * of them.
 */
export interface Acceptance {
  readonly rule: Rule;
  readonly dataset: DatasetName | null;
  readonly country?: string;
  readonly reason: string;
}
