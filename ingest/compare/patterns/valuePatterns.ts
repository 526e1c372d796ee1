// Finds patterns of values that became zero or empty, changed their sign, leapt or moved, and of rows that vanished.

import { type DimensionName, metricUnit } from '../../../src/catalog/datasets.ts';
import { digitsOf } from '../../figures/digits.ts';
import type { DimensionChange } from '../comparisonTypes.ts';
import { SUSPICIOUS_MOVE } from '../revision.ts';
import { CHANGE_KIND, isForecastRow, isNonZero } from '../rows/matchedRows.ts';
import { type Change, cellsByMetric, type MetricCells, type PatternSearch } from './cellChanges.ts';
import { describePattern, totalKey } from './describePattern.ts';
import { explainingGroups } from './explainingGroups.ts';
import type { Pattern, PatternFamily } from './patternTypes.ts';

/** A move of a forecast is suspicious from this share on. Forecasts are expected to move, but rarely by so much. */
const FORECAST_MOVE = 0.5;

/** The factor from which on a move of a first report, or of a figure of a year that is not closed, is suspicious. */
const FIRST_REPORT_FACTOR = 5;

/** Moves of a country count if their sum is at least this share of the country's total in some year and currency. */
const LEAST_EFFECT = 0.01;

/**
 * The factor from which on a move, up or down, is a leap and no revision. It is a little less than ten, because figures are
 * rounded: a tenth of 18,802,885 in whole units is 1,880,289.
 */
const LEAP_FACTOR = 10 * (1 - 1e-5);

interface ValueStep {
  readonly family: PatternFamily;
  /** Whether a revised value changed in this manner. A missing value is NaN. */
  readonly isMet: (
    from: number,
    to: number,
    flags: { readonly settled: boolean; readonly forecast: boolean },
  ) => boolean;
  /** Whether an earlier value could have changed in this manner. */
  readonly couldMeet: (value: number) => boolean;
}

const differsBy = (factor: number, from: number, to: number) => to / from >= factor || from / to >= factor;
const isLeap = (from: number, to: number) => differsBy(LEAP_FACTOR, from, to);
/**
 * Whether a percentage became its opposite, because a minus was lost or added. An honest revision changes the digits as
 * well.
 */
const isOtherSign = (from: number, to: number) => to === -from && Math.abs(from) >= LEAST_PERCENTAGE_POINTS;

/** A percentage must be at least this far from 0. A smaller one may be revised to its opposite. */
const LEAST_PERCENTAGE_POINTS = 0.5;

/** Whether a percentage leapt, because it became an index of prices, or its decimal point was lost or moved. */
const isLeapOfPercent = (from: number, to: number, { settled }: { readonly settled: boolean }) =>
  (settled && isPointMoved(from, to)) ||
  (Math.abs(to - from) >= (settled ? SETTLED_LEAP_POINTS : LEAP_POINTS) &&
    Math.max(Math.abs(to), Math.abs(from)) >=
      LEAP_FACTOR_OF_PERCENT * Math.min(Math.abs(to), Math.abs(from)));

/**
 * Whether one percentage is a tenth of the other, by `LEAST_PERCENTAGE_POINTS` or more. It may be rounded to its last
 * digit: 3.7 and 0.4.
 */
function isPointMoved(from: number, to: number): boolean {
  const [less = 0, more = 0] = [Math.abs(from), Math.abs(to)].sort((a, b) => a - b);
  const unit = Math.min(digitsOf(less).unit, LARGEST_UNIT);
  return (
    from * to > 0 &&
    more - less >= LEAST_PERCENTAGE_POINTS &&
    Math.abs(more / 10 - less) <= (unit / 2) * (1 + 1e-9)
  );
}

/** Percentages are published to this unit, or to a smaller one. */
const LARGEST_UNIT = 0.1;

/**
 * A percentage leaps when it moves by at least this factor and this many points. Forecasts of high inflation move by less.
 */
const LEAP_FACTOR_OF_PERCENT = 5;
const LEAP_POINTS = 20;
/**
 * A reported percentage of a closed year leaps from this number of points on. Such percentages are seldom revised by a
 * point.
 */
const SETTLED_LEAP_POINTS = 5;

const isNumber = (value: number) => !Number.isNaN(value);

const EMPTIED: ValueStep = {
  family: 'emptied',
  isMet: (from, to) => isNumber(from) && !isNumber(to),
  couldMeet: isNumber,
};

/**
 * The steps of amounts. A cell belongs to the first step that it fits. A group of moved cells is a leap when at least half
 * of its cells leapt.
 */
const STEPS: readonly ValueStep[] = [
  { family: 'zero', isMet: (from, to) => isNonZero(from) && to === 0, couldMeet: isNonZero },
  EMPTIED,
  { family: 'sign', isMet: (from, to) => from * to < 0, couldMeet: isNonZero },
  {
    family: 'moved',
    isMet: (from, to, { settled, forecast }) => {
      if (from * to <= 0) return false;
      if (!settled && !forecast) return differsBy(FIRST_REPORT_FACTOR, from, to);
      const share = settled ? SUSPICIOUS_MOVE : FORECAST_MOVE;
      return isLeap(from, to) || Math.abs(to - from) >= share * Math.abs(from);
    },
    couldMeet: isNonZero,
  },
];

/**
 * The steps of percentages. A percentage may rightly become zero or move by a large share, so there are no steps for that.
 */
const STEPS_OF_PERCENT: readonly ValueStep[] = [
  EMPTIED,
  { family: 'sign', isMet: isOtherSign, couldMeet: isNonZero },
  { family: 'leap', isMet: isLeapOfPercent, couldMeet: isNumber },
];

/** The patterns of values, metric by metric, separately for reported figures and forecasts. */
export function findValuePatterns(search: PatternSearch): Pattern[] {
  const { changes, matched } = search;
  return cellsByMetric(search, changes.unexplained(CHANGE_KIND.revised)).flatMap((revised) => {
    const isPercent = metricUnit(matched.codes.dataset, revised.metric) === 'percent';
    const steps = isPercent ? STEPS_OF_PERCENT : STEPS;
    return steps.flatMap((step) => patternsOfStep(search, step, revised));
  });
}

/** The patterns of the revised values that fit a step, and that no earlier step has explained. */
function patternsOfStep(
  search: PatternSearch,
  { family, isMet, couldMeet }: ValueStep,
  { metric, metricIndex, forecast, cells }: MetricCells,
): Pattern[] {
  const { matched, changes } = search;
  const { before } = matched;
  const values = before.values(metricIndex);
  const fitting = cells.filter(
    (change) =>
      changes.isExplained[change] === 0 &&
      isMet(changes.old(change), changes.now(change), {
        settled: changes.settled[change] === 1,
        forecast,
      }),
  );
  return suspiciousPatterns(
    search,
    { family, metric, forecast },
    family === 'moved' ? withoutSmallMoves(search, fitting) : fitting,
    (row) => couldMeet(values[row] as number) && isForecastRow(matched, before, row) === forecast,
  );
}

/** The guard `vanished` reports vanished values of these dimensions, so their rows are no pattern. */
const REPORTED_AS_VALUES: readonly DimensionName[] = ['country', 'year', 'fx', 'fx_local_currency'];

/** The patterns of rows that vanished and that no earlier step has explained. */
export function findVanishedRows(search: PatternSearch, dimensions: readonly DimensionChange[]): Pattern[] {
  const { matched, changes } = search;
  const { codes, before } = matched;
  for (const { dimension, vanished } of dimensions) {
    if (!REPORTED_AS_VALUES.includes(dimension) || vanished.length === 0) continue;
    const gone = new Set(vanished.map(({ value }) => codes.codeOf(dimension, value)));
    changes.explain(
      changes.unexplained(CHANGE_KIND.removed, (change) => gone.has(changes.code(dimension, change))),
    );
  }
  return [false, true].flatMap((forecast) =>
    suspiciousPatterns(
      search,
      { family: 'gone', metric: null, forecast },
      changes.unexplained(CHANGE_KIND.removed, (change) => changes.forecast[change] === Number(forecast)),
      (row) => isForecastRow(matched, before, row) === forecast,
    ),
  );
}

/** Leaves out the cells of countries whose moves have too small an effect in every year and currency. */
function withoutSmallMoves(
  { matched: { codes }, changes }: PatternSearch,
  cells: readonly Change[],
): readonly Change[] {
  const keyOf = totalKey(codes);
  const effects = new Map<number | string, number>();
  const concerned = new Set<number>();
  for (const change of cells) {
    const from = changes.old(change);
    const to = changes.now(change);
    const weight = changes.weight[change] as number;
    const country = changes.code('country', change);
    // A leap always counts, and so does a cell of unknown weight.
    if (isLeap(from, to) || Number.isNaN(weight)) concerned.add(country);
    const key = keyOf(...changes.rowOf(change));
    const effect = (effects.get(key) ?? 0) + (Number.isNaN(weight) ? 0 : Math.abs(to / from - 1) * weight);
    effects.set(key, effect);
    if (effect >= LEAST_EFFECT) concerned.add(country);
  }
  return cells.filter((change) => concerned.has(changes.code('country', change)));
}

/** Attributes suspicious cells to groups, marks them as explained, and describes each group as a pattern. */
export function suspiciousPatterns(
  search: PatternSearch,
  kind: Pick<Pattern, 'family' | 'metric' | 'forecast'>,
  suspicious: readonly Change[],
  isComparable: (row: number) => boolean,
): Pattern[] {
  const { changes } = search;
  return explainingGroups(search, suspicious, isComparable).map(({ place, of, further, changes: inside }) => {
    const leaps = inside.filter((change) => isLeap(changes.old(change), changes.now(change))).length;
    const family = kind.family === 'moved' && leaps >= inside.length / 2 ? 'leap' : kind.family;
    changes.explain(inside);
    return describePattern(search, { ...kind, family, place, of, further }, inside);
  });
}
