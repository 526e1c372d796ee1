// Runs all guards over a comparison, and marks the findings that a person accepted.

import { byDataset, DATASET_NAMES, type DatasetName } from '../../src/catalog/datasets.ts';
import type { Manifest } from '../../src/catalog/manifest.ts';
import type { Comparison } from '../compare/types.ts';
import { closedYears } from './closedYears.ts';
import { type Acceptance, type FindingInLines, type GuardFinding, RULES, type Rule } from './finding.ts';
import type { Guard, GuardLimits, Suspicion } from './guard.ts';
import type { LearnedLimits } from './learnedLimits.ts';
import { movedTotals, totalRulesOf } from './movedTotals.ts';
import { newValues } from './newValues.ts';
import { verdictsOnNewYears, type YearVerdict } from './newYears.ts';
import { nulls } from './nulls.ts';
import { relations } from './relations.ts';
import { renamed } from './renamed.ts';
import { Renamings } from './renamings.ts';
import { rows } from './rows.ts';
import { units } from './units.ts';
import { vanished } from './vanished.ts';
import { verdictsOn } from './verdicts.ts';

/** The guard of rules that only report verdicts on patterns. */
const patternsAlone: Guard = () => [];

const GUARDS: Readonly<Record<Rule, Guard>> = {
  rows,
  totals: (dataset, input) => movedTotals('totals', dataset, input),
  'closed-years': closedYears,
  vanished,
  renamed,
  units,
  nulls,
  'new-values': newValues,
  revisions: patternsAlone,
  copies: patternsAlone,
  relations,
  structure: patternsAlone,
};

/** The result of running all guards. */
export interface Guarded {
  /** All findings, in the order of rules and datasets. */
  readonly findings: readonly FindingInLines[];
  /** The accepted findings, for the manifest. */
  readonly accepted: Manifest['accepted'];
  /** Acceptances that match no finding. */
  readonly unused: readonly Acceptance[];
}

/** The result when there is no snapshot to compare with. */
export const nothingToGuard = (acceptances: readonly Acceptance[]): Guarded => ({
  findings: [],
  accepted: [],
  unused: acceptances,
});

/**
 * Runs every guard on every dataset. Datasets that did not change or had no rows before are not examined.
 *
 * @param limits Limits for all datasets, or the limits of each dataset as `learnedLimits` gives them.
 */
export function guard(
  comparison: Comparison,
  limits: GuardLimits | LearnedLimits,
  acceptances: readonly Acceptance[],
): Guarded {
  const suspicions = suspicionsOf(comparison, 'ggr' in limits ? limits : byDataset(() => limits));
  const found = suspicions.map((one) => findingOf(one, acceptances));
  const findings = RULES.flatMap((rule) =>
    DATASET_NAMES.flatMap((dataset) => found.filter((one) => one.rule === rule && one.dataset === dataset)),
  );
  const accepting = findings.map((finding) => acceptanceOf(finding, acceptances));
  const passed = acceptances.map((acceptance) => ({
    acceptance,
    findings: findings.filter((_, i) => accepting[i] === acceptance),
  }));
  return {
    findings,
    accepted: passed
      .filter((one) => one.findings.length > 0)
      .map(({ acceptance: { rule, dataset, country, reason }, findings: found }) => ({
        rule,
        ...(dataset === null ? {} : { dataset }),
        ...(typeof country === 'string' ? { country } : {}),
        reason,
        findings: found.map(({ dataset: of, message }) => `${of}: ${message}`),
      })),
    unused: passed.filter((one) => one.findings.length === 0).map(({ acceptance }) => acceptance),
  };
}

/** A suspicion with the rule that reports it and the dataset that it is about. */
interface SuspicionOfRule extends Suspicion {
  readonly rule: Rule;
  readonly dataset: DatasetName;
}

/** The findings of all guards. Patterns are judged first, so that no other guard reports the same cause again. */
function suspicionsOf(comparison: Comparison, limitsOf: LearnedLimits): readonly SuspicionOfRule[] {
  const renamings = new Renamings(comparison);
  const examined = DATASET_NAMES.map((name) => comparison.datasets[name]).filter(
    ({ same, rows: { before } }) => !same && before > 0,
  );
  const judged = examined.map((dataset) => ({
    dataset,
    verdicts: verdictsOn(dataset, limitsOf[dataset.dataset], renamings),
    ofNewYears: withoutRenamed(
      verdictsOnNewYears(dataset, limitsOf[dataset.dataset]),
      dataset.dataset,
      renamings,
    ),
  }));
  const refusedCountries = new Set(
    judged.flatMap(({ verdicts }) =>
      verdicts.flatMap(({ severity, country }) => (severity === 'refuse' && country ? [country] : [])),
    ),
  );
  const refusedYears = new Set(
    judged.flatMap(({ ofNewYears }) =>
      ofNewYears.flatMap(({ severity, countries, year }) =>
        severity === 'refuse' ? countries.map((country) => `${country} ${year}`) : [],
      ),
    ),
  );
  return judged.flatMap(({ dataset, verdicts, ofNewYears }) => {
    const limits = limitsOf[dataset.dataset];
    const farYears = new Set(
      ofNewYears.flatMap(({ pattern: { family }, countries, year }) =>
        family === 'year-far' ? countries.map((country) => `${country} ${year}`) : [],
      ),
    );
    const input = { comparison, limits, renamings, verdicts, refusedCountries, refusedYears, farYears };
    return [
      ...verdicts.map((verdict) => {
        const { severity, country = null, also = [] } = verdict;
        const totals =
          severity === 'refuse' && country !== null ? totalRulesOf(country, dataset, comparison, limits) : [];
        return { ...verdict, dataset: dataset.dataset, also: [...also, ...totals] };
      }),
      ...ofNewYears.map((verdict) => ({ ...verdict, dataset: dataset.dataset })),
      ...RULES.flatMap((rule) =>
        GUARDS[rule](dataset, input).map((suspicion) => ({ ...suspicion, rule, dataset: dataset.dataset })),
      ),
    ];
  });
}

/** The verdicts on new years, without those on countries that have another name now: all of their years look new. */
const withoutRenamed = (
  verdicts: readonly YearVerdict[],
  dataset: DatasetName,
  renamings: Renamings,
): readonly YearVerdict[] => {
  const names = new Set(
    renamings.in(dataset).flatMap(({ dimension, to }) => (dimension === 'country' ? [to] : [])),
  );
  return verdicts.filter(({ country }) => country === null || country === undefined || !names.has(country));
};

function findingOf(
  {
    rule,
    dataset,
    severity,
    message,
    lines = [message],
    country = null,
    pattern,
    also = [],
  }: SuspicionOfRule,
  acceptances: readonly Acceptance[],
): FindingInLines {
  const rules = RULES.filter((one) => one === rule || also.includes(one));
  const [first = rule] = rules;
  const finding = { rule: first, rules, dataset, country, severity, message, pattern: pattern ?? null };
  return {
    ...finding,
    accept: `--accept ${shellWord([first, dataset, ...(country === null ? [] : [country])].join(':'))} --reason "…"`,
    accepted: acceptanceOf(finding, acceptances)?.reason ?? null,
    lines,
  };
}

/** The text, quoted when a shell would otherwise not read it as one word. */
const shellWord = (text: string) => (/^[\w:-]+$/.test(text) ? text : `"${text.replace(/["\\$`]/g, '\\$&')}"`);

/** The acceptance that accepts a finding: the narrowest of those that fit; undefined when none does. */
function acceptanceOf(
  { rules, dataset, country }: Pick<GuardFinding, 'rules' | 'dataset' | 'country'>,
  acceptances: readonly Acceptance[],
): Acceptance | undefined {
  const fitting = acceptances.filter(
    (one) =>
      rules.includes(one.rule) &&
      (one.dataset === null || one.dataset === dataset) &&
      ((one.country ?? null) === null || one.country === country),
  );
  const width = (one: Acceptance) => Number(one.dataset === null) + Number((one.country ?? null) === null);
  return fitting.toSorted((a, b) => width(a) - width(b))[0];
}
