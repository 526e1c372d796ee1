// Guard `closed-years`: figures of a year that was complete have changed.

import { type DatasetName, metricNames, metricUnit } from '../../src/catalog/datasets.ts';
import { groupBy } from '../../src/groupBy.ts';
import type { AnyPattern } from '../compare/patterns/types.ts';
import type { Revision } from '../compare/revision.ts';
import type { CountryMove } from '../compare/totalTypes.ts';
import type { Comparison, CountryRevised, DatasetComparison, MetricChanges } from '../compare/types.ts';
import { amount, change, count, counted, exact, exactPair, listed, percent } from '../messages/numbers.ts';
import { MANY_COUNTRIES } from './completeness.ts';
import { type Guard, type GuardInput, isWarnedOf, type Suspicion } from './guard.ts';
import { isIntroducedMove } from './introducedRows.ts';
import { movedTotals } from './movedTotals.ts';
import { metricPrefix, roundedPercent } from './wording.ts';

/**
 * Examines the totals of metrics that add up, also those of single countries. For other metrics, counts the revised values.
 */
export const closedYears: Guard = (dataset, input) => {
  const added = new Set(dataset.totals.map(({ metric }) => metric));
  const others = metricNames(dataset.dataset).filter((metric) => !added.has(metric));
  return [
    ...movedTotals('closed-years', dataset, input),
    ...together(
      dataset.dataset,
      dataset.countryMoves.flatMap((move) => countryMoved(move, dataset, input)),
    ),
    ...likeRevised(others, dataset).flatMap((alike) => muchRevised(alike, dataset, input)),
  ];
};

/** The metrics in groups. Rates to the dollar and to the euro are one group where the same country has as many revisions. */
function likeRevised(
  metrics: readonly string[],
  { dataset, metrics: changes }: DatasetComparison,
): readonly (readonly [string, ...string[]])[] {
  const groups = groupBy(metrics, (metric) => {
    const { closedMost: most = null, closedRevised = 0, closedFar = 0 } = changes[metric] ?? {};
    const isOfOne = dataset === 'fx' && most !== null && most.revised === closedRevised;
    return isOfOne ? `${most.country} ${most.values} ${closedRevised} ${closedFar}` : metric;
  });
  return [...groups.values()];
}

const OF_NEW_ROWS: ReadonlySet<AnyPattern['family']> = new Set(['renamed', 'twice', 'sums', 'copied']);

/** The families of patterns that move no total. */
const MERGED: ReadonlySet<AnyPattern['family']> = new Set(['merged', 'relabelled']);

interface MovedCountry extends Suspicion {
  readonly move: CountryMove;
}

/**
 * Merges the suspicions about many countries, because a line for each would bury a common cause, such as a channel that all of
 * them get. Refusals and warnings are merged separately: a few refusals beside many warnings stay lines of their own.
 */
function together(dataset: DatasetName, all: readonly MovedCountry[]): readonly Suspicion[] {
  const groups = groupBy(all, ({ move: { metric }, severity }) => `${severity} ${metric}`);
  return [...groups.values()].flatMap((group): readonly Suspicion[] => {
    if (group.length < MANY_COUNTRIES) return group.map(({ move: _, ...suspicion }) => suspicion);
    const [{ severity, move }] = group;
    const moves = group.map((one) => one.move).toSorted((a, b) => b.mean - a.mean);
    const most = moves[0] ?? move;
    const each = moves.map((one) => `${one.country} by ${meanOf(one)}`);
    const message = `${metricPrefix(move.metric, dataset)}${counted(group.length, 'country', 'countries')}: totals of closed years moved, most of ${most.country} in ${largestOf(most)}; on average ${listed(each, MOST_NAMED)}`;
    return [{ severity, message, country: null }];
  });
}

/** The number of moved countries that a message names. */
const MOST_NAMED = 50;

const meanOf = ({ mean }: CountryMove): string => roundedPercent(mean, 3);

/** The year that moved most: `2023 USD: 2.592 m → 11.42 m (+341 %)`. */
const largestOf = ({ year, fx, before, after }: CountryMove): string =>
  `${year}${fx === null ? '' : ` ${fx}`}: ${amount(before)} → ${amount(after)} (${change((after - before) / Math.abs(before))})`;

/**
 * The suspicion about a country whose total moved; none when a pattern of the country or of many countries explains the
 * move.
 */
function countryMoved(
  move: CountryMove,
  dataset: DatasetComparison,
  { limits, verdicts }: GuardInput,
): MovedCountry[] {
  const { metric, country, mean, largest, grown, year } = move;
  // A pattern of values that moved, or of rows that are gone, does not explain a country that grew by new rows.
  const isGrown = grown >= limits.country.refuse;
  const isExplained = verdicts.some(
    ({ pattern, severity }) =>
      !pattern.forecast &&
      !MERGED.has(pattern.family) &&
      (!isGrown || OF_NEW_ROWS.has(pattern.family)) &&
      (pattern.place.country === undefined || (pattern.place.country === country && severity === 'refuse')),
  );
  if (isExplained || isIntroducedMove(move, dataset, limits)) return [];
  const refused = mean >= limits.country.refuse || largest >= 2 * limits.country.refuse;
  if (!refused && mean < limits.country.warn && largest < 2 * limits.country.warn) return [];
  // If the mean is below its limit, the suspicion is about the year that moved most. A warning about that year then
  // suffices.
  const about = mean < limits.country.warn ? { metric, year } : { metric };
  if (!refused && isWarnedOf(country, verdicts, about)) return [];
  const message = `${metricPrefix(metric, dataset.dataset)}${country}: its totals of closed years moved by ${meanOf(move)} on average, most in ${largestOf(move)}`;
  return [{ severity: refused ? 'refuse' : 'warn', message, country, move }];
}

/** Warnings begin at this share of the limit for refusals. In an ordinary month, statistical offices publish fewer revisions. */
const WORTH_A_WARNING = 0.8;

/** A country's series counts as replaced if at least this number and this share of its values were revised. */
const FEWEST_REVISED = 5;
const REVISED_SHARE = 0.5;

/** The suspicion about a metric that does not add up, when many of its values of closed years were revised. */
function muchRevised(
  alike: readonly [string, ...string[]],
  dataset: DatasetComparison,
  { comparison, limits, verdicts }: GuardInput,
): readonly Suspicion[] {
  const [metric] = alike;
  const changes = dataset.metrics[metric];
  // The country with the largest share of revised values.
  const leader = changes?.closedMost;
  if (changes === undefined || !leader || changes.closedRevised === 0) return [];
  const explained = verdicts
    .filter(
      ({ severity, pattern }) => severity === 'refuse' && !pattern.forecast && pattern.metric === metric,
    )
    .reduce((sum, { pattern }) => sum + pattern.cells, 0);
  if (explained >= changes.closedRevised) return [];
  // A single country may rebase its series. In a dataset with many countries, the dataset is not at fault.
  const isOfOneCountry = leader.revised === changes.closedRevised && dataset.countries >= MANY_COUNTRIES;
  // Exchange rates of a year that has ended do not change.
  const isRate = dataset.dataset === 'fx';
  if (isRate && isOfOneCountry) return ratesOfCountry(alike, changes, leader, comparison);
  const { refuse } = limits.closedYears;
  const share = changes.closedFar / changes.closedValues;
  if (isRate || (!isOfOneCountry && share >= WORTH_A_WARNING * refuse)) {
    const message = manyRevised(metric, changes, refuse);
    return [{ severity: share >= refuse ? 'refuse' : 'warn', message, country: null }];
  }
  // Amounts are reported by patterns, so only percentages are left.
  const isPercent = metricUnit(dataset.dataset, metric) === 'percent';
  if (!isPercent || leader.revised < FEWEST_REVISED || leader.revised < REVISED_SHARE * leader.values)
    return [];
  const message = `${metric}, ${leader.country}: ${revisedWords(leader, limitOf(changes))}`;
  return [{ severity: 'warn', message, country: leader.country }];
}

/** The warning about rates of one country. The guard `relations` names figures that did not follow small moves of them. */
function ratesOfCountry(
  metrics: readonly string[],
  changes: MetricChanges,
  leader: CountryRevised,
  { relations }: Comparison,
): readonly Suspicion[] {
  const { country } = leader;
  const related = relations.filter((one) => one.dataset === 'fx' && one.country === country && !one.forecast);
  const currencies = related.flatMap(({ currency }) => currency?.toLowerCase().split(', ') ?? []);
  const isRelated = (rate: string) => currencies.some((currency) => rate.endsWith(`_${currency}`));
  if (changes.closedFar === 0 && metrics.every(isRelated)) return [];
  const largest = changes.closedLargest.map((one) => revisionText(one, false)).join(', ');
  const message = `${listed(metrics)}, ${country}: ${revisedWords(leader, limitOf(changes))}: ${largest}`;
  return [{ severity: 'warn', message, country }];
}

/** The words for revisions in several countries, of which a share of `refuse` or more is refused. */
function manyRevised(metric: string, changes: MetricChanges, refuse: number): string {
  const { closedValues, closedRevised, closedFar, closedLargest } = changes;
  const limit = limitOf(changes);
  const share = closedFar === 0 ? 'none' : percent(closedFar / closedValues);
  const far = `${share} ${limit === '5 %' ? 'of them' : 'by more than 5 %'}; ${percent(refuse)} or more is refused`;
  const largest = closedLargest.map((one) => revisionText(one, true)).join(', ');
  return `${count(closedRevised)} of ${counted(closedValues, 'value')} of ${metric} in closed years ${closedRevised === 1 ? 'was' : 'were'} revised by more than ${limit} (${far}), most of all ${largest}`;
}

/** The move that all values in `closedRevised` exceed: 0.5 % if some exchange rates moved by 5 % or less, else 5 %. */
const limitOf = ({ closedFar, closedRevised }: MetricChanges) =>
  closedFar < closedRevised ? '0.5 %' : '5 %';

const revisedWords = ({ revised, values: total }: CountryRevised, limit: string) => {
  const values = total === 1 ? 'the only value' : `${count(revised)} of ${count(total)} values`;
  return `${values} in closed years ${revised === 1 ? 'was' : 'were'} revised by more than ${limit}`;
};

function revisionText({ key, from, to, relative }: Revision, withCountry: boolean): string {
  const by = relative === null ? '' : ` (${change(relative)})`;
  const figures = from === null || to === null ? [exact(from), exact(to)] : exactPair(from, to);
  return `${withCountry ? `${key.country} ` : ''}${key.year} ${figures.join(' → ')}${by}`;
}
