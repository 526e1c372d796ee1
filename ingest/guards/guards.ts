// Says what is suspicious in a comparison, and what a person accepted of it.

import { DATASET_NAMES, type DatasetName } from '../../src/catalog/datasets.ts';
import type { Manifest } from '../../src/catalog/manifest.ts';
import type { Acceptance, Comparison, GuardFinding, Rule } from '../compare/types.ts';
import { RULES } from '../compare/types.ts';
import { closedYears } from './closedYears.ts';
import type { Guard, GuardLimits } from './guard.ts';
import { nulls } from './nulls.ts';
import { renamed } from './renamed.ts';
import { Renamings } from './renamings.ts';
import { rows } from './rows.ts';
import { totals } from './totals.ts';
import { units } from './units.ts';
import { vanished } from './vanished.ts';

const GUARDS: Readonly<Record<Rule, Guard>> = {
  rows,
  totals,
  'closed-years': closedYears,
  vanished,
  renamed,
  units,
  nulls,
};

export interface Guarded {
  /** All of them, in the order of rules and datasets; those a person accepted have the reason with them. */
  readonly findings: readonly GuardFinding[];
  /** What was accepted of them, for the manifest. */
  readonly accepted: Manifest['accepted'];
  /** What a person accepted though no guard found it. */
  readonly idle: readonly Acceptance[];
}

/** Without a snapshot to compare with, as for the first one, no guard looks. */
export const nothingToGuard = (acceptances: readonly Acceptance[]): Guarded => ({
  findings: [],
  accepted: [],
  idle: acceptances,
});

/** Asks every guard about every dataset. A dataset that is as it was, or had no row before, is suspicious of nothing. */
export function guard(
  comparison: Comparison,
  limits: GuardLimits,
  acceptances: readonly Acceptance[],
): Guarded {
  const context = { comparison, limits, renamings: new Renamings(comparison) };
  const findings = RULES.flatMap((rule) =>
    DATASET_NAMES.flatMap((name) => {
      const dataset = comparison.datasets[name];
      if (dataset.same || dataset.rows.before === 0) return [];
      return GUARDS[rule](dataset, context).map(
        (suspicion): GuardFinding => ({
          rule,
          dataset: name,
          ...suspicion,
          accept: `--accept ${rule} --reason "…"`,
          accepted: acceptanceOf(rule, name, acceptances)?.reason ?? null,
        }),
      );
    }),
  );
  const passed = acceptances.map((acceptance) => ({
    acceptance,
    findings: findings.filter(({ rule, dataset }) => acceptanceOf(rule, dataset, acceptances) === acceptance),
  }));
  return {
    findings,
    accepted: passed
      .filter((one) => one.findings.length > 0)
      .map(({ acceptance: { rule, dataset, reason }, findings: found }) => ({
        rule,
        ...(dataset === null ? {} : { dataset }),
        reason,
        findings: found.map(({ dataset: of, message }) => `${of}: ${message}`),
      })),
    idle: passed.filter((one) => one.findings.length === 0).map(({ acceptance }) => acceptance),
  };
}

/** The acceptance that a finding falls under: one for its dataset before one for all. */
const acceptanceOf = (rule: Rule, dataset: DatasetName, acceptances: readonly Acceptance[]) =>
  acceptances.find((one) => one.rule === rule && one.dataset === dataset) ??
  acceptances.find((one) => one.rule === rule && one.dataset === null);
