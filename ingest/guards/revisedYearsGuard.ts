// Guard `closed-years`, for metrics that do not add up: many values of years that had ended were revised.

import { groupBy } from '../../src/basics/lists.ts';
import { metricNames, metricUnit } from '../../src/catalog/datasets.ts';
import type {
  Comparison,
  CountryRevised,
  DatasetComparison,
  MetricChanges,
} from '../compare/comparisonTypes.ts';
import type { Revision } from '../compare/revision.ts';
import { changeText, count, counted, exact, exactPair, listed, percent } from '../messages/numbers.ts';
import { MANY_COUNTRIES } from './completeness.ts';
import type { GuardSeverity } from './finding.ts';
import type { Guard, GuardContext } from './guard.ts';

/**
 * Warnings begin at this share of the limit for refusals. In an ordinary month, statistical offices publish fewer
 * revisions.
 */
const WARNING_SHARE = 0.8;

/** A country's series counts as replaced if at least this number and this share of its values were revised. */
const FEWEST_REVISED = 5;
const REVISED_SHARE = 0.5;

/** Metrics of which many values of closed years were revised. */
export interface RevisedMetrics {
  /** One metric, or several rates with the same revisions. */
  readonly metrics: readonly string[];
  readonly changes: MetricChanges;
  readonly severity: GuardSeverity;
  /**
   * The country that the finding is about: the one with the largest share of revised values. Null for several countries.
   */
  readonly mostRevised: CountryRevised | null;
  /** The share of revised values from which on the guard refuses. */
  readonly refuse: number;
}

/** Counts the revised values of metrics that do not add up. `totalsGuard` and `countryMovesGuard` examine the others. */
export const revisedYearsGuard: Guard<RevisedMetrics, RevisedMetrics> = {
  find: (dataset, context) => {
    const added = new Set(dataset.totals.map(({ metric }) => metric));
    const others = metricNames(dataset.dataset).filter((metric) => !added.has(metric));
    return metricsRevisedAlike(others, dataset).flatMap(
      (alike) => muchRevised(alike, dataset, context) ?? [],
    );
  },
  gather: (found) =>
    found.map((about) => ({
      rule: 'closed-years',
      severity: about.severity,
      country: about.mostRevised?.country ?? null,
      about,
    })),
  words: ({ metrics, changes, mostRevised, refuse }, { dataset }) => {
    if (mostRevised === null) return { message: manyRevised(listed(metrics), changes, refuse) };
    const largest =
      dataset === 'fx' ? `: ${changes.closedLargest.map((one) => revisionText(one, false)).join(', ')}` : '';
    return {
      message: `${listed(metrics)}, ${mostRevised.country}: ${revisedWords(mostRevised, limitOf(changes))}${largest}`,
    };
  },
};

/**
 * The metrics in groups. Rates to the dollar and to the euro are one group when all revisions of both are of the same
 * country, and equally many.
 */
function metricsRevisedAlike(
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

function muchRevised(
  metrics: readonly [string, ...string[]],
  dataset: DatasetComparison,
  { comparison, limits }: GuardContext,
): RevisedMetrics | null {
  const [metric] = metrics;
  const changes = dataset.metrics[metric];
  // The country with the largest share of revised values.
  const mostRevised = changes?.closedMost;
  if (changes === undefined || !mostRevised || changes.closedRevised === 0) return null;
  const { refuse } = limits.closedYears;
  const found = { metrics, changes, severity: 'warn', mostRevised, refuse } as const;
  // A single country may rebase its series. In a dataset with many countries, the dataset is not at fault.
  const isOfOneCountry = mostRevised.revised === changes.closedRevised && dataset.countries >= MANY_COUNTRIES;
  // Exchange rates of a year that has ended do not change.
  const isRate = dataset.dataset === 'fx';
  if (isRate && isOfOneCountry)
    return areReportedAsRelation(metrics, changes, mostRevised, comparison) ? null : found;
  const share = changes.closedFar / changes.closedValues;
  if (isRate || (!isOfOneCountry && share >= WARNING_SHARE * refuse))
    return { ...found, metrics: [metric], severity: share >= refuse ? 'refuse' : 'warn', mostRevised: null };
  // Amounts are reported by patterns, so only percentages are left.
  const isPercent = metricUnit(dataset.dataset, metric) === 'percent';
  const isReplaced =
    mostRevised.revised >= FEWEST_REVISED && mostRevised.revised >= REVISED_SHARE * mostRevised.values;
  return isPercent && isReplaced ? { ...found, metrics: [metric] } : null;
}

/** Whether rates of one country moved by little, and the guard `relations` names figures that did not follow them. */
function areReportedAsRelation(
  metrics: readonly string[],
  changes: MetricChanges,
  { country }: CountryRevised,
  { relations }: Comparison,
): boolean {
  const related = relations.filter((one) => one.dataset === 'fx' && one.country === country && !one.forecast);
  const currencies = related.flatMap(({ currency }) => currency?.toLowerCase().split(', ') ?? []);
  const isRelated = (rate: string) => currencies.some((currency) => rate.endsWith(`_${currency}`));
  return changes.closedFar === 0 && metrics.every(isRelated);
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
  const by = relative === null ? '' : ` (${changeText(relative)})`;
  const figures = from === null || to === null ? [exact(from), exact(to)] : exactPair(from, to);
  return `${withCountry ? `${key.country} ` : ''}${key.year} ${figures.join(' → ')}${by}`;
}
