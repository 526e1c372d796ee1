// Finds patterns of values that became zero or empty, changed their sign, leapt or moved, and of rows that vanished.

import { type DimensionName, datasetOf } from '../../../src/catalog/datasets.ts';
import { isForecastRow, isNonZero, KIND } from '../rows/matched.ts';
import type { DimensionChange } from '../types.ts';
import { attribute } from './attribute.ts';
import { describePattern } from './describe.ts';
import type { Search, Shift } from './shifts.ts';
import type { Family, Pattern } from './types.ts';

/** Smaller moves of a value are not suspicious: honest revisions of 10 % are rare. */
const MOVED_SHARE = 0.1;

/** The same for forecasts, which are expected to move, but rarely by this much. */
const FORECAST_MOVED = 0.5;

/** A first report, and a figure of a year that has not ended, may differ from what was known before by less than this factor. */
const FIRST_REPORT = 5;

/** A country is not checked when all its moves together are a smaller share of its total of the year. */
const LEAST_EFFECT = 0.01;

/** This factor, or its inverse, is no revision. Doubles may make 9.9999 of ten. */
const LEAP = 10 * (1 - 1e-9);

interface Step {
  readonly family: Family;
  /** Whether a revised value changed in this way; a missing value is NaN. */
  readonly isMet: (
    b: number,
    a: number,
    of: { readonly settled: boolean; readonly forecast: boolean },
  ) => boolean;
  /** Whether an earlier value could have changed in this way. */
  readonly couldMeet: (value: number) => boolean;
}

const differsBy = (factor: number, b: number, a: number) => a / b >= factor || b / a >= factor;
const isLeap = (b: number, a: number) => differsBy(LEAP, b, a);
/** Inflation may become negative, but not at the same size: a minus was lost. */
const isOtherSign = (b: number, a: number) => a === -b && Math.abs(b) >= LEAST_PERCENT;

/** Below this, a percentage may be revised to its opposite. */
const LEAST_PERCENT = 0.5;

/** Several times what it was, or a fraction, and by many points: an index of prices, or another scale. */
const isLeapOfPercent = (b: number, a: number) =>
  Math.abs(a - b) >= LEAP_POINTS &&
  Math.max(Math.abs(a), Math.abs(b)) >= LEAP_OF_PERCENT * Math.min(Math.abs(a), Math.abs(b));

/** Percentages leap by this factor and this many points. Revised forecasts of high inflation move by less. */
const LEAP_OF_PERCENT = 5;
const LEAP_POINTS = 20;

const isNumber = (value: number) => !Number.isNaN(value);

const EMPTIED: Step = {
  family: 'emptied',
  isMet: (b, a) => isNumber(b) && !isNumber(a),
  couldMeet: isNumber,
};

/**
 * In the order of the steps: a cell belongs to the first step that it fits. A group of moved cells is a leap when most of its
 * cells leapt.
 */
const STEPS: readonly Step[] = [
  { family: 'zero', isMet: (b, a) => isNonZero(b) && a === 0, couldMeet: isNonZero },
  EMPTIED,
  { family: 'sign', isMet: (b, a) => b * a < 0, couldMeet: isNonZero },
  {
    family: 'moved',
    isMet: (b, a, { settled, forecast }) => {
      if (b * a <= 0) return false;
      if (!settled && !forecast) return differsBy(FIRST_REPORT, b, a);
      return isLeap(b, a) || Math.abs(a - b) >= (settled ? MOVED_SHARE : FORECAST_MOVED) * Math.abs(b);
    },
    couldMeet: isNonZero,
  },
];

/** The steps of percentages, whose zeros and relative changes mean little. */
const STEPS_OF_PERCENT: readonly Step[] = [
  EMPTIED,
  { family: 'sign', isMet: isOtherSign, couldMeet: isNonZero },
  { family: 'leap', isMet: isLeapOfPercent, couldMeet: isNumber },
];

/** The patterns of values, metric by metric, separately for reported figures and forecasts. */
export function findValuePatterns(search: Search): Pattern[] {
  const { shifts } = search;
  const { codes, metrics } = search.matched;
  const revised: Shift[][] = Array.from({ length: 2 * metrics.length }, () => []);
  for (const i of shifts.unexplained(KIND.revised))
    revised[2 * (shifts.metric[i] as number) + (shifts.forecast[i] as number)]?.push(i);
  return metrics.flatMap((metric, m) => {
    const isPercent = datasetOf(codes.dataset).metrics[metric]?.unit === 'percent';
    const steps = isPercent ? STEPS_OF_PERCENT : STEPS;
    return [false, true].flatMap((forecast) =>
      steps.flatMap((step) =>
        patternsOfStep(search, step, revised[2 * m + Number(forecast)] ?? [], { metric, m, forecast }),
      ),
    );
  });
}

/** The patterns of the revised values that fit a step, and that no earlier step has explained. */
function patternsOfStep(
  search: Search,
  { family, isMet, couldMeet }: Step,
  revised: readonly Shift[],
  { metric, m, forecast }: { readonly metric: string; readonly m: number; readonly forecast: boolean },
): Pattern[] {
  const { matched, shifts } = search;
  const { before } = matched;
  const values = before.values(m);
  const fitting = revised.filter(
    (i) =>
      shifts.isExplained[i] === 0 &&
      isMet(shifts.before[i] as number, shifts.after[i] as number, {
        settled: shifts.settled[i] === 1,
        forecast,
      }),
  );
  return patternsOf(
    search,
    { family, metric, forecast },
    family === 'moved' ? material(search, fitting) : fitting,
    (row) => couldMeet(values[row] as number) && isForecastRow(matched, before, row) === forecast,
  );
}

/** A value of these dimensions that vanished is reported as such, with all its rows. */
const REPORTED_AS_VALUES: readonly DimensionName[] = ['country', 'year', 'fx', 'fx_local_currency'];

/** Rows that vanished, without renamed and copied ones. */
export function findGone(search: Search, changes: readonly DimensionChange[]): Pattern[] {
  const { matched, shifts } = search;
  const { codes, before } = matched;
  for (const { dimension, vanished } of changes) {
    if (!REPORTED_AS_VALUES.includes(dimension) || vanished.length === 0) continue;
    const gone = new Set(vanished.map(({ value }) => codes.codeOf(dimension, value)));
    shifts.explain(shifts.unexplained(KIND.removed, (i) => gone.has(shifts.code(dimension, i))));
  }
  return [false, true].flatMap((forecast) =>
    patternsOf(
      search,
      { family: 'gone', metric: null, forecast },
      shifts.unexplained(KIND.removed, (i) => shifts.forecast[i] === Number(forecast)),
      (row) => isForecastRow(matched, before, row) === forecast,
    ),
  );
}

/** The cells of countries that moved enough in some year and currency. */
function material({ matched: { codes }, shifts }: Search, cells: readonly Shift[]): readonly Shift[] {
  const nameOf = codes.names.by((['country', 'year', 'fx'] as const).filter((d) => codes.has(d)));
  const effects = new Map<number | string, number>();
  const concerned = new Set<number>();
  for (const i of cells) {
    const [b, a, weight] = [
      shifts.before[i] as number,
      shifts.after[i] as number,
      shifts.weight[i] as number,
    ];
    const country = shifts.code('country', i);
    // A leap matters, and so may a cell whose weight is unknown.
    if (isLeap(b, a) || Number.isNaN(weight)) concerned.add(country);
    const name = nameOf(...shifts.rowOf(i));
    const effect = (effects.get(name) ?? 0) + (Number.isNaN(weight) ? 0 : Math.abs(a / b - 1) * weight);
    effects.set(name, effect);
    if (effect >= LEAST_EFFECT) concerned.add(country);
  }
  return cells.filter((i) => concerned.has(shifts.code('country', i)));
}

/** Attributes suspicious cells to groups, and describes every group. */
export function patternsOf(
  search: Search,
  kind: Pick<Pattern, 'family' | 'metric' | 'forecast'>,
  suspicious: readonly Shift[],
  isComparable: (row: number) => boolean,
): Pattern[] {
  const { shifts } = search;
  return attribute(search, suspicious, isComparable).map(({ place, cells, of, further, shifts: inside }) => {
    const leaps = inside.filter((i) => isLeap(shifts.before[i] as number, shifts.after[i] as number)).length;
    const family = kind.family === 'moved' && leaps >= inside.length / 2 ? 'leap' : kind.family;
    shifts.explain(inside);
    return describePattern(search, { ...kind, family, place, cells, of, further, between: null }, inside);
  });
}
