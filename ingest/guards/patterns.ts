// Reports patterns of changes. `families.ts` has the rule, the severity and the words of each family.

import { DATASET_NAMES, type DatasetName } from '../../src/catalog/datasets.ts';
import type { Pattern } from '../compare/patterns/types.ts';
import type { DatasetComparison } from '../compare/types.ts';
import { counted, listed, spans } from '../messages/numbers.ts';
import { countryOfGroups, isOfOneGroup, placeOfGroups, scaledIn, valuesOf } from './changesOfUnit.ts';
import { FAMILIES } from './families.ts';
import type { Rule, Severity } from './finding.ts';
import type { Basis, Beside, Guard, GuardLimits, Verdict } from './guard.ts';
import { factorsWords, withFewFactors, withGoneYears } from './mergedVerdicts.ts';
import { movesRefused, totalRulesOf } from './movedTotals.ts';
import { bringsRefused } from './newValues.ts';
import type { Renamings } from './renamings.ts';
import { scaledWords } from './units.ts';
import { countryOf, metricPrefix, patternPlace, quantity, sized } from './wording.ts';

interface JudgedPattern extends Verdict {
  /** The datasets whose figures are gone with the rates of this verdict. */
  readonly followers: readonly DatasetName[];
}

/**
 * Reports patterns of changes. Beside one of these, most findings of other guards are left out, because they have the same
 * cause.
 */
export const patterns: Guard<Verdict, JudgedPattern> = {
  find: (dataset, basis) =>
    withGoneYears(withFewFactors(verdictsOn(dataset, basis)), dataset).map((verdict) =>
      withTotals(verdict, dataset, basis),
    ),
  gather: (found, { dataset }, { patternsOf }) =>
    // This is no row of `explained.ts`, because the finding about rates names the datasets whose findings it stands for.
    found
      .filter((verdict) => dataset === 'fx' || !isFollower(verdict, patternsOf.fx))
      .map((verdict) => {
        const { rule, severity, country, pattern, also } = verdict;
        const followers = dataset === 'fx' ? followersOf(verdict, patternsOf) : [];
        // The old values of renamed rows vanished, and their new values appeared.
        const isCause = severity === 'refuse' && pattern.family === 'renamed';
        return { rule, severity, country, pattern, also, isCause, about: { ...verdict, followers } };
      }),
  words: (verdict, { dataset }) => {
    const { followers, factors } = verdict;
    if (factors !== undefined) return { message: factorsWords(factors) };
    const also =
      followers.length === 0
        ? ''
        : `, with the figures in ${currencyOf(verdict)} of ${listed(followers, followers.length)}`;
    return sized(`${headingOf(verdict, dataset)}${also}`, shownOf(verdict), dataset);
  },
};

const verdictsOn = (dataset: DatasetComparison, { limits, renamings }: Basis): readonly Verdict[] =>
  dataset.patterns.flatMap((pattern) => {
    // This is no row of `explained.ts`: the lost years that are merged below must not include rows that were only renamed.
    if (isReportedElsewhere(pattern, dataset, renamings)) return [];
    const severity = severityOfPattern(pattern, limits, dataset.dataset);
    return severity === null ? [] : [verdictOn(pattern, severity, dataset)];
  });

/**
 * The verdict, changed if it is reported in place of totals: a warning that explains refused totals becomes a refusal, and
 * a refusal of a country also has the rules of totals that would refuse the same change.
 */
function withTotals(verdict: Verdict, dataset: DatasetComparison, basis: Basis): Verdict {
  const { country, also } = verdict;
  const isWorse = verdict.severity === 'warn' && movesRefused(verdict.pattern, dataset, basis);
  const severity = isWorse ? 'refuse' : verdict.severity;
  const ofTotals = severity === 'warn' || country === null ? [] : totalRulesOf(country, dataset, basis);
  return { ...verdict, severity, also: [...also, ...ofTotals] };
}

/** The severity of a pattern; null when it is not reported. Forecasts are expected to change, so they only warn. */
function severityOfPattern(pattern: Pattern, limits: GuardLimits, dataset: DatasetName): Severity | null {
  const severity = FAMILIES[pattern.family].severity(pattern, limits, dataset);
  return severity !== null && pattern.forecast ? 'warn' : severity;
}

function verdictOn(pattern: Pattern, severity: Severity, dataset: DatasetComparison): Verdict {
  const country = countryOf(pattern);
  const scaled = scaledIn(pattern, dataset);
  const also: readonly Rule[] = bringsRefused(pattern, dataset.newValues) ? ['new-values'] : [];
  const common = { country, pattern, scaled, also };
  if (scaled.length > 0) {
    const ofGroups = countryOfGroups(scaled, country, dataset);
    return { ...common, country: ofGroups, rule: 'units', severity: 'refuse' };
  }
  const { rule } = FAMILIES[pattern.family];
  return { ...common, rule: typeof rule === 'string' ? rule : rule(pattern, dataset), severity };
}

/**
 * The pattern whose shares and examples a finding has. A finding about more values in another unit than those of its pattern
 * has no shares.
 */
const shownOf = (verdict: Verdict): Pattern =>
  verdict.scaled.length === 0 || isOfOneGroup(verdict)
    ? verdict.pattern
    : { ...verdict.pattern, place: placeOfGroups(verdict), countryShare: 0, datasetShare: null };

/** The first line of a finding, without its shares and examples. */
function headingOf({ pattern, scaled, country, years }: Verdict, dataset: DatasetName): string {
  if (scaled.length > 0) return scaledWords(scaled, country) + othersOf(pattern, scaled);
  if (years !== undefined)
    return `${country}, ${spans(years)}: ${quantity(years.length, years.length, 'reported row')} gone`;
  const { family, metric, forecast } = pattern;
  return `${metricPrefix(metric, dataset)}${patternPlace(pattern)}${forecast ? ' (forecasts)' : ''}: ${FAMILIES[family].words(pattern, dataset)}`;
}

/** The words for values of a pattern that cannot be in its groups, because the groups have fewer. */
function othersOf({ cells }: Pattern, scaled: Verdict['scaled']): string {
  const others = cells - valuesOf(scaled);
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
const followersOf = (rate: Verdict, patternsOf: Beside['patternsOf']): readonly DatasetName[] =>
  DATASET_NAMES.filter((name) => patternsOf[name].some((one) => isFollowed(rate, one)));

/** Whether the figures of a verdict are gone with the rates of another one. */
const isFollower = (verdict: Verdict, rates: readonly Verdict[]): boolean =>
  rates.some((rate) => isFollowed(rate, verdict));

/**
 * Whether two verdicts belong together: rates are gone from a country, and figures in their currency are gone from the same
 * country.
 */
function isFollowed(rate: Verdict, { severity, pattern }: Verdict): boolean {
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
function currencyOf({ pattern: { examples } }: Verdict): string | number | undefined {
  const [first, ...others] = examples.map(({ key }) => key.fx_local_currency);
  return others.every((one) => one === first) ? first : undefined;
}
