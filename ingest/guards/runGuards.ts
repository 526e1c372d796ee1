// Runs all guards over a comparison: facts, what explains what, findings, their order, and last their text.

import { byDataset, DATASET_NAMES, type DatasetName } from '../../src/catalog/datasets.ts';
import type { Manifest } from '../../src/catalog/manifest.ts';
import type { Comparison } from '../compare/comparisonTypes.ts';
import { type AboutOf, findByGuard, GUARD_NAMES, GUARDS, type GuardName } from './allGuards.ts';
import { type GuardedDataset, unexplained } from './explained.ts';
import { acceptanceOf, acceptOption, objectingRules } from './findAcceptance.ts';
import {
  type Acceptance,
  causesFirst,
  type FindingInLines,
  type GuardFinding,
  RULES,
  type Rule,
} from './finding.ts';
import type { GatherContext, PatternVerdict, Suspicion } from './guard.ts';
import { withHiddenRefusals } from './hiddenRefusals.ts';
import type { LearnedLimits } from './learnedLimits.ts';
import type { YearVerdict } from './newYearsGuard.ts';
import { Renamings } from './renamings.ts';

/** The result of running all guards. */
export interface GuardOutcome {
  /** All findings. Those that are causes of others come first. Otherwise, they are in the order of rules and datasets. */
  readonly findings: readonly FindingInLines[];
  /** The accepted findings, for the manifest. */
  readonly accepted: Manifest['accepted'];
  /** Acceptances that match no finding. */
  readonly unused: readonly Acceptance[];
}

/** The result when there is no snapshot to compare with. */
export const nothingCompared = (acceptances: readonly Acceptance[]): GuardOutcome => ({
  findings: [],
  accepted: [],
  unused: acceptances,
});

/** Runs every guard on every dataset. Datasets that did not change or had no rows before are not examined. */
export function runGuards(
  comparison: Comparison,
  limits: LearnedLimits,
  acceptances: readonly Acceptance[],
): GuardOutcome {
  const renamings = new Renamings(comparison);
  const found = DATASET_NAMES.map((name) => comparison.datasets[name])
    .filter(({ same, rows: { before } }) => !same && before > 0)
    .map((dataset): GuardedDataset => {
      const context = { comparison, limits: limits[dataset.dataset], renamings };
      return { dataset, context, found: findByGuard(dataset, context) };
    });
  const isAccepted = (refusal: PatternVerdict | YearVerdict, dataset: DatasetName) =>
    acceptanceOf({ ...refusal, rules: objectingRules(refusal), dataset }, acceptances) !== undefined;
  const findingsIf = (accepts: typeof isAccepted) =>
    findingsOn(unexplained(found, comparison, accepts), acceptances);
  const findings = withHiddenRefusals(findingsIf(isAccepted), () => findingsIf(() => true));
  return { findings, ...acceptancesUsed(findings, acceptances) };
}

/** The findings of the guards with their texts. A finding that is the cause of others comes first. */
function findingsOn(
  found: readonly GuardedDataset[],
  acceptances: readonly Acceptance[],
): readonly FindingInLines[] {
  const patternsOf = byDataset(
    (name) => found.find(({ dataset }) => dataset.dataset === name)?.found.patterns ?? [],
  );
  const findings = found.flatMap((one) => GUARD_NAMES.flatMap((name) => gathered(name, one, patternsOf)));
  return causesFirst(inOrder(findings)).map((one) => worded(one, acceptances));
}

/** A finding before its text. */
interface Unworded<Name extends GuardName> extends Suspicion<AboutOf<Name>> {
  readonly guard: Name;
  readonly rules: readonly Rule[];
  readonly dataset: DatasetName;
  readonly isCause: boolean;
  readonly foundIn: GuardedDataset;
}

function gathered<Name extends GuardName>(
  guard: Name,
  foundIn: GuardedDataset,
  patternsOf: GatherContext['patternsOf'],
): readonly Unworded<Name>[] {
  const { context, dataset, found } = foundIn;
  if (found[guard].length === 0) return [];
  return GUARDS[guard].gather(found[guard], dataset, { ...context, patternsOf }).map((suspicion) => {
    const rules = objectingRules(suspicion);
    const { isCause = false } = suspicion;
    const rule = rules[0] ?? suspicion.rule;
    return { ...suspicion, guard, foundIn, rule, rules, dataset: dataset.dataset, isCause };
  });
}

const inOrder = <One extends Pick<GuardFinding, 'rule' | 'dataset'>>(
  findings: readonly One[],
): readonly One[] =>
  RULES.flatMap((rule) =>
    DATASET_NAMES.flatMap((dataset) =>
      findings.filter((one) => one.rule === rule && one.dataset === dataset),
    ),
  );

function worded<Name extends GuardName>(
  finding: Unworded<Name>,
  acceptances: readonly Acceptance[],
): FindingInLines {
  const { guard, about, foundIn, rule, rules, dataset, country, severity, pattern = null, isCause } = finding;
  const { message, lines = [message] } = GUARDS[guard].words(
    about,
    foundIn.dataset,
    foundIn.context.comparison,
  );
  return {
    ...{ rule, rules, dataset, country, severity, message, pattern, isCause },
    accept: acceptOption(finding),
    accepted: acceptanceOf(finding, acceptances)?.reason ?? null,
    hides: [],
    lines,
  };
}

function acceptancesUsed(
  findings: readonly FindingInLines[],
  acceptances: readonly Acceptance[],
): Pick<GuardOutcome, 'accepted' | 'unused'> {
  const accepting = findings.map((finding) => acceptanceOf(finding, acceptances));
  const passed = acceptances.map((acceptance) => ({
    acceptance,
    findings: findings.filter((_, i) => accepting[i] === acceptance),
  }));
  return {
    accepted: passed
      .filter((one) => one.findings.length > 0)
      .map(({ acceptance: { rule, dataset, country, reason }, findings: found }) => ({
        rule,
        ...(dataset === null ? {} : { dataset }),
        ...(country === undefined ? {} : { country }),
        reason,
        findings: found.map(({ dataset: name, message }) => `${name}: ${message}`),
      })),
    unused: passed.filter((one) => one.findings.length === 0).map(({ acceptance }) => acceptance),
  };
}
