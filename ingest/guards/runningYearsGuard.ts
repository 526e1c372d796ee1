// Judges figures of running years, which grow every month if a source reports the year to date.

import { groupBy, onlyOf } from '../../src/basics/lists.ts';
import type { Comparison } from '../compare/comparisonTypes.ts';
import { isRunningYear } from '../compare/comparisonYears.ts';
import { logDistance } from '../compare/ratios.ts';
import type { RunningMove, Total } from '../compare/totalTypes.ts';
import { amountText, changeText, counted, listed } from '../messages/numbers.ts';
import type { GuardSeverity } from './finding.ts';
import type { Guard, GuardContext, PatternVerdict, Suspicion } from './guard.ts';
import { explainedGrowth, isGrowthExplained } from './runningYearGrowth.ts';
import { movedTotals } from './totalsGuard.ts';

const MOST_COUNTRIES_NAMED = 3;

const shareOf = ({ before, after }: RunningMove) => after / before - 1;

/** A country's move, with its severity. */
export interface JudgedRunningMove {
  readonly move: RunningMove;
  /** Null if the months since the earlier side explain the move, or if the country fell by little. */
  readonly severity: GuardSeverity | null;
}

interface AboutRunningMoves {
  /** How the countries moved. `filling`: the months explain their growth. */
  readonly how: 'too far' | 'fell' | 'filling';
  /** One country or more, the one that moved most first. */
  readonly moves: readonly RunningMove[];
}

/** Countries that fell, countries that grew too far, and in one line the countries whose growth the months explain. */
export const runningYearsGuard: Guard<JudgedRunningMove, AboutRunningMoves> = {
  find: ({ runningMoves }, context) =>
    runningMoves.map((move) => ({ move, severity: severityOfMove(move, context) })),
  gather: (found, dataset, context) => {
    const { comparison, patternsOf } = context;
    const suspects = suspectsAmong(found);
    const filling = movedTotals(dataset, context)
      .moved.map(({ total }) => total)
      .filter((total) => isRunningYearTotal(total, found, patternsOf[dataset.dataset], comparison));
    return [...suspicionsOf(suspects), ...suspicionsOfGrowth(found, suspects, filling)].map((one) => ({
      ...one,
      rule: 'totals',
      country: onlyOf(one.about.moves.map(({ country }) => country)),
    }));
  },
  words: ({ how, moves }, _, { before }) => {
    const [{ country, fx, year, before: from, after: to }] = moves as readonly [RunningMove];
    const what = {
      'too far': `grew by more than the months since ${before.id} explain`,
      fell: 'fell, although its figures still come in',
      filling: 'grew, as its figures still come in',
    }[how];
    const size = `${fx}: ${amountText(from)} → ${amountText(to)} (${changeText(to / from - 1)})`;
    if (moves.length === 1) return { message: `${country}: its total of ${year} ${what}, most in ${size}` };
    const others = listed(
      moves.slice(1).map((move) => move.country),
      MOST_COUNTRIES_NAMED,
    );
    return {
      message: `${counted(moves.length, 'country', 'countries')}: totals of ${year} ${what}, most that of ${country} in ${size}; also ${others}`,
    };
  },
};

type SuspectMove = JudgedRunningMove & { readonly severity: GuardSeverity };

/**
 * The moves that the months do not explain: of each country and year the refused ones if there are any, and of these the
 * largest.
 */
function suspectsAmong(found: readonly JudgedRunningMove[]): readonly SuspectMove[] {
  return [...groupBy(found, ({ move }) => countryYear(move)).values()].flatMap((moves) => {
    const judged = moves.filter((one): one is SuspectMove => one.severity !== null);
    const refused = judged.filter(({ severity }) => severity === 'refuse');
    return (refused.length > 0 ? refused : judged)
      .toSorted((a, b) => sizeOf(b.move) - sizeOf(a.move))
      .slice(0, 1);
  });
}

type SeverityAndAbout = Pick<Suspicion<AboutRunningMoves>, 'severity' | 'about'>;

function suspicionsOf(suspects: readonly SuspectMove[]): readonly SeverityAndAbout[] {
  const alike = groupBy(
    suspects,
    ({ move, severity }) => `${severity} ${move.metric} ${move.year} ${shareOf(move) > 0}`,
  );
  return [...alike.values()].flatMap((group): readonly SeverityAndAbout[] => {
    const [{ severity, move }] = group;
    const moves = largestFirst(group.map((one) => one.move));
    const how = shareOf(move) > 0 ? 'too far' : 'fell';
    const together = moves.length > MOST_COUNTRIES_NAMED ? [moves] : moves.map((one) => [one]);
    return together.map((some) => ({ severity, about: { how, moves: some } }));
  });
}

/** For each year of the totals, the countries whose growth the months explain. */
function suspicionsOfGrowth(
  found: readonly JudgedRunningMove[],
  suspects: readonly SuspectMove[],
  totals: readonly Total[],
): readonly SeverityAndAbout[] {
  const isSuspect = ({ country, year }: RunningMove) =>
    suspects.some(({ move }) => move.country === country && move.year === year);
  return [...new Set(totals.map(({ year }) => year))].flatMap((year): readonly SeverityAndAbout[] => {
    const all = found
      .map(({ move }) => move)
      .filter((move) => move.year === year && shareOf(move) > 0 && !isSuspect(move));
    const moves = [...groupBy(all, countryYear).values()].flatMap((ofCountry) =>
      largestFirst(ofCountry).slice(0, 1),
    );
    return moves.length === 0
      ? []
      : [{ severity: 'warn', about: { how: 'filling', moves: largestFirst(moves) } }];
  });
}

/** Whether a refused verdict is about the reported figures of a country in a year. */
export const isCountryYearRefused = (
  patterns: readonly PatternVerdict[],
  { country, metric, year }: Pick<RunningMove, 'country' | 'metric' | 'year'>,
): boolean =>
  patterns.some(
    ({ severity, pattern: { place, forecast, metric: judgedMetric } }) =>
      severity === 'refuse' &&
      !forecast &&
      (judgedMetric === null || judgedMetric === metric) &&
      (place.country === undefined || place.country === country) &&
      (place.year === undefined || place.year === year),
  );

/**
 * Whether a total of a running year moved because figures came in, or because of a country that is refused.
 *
 * @param found The moves of countries that no verdict explains.
 */
export function isRunningYearTotal(
  total: Total,
  found: readonly JudgedRunningMove[],
  patterns: readonly PatternVerdict[],
  comparison: Comparison,
): boolean {
  const { year, mover } = total;
  if (!isRunningYear(year, comparison.after.month)) return false;
  const isRefused = suspectsAmong(found).some(
    ({ move, severity }) => severity === 'refuse' && move.year === year && move.country === mover?.country,
  );
  const byReported =
    mover !== null && isCountryYearRefused(patterns, { ...total, country: mover.country }) ? mover.by : 0;
  return (
    (total.fx !== null && !total.forecast && isRefused) || isGrowthExplained(total, comparison, byReported)
  );
}

const countryYear = ({ metric, country, year }: RunningMove) => `${metric} ${country} ${year}`;

const sizeOf = ({ before, after }: RunningMove) =>
  after <= 0 ? Number.POSITIVE_INFINITY : logDistance(after, before);

const largestFirst = (moves: readonly RunningMove[]): readonly RunningMove[] =>
  moves.toSorted((a, b) => sizeOf(b) - sizeOf(a));

/** The severity of a country's move. Null if the months since the earlier side explain it, or if it fell by little. */
function severityOfMove(move: RunningMove, { comparison, limits }: GuardContext): GuardSeverity | null {
  const share = shareOf(move);
  if (share > 0) return share > explainedGrowth(move.year, comparison) ? 'refuse' : null;
  if (share <= -limits.totals.refuse) return 'refuse';
  return share <= -limits.country.warn ? 'warn' : null;
}
