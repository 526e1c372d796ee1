// Judges figures of running years, which grow every month if a source reports the year to date.

import { groupBy } from '../../src/groupBy.ts';
import { distance } from '../compare/ratios.ts';
import type { RunningMove, Total } from '../compare/totalTypes.ts';
import type { Comparison, DatasetComparison } from '../compare/types.ts';
import { isRunning } from '../compare/years.ts';
import { amount, change, counted, listed } from '../messages/numbers.ts';
import type { Severity } from './finding.ts';
import type { GuardInput, Suspicion } from './guard.ts';

/** At least this many months of growth are explained, because sources that report quarters bring three months at once. */
const QUARTER = 3;

/** The number of months by which a source may be late. */
const MOST_LATE = 4;

/** The fewest months that the earlier figures of a year are assumed to cover. Fewer would explain nearly any growth. */
const FEWEST_COVERED = 3;

/** A month may grow a total by this many times an average month, because markets grow and have seasons. */
const SEASONS = 1.2;

/** The number of countries that are named one by one. */
const NAMED = 3;

/** The largest growth of a year's figures that the months since the earlier side explain, as a share: 0.5 is by half. */
export function explainedGrowth(year: number, { before, after }: Comparison): number {
  const from = monthsFrom(year, before.month);
  const elapsed = monthsFrom(year, after.month) - from;
  return (SEASONS * Math.max(QUARTER, elapsed)) / Math.max(FEWEST_COVERED, from - MOST_LATE);
}

/** The number of a month counted from the beginning of a year: 6 for June of it, 13 for January of the next year. */
const monthsFrom = (year: number, month: string) =>
  12 * (Number(month.slice(0, 4)) - year) + Number(month.slice(5, 7));

const shareOf = ({ before, after }: RunningMove) => after / before - 1;

/** The moves of a dataset's running years. */
export interface RunningYears {
  /**
   * Countries that fell, or grew by more than the months since the earlier side explain. Each country is listed with the
   * currency that moved most.
   */
  readonly suspects: readonly Suspect[];
  /** The moves upwards that the months since the earlier side explain, without countries that another finding refuses. */
  readonly grown: readonly RunningMove[];
  /** Whether a total moved because figures came in, or because of a country that is refused. */
  readonly explains: (total: Total) => boolean;
}

interface Suspect {
  readonly move: RunningMove;
  readonly severity: Severity;
}

/** Judges the moves of a dataset's running years. */
export function runningYears(dataset: DatasetComparison, input: GuardInput): RunningYears {
  const { comparison, verdicts } = input;
  const isReported = ({ country, metric, year }: Pick<RunningMove, 'country' | 'metric' | 'year'>) =>
    verdicts.some(
      ({ severity, pattern: { place, forecast, metric: judgedMetric } }) =>
        severity === 'refuse' &&
        !forecast &&
        (judgedMetric === null || judgedMetric === metric) &&
        (place.country === undefined || place.country === country) &&
        (place.year === undefined || place.year === year),
    );
  const suspects = [...groupBy(dataset.runningMoves, countryYear).values()].flatMap((moves) => {
    const judged = moves.flatMap((move) => {
      const severity = isReported(move) ? null : severityOf(move, input);
      return severity === null ? [] : [{ move, severity }];
    });
    const refused = judged.filter(({ severity }) => severity === 'refuse');
    return (refused.length > 0 ? refused : judged)
      .toSorted((a, b) => sizeOf(b.move) - sizeOf(a.move))
      .slice(0, 1);
  });
  const explains = (total: Total): boolean => {
    const { year, mover } = total;
    if (!isRunning(year, comparison.after.month)) return false;
    const isRefused = suspects.some(
      ({ move, severity }) => severity === 'refuse' && move.year === year && move.country === mover?.country,
    );
    const byReported = mover !== null && isReported({ ...total, country: mover.country }) ? mover.by : 0;
    return (total.fx !== null && !total.forecast && isRefused) || isFilling(total, comparison, byReported);
  };
  const isSuspect = ({ country, year }: RunningMove) =>
    suspects.some(({ move }) => move.country === country && move.year === year);
  const grown = dataset.runningMoves.filter(
    (move) => shareOf(move) > 0 && !isSuspect(move) && !isReported(move),
  );
  return { suspects, grown, explains };
}

/** Whether the months since the earlier side explain the growth of a total, because further figures of its year came in. */
export function isFilling(
  { fx, year, forecast, before, after, joined }: Total,
  comparison: Comparison,
  byOthers = 0,
): boolean {
  if (forecast || fx === null || before === null || after === null || before <= 0) return false;
  if (!isRunning(year, comparison.after.month)) return false;
  const grown = (after - joined - byOthers) / before - 1;
  return grown > 0 && grown <= explainedGrowth(year, comparison);
}

const countryYear = ({ metric, country, year }: RunningMove) => `${metric} ${country} ${year}`;

const sizeOf = ({ before, after }: RunningMove) =>
  after <= 0 ? Number.POSITIVE_INFINITY : distance(after, before);

/** The severity of a country's move. Null if the months since the earlier side explain it, or if it fell by little. */
function severityOf(move: RunningMove, { comparison, limits }: GuardInput): Severity | null {
  const share = shareOf(move);
  if (share > 0) return share > explainedGrowth(move.year, comparison) ? 'refuse' : null;
  if (share <= -limits.totals.refuse) return 'refuse';
  return share <= -limits.country.warn ? 'warn' : null;
}

/** The suspicions: countries that fell, countries that grew too far, and in one line the countries whose growth is explained. */
export function movedRunningYears(
  { comparison }: GuardInput,
  { suspects, grown: all }: RunningYears,
  grownTotals: readonly Total[],
): readonly Suspicion[] {
  const ofKind = groupBy(
    suspects,
    ({ move, severity }) => `${severity} ${move.metric} ${move.year} ${shareOf(move) > 0}`,
  );
  const suspected = [...ofKind.values()].flatMap((group): readonly Suspicion[] => {
    const [{ severity, move }] = group;
    const moves = group.map((one) => one.move).toSorted((a, b) => sizeOf(b) - sizeOf(a));
    const what =
      shareOf(move) > 0
        ? `grew by more than the months since ${comparison.before.id} explain`
        : 'fell, although its figures still come in';
    return moves.length > NAMED
      ? [{ severity, ...words(moves, what) }]
      : moves.map((one) => ({ severity, ...words([one], what) }));
  });
  const years = [...new Set(grownTotals.map(({ year }) => year))];
  const grown = years.flatMap((year): readonly Suspicion[] => {
    const moves = all.filter((move) => move.year === year);
    const largest = [...groupBy(moves, countryYear).values()].flatMap((ofCountry) =>
      ofCountry.toSorted((a, b) => sizeOf(b) - sizeOf(a)).slice(0, 1),
    );
    if (largest.length === 0) return [];
    const sorted = largest.toSorted((a, b) => sizeOf(b) - sizeOf(a));
    return [{ severity: 'warn', ...words(sorted, 'grew, as its figures still come in') }];
  });
  return [...suspected, ...grown];
}

/** The message about the moves of countries. The first one must be the largest. */
function words(moves: readonly RunningMove[], what: string): Pick<Suspicion, 'message' | 'country'> {
  const [{ country, fx, year, before, after }] = moves as readonly [RunningMove];
  const size = `${fx}: ${amount(before)} → ${amount(after)} (${change(after / before - 1)})`;
  if (moves.length === 1)
    return { message: `${country}: its total of ${year} ${what}, most in ${size}`, country };
  const others = listed(
    moves.slice(1).map((move) => move.country),
    NAMED,
  );
  const message = `${counted(moves.length, 'country', 'countries')}: totals of ${year} ${what}, most that of ${country} in ${size}; also ${others}`;
  return { message, country: null };
}
