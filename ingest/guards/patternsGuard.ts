// Reports patterns of changes. `families.ts` has the rule, the severity and the words of each family.

import { DATASET_NAMES, type DatasetName } from '../../src/catalog/datasets.ts';
import type { DatasetComparison, ScaledGroup } from '../compare/comparisonTypes.ts';
import type { Pattern } from '../compare/patterns/patternTypes.ts';
import { counted, listed, yearSpans } from '../messages/numbers.ts';
import { countryOfGroups, isOfOneGroup, placeOfGroups, scaledGroupsOf, valueCount } from './changesOfUnit.ts';
import { FAMILIES } from './families.ts';
import type { GuardSeverity, Rule } from './finding.ts';
import type { GatherContext, Guard, GuardContext, GuardLimits, PatternVerdict } from './guard.ts';
import { factorsWords, withFactorsMerged, withLostYearsMerged } from './mergedVerdicts.ts';
import { bringsRefusedValue } from './newValuesGuard.ts';
import type { Renamings } from './renamings.ts';
import { explainsRefusedTotal, totalRulesRefusing } from './totalsGuard.ts';
import { scaledGroupsWords } from './unitsGuard.ts';
import {
  countryOfPattern,
  metricPrefix,
  patternPlace,
  quantityClause,
  withSharesAndExamples,
} from './wording.ts';

interface VerdictWithFollowers extends PatternVerdict {
  /** The datasets whose figures are gone with the rates of this verdict. */
  readonly followers: readonly DatasetName[];
}

/**
 * Reports patterns of changes. Beside one of these, most findings of other guards are left out, because they have the same
 * cause.
 */
export const patternsGuard: Guard<PatternVerdict, VerdictWithFollowers> = {
  find: (dataset, context) =>
    withLostYearsMerged(withFactorsMerged(verdictsOn(dataset, context)), dataset).map((verdict) =>
      withTotals(verdict, dataset, context),
    ),
  gather: (found, { dataset }, { patternsOf }) =>
    // This is no row of `explanations.ts`, because the finding about rates names the datasets whose findings it stands for.
    found
      .filter((verdict) => dataset === 'fx' || !isFollower(verdict, patternsOf.fx))
      .map((verdict) => {
        const { rule, severity, country, pattern, otherRules } = verdict;
        const followers = dataset === 'fx' ? followersOf(verdict, patternsOf) : [];
        // The old values of renamed rows vanished, and their new values appeared.
        const isCause = severity === 'refuse' && pattern.family === 'renamed';
        return { rule, severity, country, pattern, otherRules, isCause, about: { ...verdict, followers } };
      }),
  words: (verdict, { dataset }) => {
    const { followers, factorVerdicts } = verdict;
    if (factorVerdicts !== undefined) return { message: factorsWords(factorVerdicts) };
    const also =
      followers.length === 0
        ? ''
        : `, with the figures in ${currencyOf(verdict)} of ${listed(followers, followers.length)}`;
    return withSharesAndExamples(`${headingOf(verdict, dataset)}${also}`, patternShown(verdict), dataset);
  },
};

const verdictsOn = (
  dataset: DatasetComparison,
  { limits, renamings }: GuardContext,
): readonly PatternVerdict[] =>
  dataset.patterns.flatMap((pattern) => {
    // This is no row of `explanations.ts`: the lost years that are merged below must not include rows that were only
    // renamed.
    if (isReportedElsewhere(pattern, dataset, renamings)) return [];
    const severity = severityOfPattern(pattern, limits, dataset.dataset);
    return severity === null ? [] : [verdictOn(pattern, severity, dataset)];
  });

/**
 * The verdict, changed if it is reported in place of totals: a warning that explains refused totals becomes a refusal, and
 * a refusal of a country also has the rules of totals that would refuse the same change.
 */
function withTotals(
  verdict: PatternVerdict,
  dataset: DatasetComparison,
  context: GuardContext,
): PatternVerdict {
  const { country, otherRules } = verdict;
  const isWorse = verdict.severity === 'warn' && explainsRefusedTotal(verdict.pattern, dataset, context);
  const severity = isWorse ? 'refuse' : verdict.severity;
  const ofTotals =
    severity === 'warn' || country === null ? [] : totalRulesRefusing(country, dataset, context);
  return { ...verdict, severity, otherRules: [...otherRules, ...ofTotals] };
}

/** The severity of a pattern; null when it is not reported. Forecasts are expected to change, so they only warn. */
function severityOfPattern(
  pattern: Pattern,
  limits: GuardLimits,
  dataset: DatasetName,
): GuardSeverity | null {
  const severity = FAMILIES[pattern.family].severity(pattern, limits, dataset);
  return severity !== null && pattern.forecast ? 'warn' : severity;
}

function verdictOn(pattern: Pattern, severity: GuardSeverity, dataset: DatasetComparison): PatternVerdict {
  const country = countryOfPattern(pattern);
  const scaledGroups = scaledGroupsOf(pattern, dataset);
  const otherRules: readonly Rule[] = bringsRefusedValue(pattern, dataset.newValues) ? ['new-values'] : [];
  const common = { country, pattern, scaledGroups, otherRules };
  if (scaledGroups.length > 0) {
    const ofGroups = countryOfGroups(scaledGroups, country, dataset);
    return { ...common, country: ofGroups, rule: 'units', severity: 'refuse' };
  }
  const { rule } = FAMILIES[pattern.family];
  return { ...common, rule: typeof rule === 'string' ? rule : rule(pattern, dataset), severity };
}

/**
 * The pattern whose shares and examples a finding has. A finding about more values in another unit than those of its
 * pattern has no shares.
 */
const patternShown = (verdict: PatternVerdict): Pattern =>
  verdict.scaledGroups.length === 0 || isOfOneGroup(verdict)
    ? verdict.pattern
    : { ...verdict.pattern, place: placeOfGroups(verdict), countryShare: 0, datasetShare: null };

/** The first line of a finding, without its shares and examples. */
function headingOf(
  { pattern, scaledGroups, country, lostYears }: PatternVerdict,
  dataset: DatasetName,
): string {
  if (scaledGroups.length > 0)
    return scaledGroupsWords(scaledGroups, country) + otherValuesWords(pattern, scaledGroups);
  if (lostYears !== undefined)
    return `${country}, ${yearSpans(lostYears)}: ${quantityClause(lostYears.length, lostYears.length, 'reported row')} gone`;
  const { family, metric, forecast } = pattern;
  return `${metricPrefix(metric, dataset)}${patternPlace(pattern)}${forecast ? ' (forecasts)' : ''}: ${FAMILIES[family].words(pattern, dataset)}`;
}

/** The words for values of a pattern that cannot be in its groups, because the groups have fewer. */
function otherValuesWords({ cells }: Pattern, groups: readonly ScaledGroup[]): string {
  const others = cells - valueCount(groups);
  return others > 0 ? `, and ${counted(others, 'other value')} moved` : '';
}

/** Whether the guard `renamed` already reports these rows, because they were only renamed. */
function isReportedElsewhere(
  { family, examples }: Pattern,
  { dataset }: DatasetComparison,
  renamings: Renamings,
): boolean {
  if (family !== 'gone') return false;
  const renamed = renamings.in(dataset);
  return examples.every(({ key }) => renamed.some(({ dimension, from }) => key[dimension] === from));
}

/** The datasets whose figures are gone with the rates of a verdict. */
const followersOf = (rate: PatternVerdict, patternsOf: GatherContext['patternsOf']): readonly DatasetName[] =>
  DATASET_NAMES.filter((name) => patternsOf[name].some((one) => isFollowed(rate, one)));

/** Whether the figures of a verdict are gone with the rates of another one. */
const isFollower = (verdict: PatternVerdict, rates: readonly PatternVerdict[]): boolean =>
  rates.some((rate) => isFollowed(rate, verdict));

/**
 * Whether two verdicts belong together: rates are gone from a country, and figures in their currency are gone from the same
 * country.
 */
function isFollowed(rate: PatternVerdict, { severity, pattern }: PatternVerdict): boolean {
  const { place, family, forecast } = pattern;
  const isOfCurrency = place.fx !== undefined && Object.keys(place).length === 2;
  return (
    severity === 'warn' &&
    family === 'gone' &&
    isOfCurrency &&
    rate.pattern.family === 'gone' &&
    rate.pattern.forecast === forecast &&
    rate.pattern.place.country !== undefined &&
    rate.pattern.place.country === place.country &&
    currencyOf(rate) === place.fx
  );
}

/** The currency of the rows of a verdict on rates; undefined if they have several. */
function currencyOf({ pattern: { examples } }: PatternVerdict): string | number | undefined {
  const [first, ...others] = examples.map(({ key }) => key.fx_local_currency);
  return others.every((one) => one === first) ? first : undefined;
}
