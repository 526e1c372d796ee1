// Finds totals that moved too far, for the guards `totals` and `closed-years`, and writes their messages.

import { onlyOf } from '../../src/basics/lists.ts';
import { addTo } from '../../src/basics/maps.ts';
import type { Comparison, DatasetComparison } from '../compare/comparisonTypes.ts';
import type { Pattern } from '../compare/patterns/patternTypes.ts';
import type { IntroducedRows, Total } from '../compare/totalTypes.ts';
import { count, percent } from '../messages/numbers.ts';
import { MANY_COUNTRIES } from './completeness.ts';
import { explainsTotal } from './explainsTotal.ts';
import type { GuardSeverity, Rule } from './finding.ts';
import {
  appearedIn,
  type Band,
  type Guard,
  type GuardContext,
  type GuardLimits,
  isGone,
  type Suspicion,
  severityOf,
  worstOf,
} from './guard.ts';
import { type MovedTotal, movedTotalsText, TOTAL_RULES, type TotalRule } from './movedTotal.ts';
import type { Renaming } from './renamings.ts';
import { isGrowthExplained } from './runningYearGrowth.ts';

interface AboutTotals {
  readonly rule: TotalRule;
  readonly totals: readonly MovedTotal[];
  /** The share from which on totals have this severity. */
  readonly limit: number;
  /**
   * If a refusal also mentions the totals that are only warned of: their number, and the share from which on totals are
   * warned of. Else null.
   */
  readonly milder: { readonly count: number; readonly limit: number } | null;
}

/** One suspicion for all totals that a rule refuses, and one for all totals that it warns of. */
export const totalsGuard: Guard<MovedTotal, AboutTotals> = {
  find: (dataset, context) => movedTotals(dataset, context).moved,
  gather: (found, dataset, { limits }) =>
    TOTAL_RULES.flatMap((rule) => {
      const own = found.filter(({ rules }) => rules[0] === rule);
      return suspicionsOf(rule, own, dataset, bandsOf(null, dataset, limits)[rule]);
    }),
  words: ({ rule, totals: moved, limit, milder }, dataset) => {
    const more = milder === null ? '' : ` and ${count(milder.count)} by ${percent(milder.limit)} or more`;
    const noun = rule === 'totals' ? 'total' : 'closed-year total';
    return movedTotalsText(moved, `${percent(limit)} or more${more}`, noun, dataset);
  },
};

function suspicionsOf(
  rule: TotalRule,
  found: readonly MovedTotal[],
  dataset: DatasetComparison,
  band: Band,
): readonly Suspicion<AboutTotals>[] {
  const [refused, warned] = [
    found.filter(({ severity }) => severity === 'refuse'),
    found.filter(({ severity }) => severity === 'warn'),
  ];
  // The refusal also counts the totals of the warning, if both are about the same country, or both about several.
  const isTogether =
    refused.length > 0 && warned.length > 0 && onlyMover(refused, dataset) === onlyMover(warned, dataset);
  const suspicionOf = (
    severity: GuardSeverity,
    moved: readonly MovedTotal[],
    milder: AboutTotals['milder'],
  ): Suspicion<AboutTotals>[] =>
    moved.length === 0
      ? []
      : [
          {
            rule,
            severity,
            country: onlyMover(moved, dataset),
            otherRules: TOTAL_RULES.filter(
              (one) => one !== rule && moved.every(({ rules }) => rules.includes(one)),
            ),
            about: { rule, totals: moved, limit: band[severity], milder },
          },
        ];
  return [
    ...suspicionOf('refuse', refused, isTogether ? { count: warned.length, limit: band.warn } : null),
    ...suspicionOf('warn', isTogether ? [] : warned, null),
  ];
}

/**
 * The country that accounts for most of the move of every one of these totals. Null when there is no such country, and
 * in a dataset of few countries.
 */
const onlyMover = (moved: readonly MovedTotal[], { countries }: DatasetComparison): string | null =>
  countries >= MANY_COUNTRIES && moved.every(isMovedByOneCountry)
    ? onlyOf(moved.map(({ total }) => total.mover?.country ?? null))
    : null;

/**
 * The totals that moved too far. Those in `introduced` did so only because of rows with a value that is new to their
 * country. All totals are judged with and without such rows. The milder judgement counts.
 */
export function movedTotals(
  dataset: DatasetComparison,
  { comparison, limits, renamings }: GuardContext,
): { readonly moved: readonly MovedTotal[]; readonly introduced: readonly MovedTotal[] } {
  const renamed = renamings.in(dataset.dataset);
  const introducedTo = introducedAmounts(dataset.introduced);
  const [moved, introduced]: [MovedTotal[], MovedTotal[]] = [[], []];
  for (const each of dataset.totals) {
    const total = withoutRenamed(each, renamed);
    const bands = bandsOf(total, dataset, limits);
    const found = judgedTotal(total, dataset, comparison, bands);
    if (found === null) continue;
    const by = introducedTo(each);
    const rest =
      by === 0
        ? found
        : judgedTotal({ ...total, after: (total.after ?? 0) - by }, dataset, comparison, bands);
    if (rest === null) introduced.push(found);
    else moved.push(rest.severity === found.severity ? found : { ...found, severity: 'warn' });
  }
  return { moved, introduced };
}

const totalKey = ({ metric, fx, year, forecast }: Pick<Total, 'metric' | 'fx' | 'year' | 'forecast'>) =>
  `${metric} ${fx} ${year} ${forecast}`;

/** A function that gives the amount that rows with a value new to their country add to a total. */
function introducedAmounts({ amounts }: IntroducedRows): (total: Total) => number {
  const sums = new Map<string, number>();
  for (const one of amounts) addTo(sums, totalKey(one), one.by);
  return (total) => sums.get(totalKey(total)) ?? 0;
}

type Bands = Readonly<Record<TotalRule, Band>>;

/**
 * The factors by which limits are larger in a dataset of few countries. A revision of one country moves their total by a
 * few percent. Among many countries, revisions even out.
 */
const LIMIT_FACTORS_OF_FEW: Readonly<Record<TotalRule, Band>> = {
  totals: { warn: 3, refuse: 1 },
  'closed-years': { warn: 6, refuse: 3 },
};

/**
 * The limits for a total. In a dataset of many countries, a total of one country alone has at least the limits for
 * countries. Forecasts are expected to move, so warnings about them begin at the limit for refusals.
 *
 * @param total Null gives the limits for a total of several countries.
 */
function bandsOf(total: Total | null, dataset: DatasetComparison, limits: GuardLimits): Bands {
  const areFew = dataset.countries < MANY_COUNTRIES;
  const isOwn = total !== null && total.countries === 1 && !areFew;
  const least = isOwn ? limits.country : { warn: 0, refuse: 0 };
  const band = ({ warn, refuse }: Band, rule: TotalRule): Band => {
    const times = areFew ? LIMIT_FACTORS_OF_FEW[rule] : { warn: 1, refuse: 1 };
    const met = {
      warn: Math.max(times.warn * warn, least.warn),
      refuse: Math.max(times.refuse * refuse, least.refuse),
    };
    return total?.forecast === true ? { warn: met.refuse, refuse: met.refuse } : met;
  };
  return {
    totals: band(limits.totals, 'totals'),
    'closed-years': band(limits.closedYears, 'closed-years'),
  };
}

/** How severely a total moved, and which rules object; null when none does. */
function judgedTotal(
  total: Total,
  dataset: DatasetComparison,
  { closedBefore }: Comparison,
  bands: Bands,
): MovedTotal | null {
  if (isGoneWithItsValue(total, dataset)) return null;
  const after = total.after ?? 0;
  const share = shareMoved(total.before, after);
  const fresh = amountOfNewCountries(total, dataset);
  // The summary already names new countries, so only a large one needs a warning.
  const isFreshSmall = shareMoved(total.before, (total.before ?? 0) + fresh) < NEWCOMERS_SHARE;
  // The amounts of countries that joined the total are no growth, so they are subtracted. Countries report a year up to
  // twelve months late, so in late years any country may join. In earlier years only new countries may, unless they add
  // more than the whole total: then their figures may be in another unit.
  const plausible = fresh <= Math.abs(total.before ?? 0) ? fresh : 0;
  const isLateYear = total.year >= closedBefore - 1;
  const joining = isLateYear ? total.joined : plausible;
  const ownShare = shareMoved(total.before, after - joining);
  // Late reports of known countries do not count here, because the patterns of new years compare them with the year before.
  const late = isLateYear ? total.joined - fresh : 0;
  const shareOfKnown = shareMoved(total.before, after - late - (isFreshSmall ? fresh : 0));
  // Forecasts are expected to move, and a change from 0 has no meaningful share.
  const onlyWarns = total.forecast || total.before === 0;
  const severities = TOTAL_RULES.map((rule) => {
    if (rule === 'closed-years' && (!total.closed || total.forecast)) return null;
    const own = severityOf(ownShare, bands[rule]);
    if (own === null && severityOf(shareOfKnown, bands[rule]) === null) return null;
    return onlyWarns ? 'warn' : (own ?? 'warn');
  });
  const worst = worstOf(severities);
  if (worst === null) return null;
  return { total, share, severity: worst, rules: TOTAL_RULES.filter((_, i) => severities[i] === worst) };
}

/** The share of a total from which on new countries are worth a warning. */
const NEWCOMERS_SHARE = 0.15;

/** The amount that new countries add. The dataset had no rows of them in any year. */
function amountOfNewCountries({ joiners }: Total, dataset: DatasetComparison): number {
  const appeared = appearedIn(dataset, 'country');
  return joiners
    .filter(({ country }) => appeared.some(({ value }) => value === country))
    .reduce((sum, { by }) => sum + by, 0);
}

/**
 * The total without countries that joined it because they were renamed. The guard `renamed` reports these. Both names of a
 * renamed country count as movers. If one of them moved the total most, `mover` becomes null.
 */
function withoutRenamed(total: Total, renamed: readonly Renaming[]): Total {
  const pairs = renamed.filter(({ dimension }) => dimension === 'country');
  if (pairs.length === 0) return total;
  const joiners = total.joiners.filter(({ country }) => !pairs.some(({ to }) => to === country));
  const isMoverKnown = !pairs.some(({ from, to }) => [from, to].includes(total.mover?.country ?? ''));
  const joined = joiners.reduce((sum, { by }) => sum + by, 0);
  return { ...total, joiners, joined, mover: isMoverKnown ? total.mover : null };
}

/**
 * Whether the countries in `named` explain the move of a total: the country that moved it most is one of them, and what the
 * other countries moved is below the limit for warnings. A finding about these countries then stands for the total.
 *
 * @param named By default, only the country that moved the total most.
 */
export function isMovedByCountries(
  { total: { mover, movers, before, after }, rules: [rule = 'totals'] }: MovedTotal,
  { dataset, limits }: Pick<GuardContext, 'limits'> & { readonly dataset: DatasetComparison },
  named: ReadonlySet<string> = new Set(mover === null ? [] : [mover.country]),
): boolean {
  if (mover === null || !named.has(mover.country)) return false;
  const by = movers.reduce((sum, one) => sum + (named.has(one.country) ? one.by : 0), 0);
  const rest = (after ?? 0) - (before ?? 0) - by;
  return Math.abs(rest) < bandsOf(null, dataset, limits)[rule].warn * Math.abs(before ?? 0);
}

/** Whether a pattern of reported figures of many countries explains a total that is refused. */
export const explainsRefusedTotal = (
  pattern: Pattern,
  dataset: DatasetComparison,
  context: GuardContext,
): boolean =>
  (pattern.family === 'moved' || pattern.family === 'factor') &&
  !pattern.forecast &&
  pattern.place.country === undefined &&
  movedTotals(dataset, context).moved.some(
    (one) =>
      one.severity === 'refuse' &&
      !one.total.forecast &&
      !isGrowthExplained(one.total, context.comparison) &&
      explainsTotal(pattern, one),
  );

/** The rules about totals that would also refuse the move of this country. */
export function totalRulesRefusing(
  country: string,
  dataset: DatasetComparison,
  { comparison, limits }: GuardContext,
): readonly Rule[] {
  const found = dataset.totals
    .filter(({ mover }) => mover?.country === country)
    .flatMap((total) => {
      const moved = judgedTotal(total, dataset, comparison, bandsOf(total, dataset, limits));
      return moved !== null && moved.severity === 'refuse' && isMovedByOneCountry(moved) ? moved.rules : [];
    });
  return TOTAL_RULES.filter((rule) => found.includes(rule));
}

/** Whether one country accounts for at least nine tenths of the move. */
const isMovedByOneCountry = ({ total: { before, after, mover } }: MovedTotal) =>
  mover !== null && Math.abs(mover.by) >= 0.9 * Math.abs((after ?? 0) - (before ?? 0));

/**
 * The share by which a total moved: (after − before) ÷ |before|. It is 0 for a new total, and infinite for a total that was
 * 0. `after` is 0 for a total that is gone.
 */
function shareMoved(before: number | null, after: number): number {
  if (before === null || before === after) return 0;
  return before === 0 ? Number.POSITIVE_INFINITY : (after - before) / Math.abs(before);
}

/** Whether a total is gone with its year or currency. The guard `vanished` reports that. */
const isGoneWithItsValue = ({ fx, year, after }: Total, dataset: DatasetComparison) =>
  after === null && (isGone(dataset, 'year', year) || isGone(dataset, 'fx', fx));
