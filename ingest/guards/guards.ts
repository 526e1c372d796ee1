// Runs all guards over a comparison, and marks the findings that a person accepted.

import { DATASET_NAMES, type DatasetName } from '../../src/catalog/datasets.ts';
import type { Manifest } from '../../src/catalog/manifest.ts';
import type { Comparison, DatasetComparison } from '../compare/types.ts';
import { closedYears } from './closedYears.ts';
import {
  type Acceptance,
  causesFirst,
  type FindingInLines,
  type GuardFinding,
  RULES,
  type Rule,
} from './finding.ts';
import { withGoneRates } from './goneRates.ts';
import { withGoneYears } from './goneYears.ts';
import { type Basis, type Guard, type Suspicion, type Verdict, withoutForecastsOf } from './guard.ts';
import { withHidden } from './hiddenRefusals.ts';
import type { LearnedLimits } from './learnedLimits.ts';
import { movedTotals, movesRefused, totalRulesOf } from './movedTotals.ts';
import { newValues } from './newValues.ts';
import { verdictsOnNewYears, type YearVerdict } from './newYears.ts';
import { nulls } from './nulls.ts';
import { proportionalCountries } from './proportionalCountries.ts';
import { relations } from './relations.ts';
import { renamed } from './renamed.ts';
import { withRenamedAsCauses } from './renamedRows.ts';
import { Renamings } from './renamings.ts';
import { rows } from './rows.ts';
import { units } from './units.ts';
import { vanished } from './vanished.ts';
import { verdictsOn } from './verdicts.ts';

/** For rules that report only verdicts on patterns. */
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
  copies: proportionalCountries,
  relations,
  structure: patternsAlone,
};

/** The result of running all guards. */
export interface Guarded {
  /** All findings. Those that are causes of others come first. Otherwise, they are in the order of rules and datasets. */
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

/** Runs every guard on every dataset. Datasets that did not change or had no rows before are not examined. */
export function guard(
  comparison: Comparison,
  limits: LearnedLimits,
  acceptances: readonly Acceptance[],
): Guarded {
  const renamings = new Renamings(comparison);
  const judged = DATASET_NAMES.map((name) => comparison.datasets[name])
    .filter(({ same, rows: { before } }) => !same && before > 0)
    .map((dataset) => judge(dataset, { comparison, limits: limits[dataset.dataset], renamings }));
  const findingsWith = (given: readonly Acceptance[]) =>
    causesFirst(inOrder(suspicionsOf(judged, given).map((one) => findingOf(one, given))));
  const findings = withHidden(findingsWith(acceptances), acceptances, findingsWith);
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
        findings: found.map(({ dataset: name, message }) => `${name}: ${message}`),
      })),
    unused: passed.filter((one) => one.findings.length === 0).map(({ acceptance }) => acceptance),
  };
}

const inOrder = (found: readonly FindingInLines[]): readonly FindingInLines[] =>
  RULES.flatMap((rule) =>
    DATASET_NAMES.flatMap((dataset) => found.filter((one) => one.rule === rule && one.dataset === dataset)),
  );

interface SuspicionOfRule extends Suspicion {
  readonly rule: Rule;
  readonly dataset: DatasetName;
}

/** The verdicts on the patterns of a dataset, whatever a person accepts. */
interface Judged {
  readonly dataset: DatasetComparison;
  readonly basis: Basis;
  readonly verdicts: readonly Verdict[];
  readonly ofYears: readonly YearVerdict[];
}

/** Judges the patterns of a dataset. Guards come later, so that none reports the same cause again. */
function judge(dataset: DatasetComparison, basis: Basis): Judged {
  const { limits, renamings } = basis;
  const ofPatterns = withRenamedAsCauses(verdictsOn(dataset, limits, renamings));
  const verdicts = withGoneYears(ofPatterns, dataset).map((verdict) => withTotals(verdict, dataset, basis));
  // All years of a renamed country look new.
  const ofYears = verdictsOnNewYears(dataset, limits).filter(
    ({ country }) => typeof country !== 'string' || !renamings.isNewName(dataset.dataset, 'country', country),
  );
  return { dataset, basis, verdicts, ofYears };
}

/**
 * The suspicions of all guards, and the verdicts. Refused verdicts explain the findings of other guards. A verdict that a person
 * accepted explains nothing else: whoever accepts that Malta lost a product has not seen that its USD disagree with the rates.
 */
function suspicionsOf(
  judged: readonly Judged[],
  acceptances: readonly Acceptance[],
): readonly SuspicionOfRule[] {
  const causesIn = <Of extends Verdict | YearVerdict>(verdicts: readonly Of[], dataset: DatasetName) =>
    verdicts.filter(
      (verdict) =>
        verdict.severity === 'refuse' &&
        acceptanceOf({ ...targetOf(verdict), dataset }, acceptances) === undefined,
    );
  const explained = judged.map(({ dataset, basis, verdicts, ofYears }) => {
    const causes = causesIn(verdicts, dataset.dataset);
    const yearCauses = causesIn(ofYears, dataset.dataset);
    return { dataset, basis, verdicts: withoutForecastsOf(causes, verdicts), ofYears, causes, yearCauses };
  });
  const refusedCountries = new Set(
    explained.flatMap(({ causes }) => causes.flatMap(({ country }) => country ?? [])),
  );
  const refusedYears = countryYears(explained.flatMap(({ yearCauses }) => yearCauses));
  return explained.flatMap(({ dataset, basis, verdicts, ofYears }) => {
    const farYears = countryYears(ofYears.filter(({ pattern }) => pattern.family === 'year-far'));
    const input = { ...basis, verdicts, refusedCountries, refusedYears, farYears };
    return [
      ...[...withGoneRates(verdicts, dataset.dataset, explained), ...ofYears].map((verdict) => ({
        ...verdict,
        dataset: dataset.dataset,
      })),
      ...RULES.flatMap((rule) =>
        GUARDS[rule](dataset, input).map((suspicion) => ({ ...suspicion, rule, dataset: dataset.dataset })),
      ),
    ];
  });
}

/**
 * The verdict, changed if it is reported in place of totals: a warning that explains refused totals becomes a refusal, and
 * a refusal of a country also has the rules of totals that would refuse the same change.
 */
function withTotals(verdict: Verdict, dataset: DatasetComparison, basis: Basis): Verdict {
  const { country = null, also = [] } = verdict;
  const isWorse = verdict.severity === 'warn' && movesRefused(verdict.pattern, dataset, basis);
  const severity = isWorse ? 'refuse' : verdict.severity;
  const ofTotals = severity === 'warn' || country === null ? [] : totalRulesOf(country, dataset, basis);
  return { ...verdict, severity, also: [...also, ...ofTotals] };
}

/** The countries and years of verdicts: `Malta 2025`. */
const countryYears = (verdicts: readonly YearVerdict[]): ReadonlySet<string> =>
  new Set(verdicts.flatMap(({ countries, year }) => countries.map((country) => `${country} ${year}`)));

/** The rules that object, in the order of `RULES`, and the country of a suspicion. An acceptance may name any of them. */
const targetOf = ({ rule, also = [], country = null }: Suspicion & { readonly rule: Rule }) => ({
  rules: RULES.filter((one) => one === rule || also.includes(one)),
  country,
});

function findingOf(suspicion: SuspicionOfRule, acceptances: readonly Acceptance[]): FindingInLines {
  const { rule, dataset, severity, message, lines = [message], pattern = null, isCause = false } = suspicion;
  const { rules, country } = targetOf(suspicion);
  const [first = rule] = rules;
  const finding = { rule: first, rules, dataset, country, severity, message, pattern, isCause };
  return {
    ...finding,
    accept: `--accept ${shellWord([first, dataset, ...(country === null ? [] : [country])].join(':'))} --reason "…"`,
    accepted: acceptanceOf(finding, acceptances)?.reason ?? null,
    hides: [],
    lines,
  };
}

/** The text, in quotes if a shell would not read it as one word. */
const shellWord = (text: string) => (/^[\w:-]+$/.test(text) ? text : `"${text.replace(/["\\$`]/g, '\\$&')}"`);

/** The acceptance that accepts a finding, the narrowest of those that fit; undefined when none fits. */
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
