// Values that became zero, empty, of the other sign, ten times what they were, or moved; and rows that are gone.

import { type DimensionName, datasetOf } from '../../../src/catalog/datasets.ts';
import { isForecastRow, KIND } from '../matched.ts';
import type { DimensionChange } from '../types.ts';
import { attribute } from './attribute.ts';
import { describePattern } from './describe.ts';
import type { Search, Shift } from './shifts.ts';
import type { Family, Pattern } from './types.ts';

/** A value that moved by less is no reason to look at it alone: honest revisions of 10 % are rare. */
const MOVED = 0.1;

/** Forecasts are meant to move, but honest ones hardly by a third. */
const FORECAST_MOVED = 0.5;

/** A country whose values moved by less of its total of a year, all together, is not looked at. */
const LEAST_EFFECT = 0.01;

/** A factor of so much, or its inverse, is no revision; 9.9999 is ten, as doubles have it. */
const LEAP = 10 * (1 - 1e-9);

interface Step {
  readonly family: Family;
  /** Whether a revised value went that way; a missing one is NaN. */
  readonly holds: (
    b: number,
    a: number,
    of: { readonly settled: boolean; readonly forecast: boolean },
  ) => boolean;
  /** Whether a value before could have gone that way. */
  readonly couldHold: (value: number) => boolean;
  /** Percentages are left out: a share of one says nothing, and inflation falls below zero as it likes. */
  readonly amountsAlone?: true;
}

const isLeap = (b: number, a: number) => a / b >= LEAP || b / a >= LEAP;
const isNumber = (value: number) => !Number.isNaN(value);
const isSomething = (value: number) => value !== 0 && isNumber(value);

/** In the order of the steps: a cell belongs to the first that it fits. Leaps are moves, and called so where they prevail. */
const STEPS: readonly Step[] = [
  {
    family: 'zero',
    holds: (b, a) => isSomething(b) && a === 0,
    couldHold: isSomething,
    amountsAlone: true,
  },
  { family: 'emptied', holds: (b, a) => isNumber(b) && !isNumber(a), couldHold: isNumber },
  { family: 'sign', holds: (b, a) => b * a < 0, couldHold: isSomething, amountsAlone: true },
  {
    family: 'moved',
    holds: (b, a, { settled, forecast }) => {
      const least = settled ? MOVED : forecast ? FORECAST_MOVED : Number.POSITIVE_INFINITY;
      return b * a > 0 && (isLeap(b, a) || Math.abs(a - b) >= least * Math.abs(b));
    },
    couldHold: isSomething,
    amountsAlone: true,
  },
];

/** The patterns of values, metric by metric; reported figures and forecasts apart. */
export function findValuePatterns(search: Search): Pattern[] {
  const { matched, shifts } = search;
  const { codes, before, metrics } = matched;
  const revised: Shift[][] = Array.from({ length: 2 * metrics.length }, () => []);
  for (const i of shifts.untold((one) => shifts.kind[one] === KIND.revised))
    revised[2 * (shifts.metric[i] as number) + (shifts.forecast[i] as number)]?.push(i);
  const found: Pattern[] = [];
  for (const [m, metric] of metrics.entries()) {
    const isPercent = datasetOf(codes.dataset).metrics[metric]?.unit === 'percent';
    const values = before.values(m);
    for (const forecast of [false, true]) {
      for (const { family, holds, couldHold, amountsAlone } of STEPS) {
        if (isPercent && amountsAlone === true) continue;
        const fitting = (revised[2 * m + Number(forecast)] ?? []).filter(
          (i) =>
            shifts.told[i] === 0 &&
            holds(shifts.b[i] as number, shifts.a[i] as number, {
              settled: shifts.settled[i] === 1,
              forecast,
            }),
        );
        const suspicious = family === 'moved' ? material(search, fitting) : fitting;
        found.push(
          ...tell(
            search,
            { family, metric, forecast },
            suspicious,
            (row) => couldHold(values[row] as number) && isForecastRow(matched, before, row) === forecast,
          ),
        );
      }
    }
  }
  return found;
}

/** A country, year or currency that is gone altogether is told by itself, with its rows. */
const TOLD_AS_VALUES: readonly DimensionName[] = ['country', 'year', 'fx', 'fx_local_currency'];

/** Rows that are gone, once renamed and copied ones are told. */
export function findGone(search: Search, changes: readonly DimensionChange[]): Pattern[] {
  const { matched, shifts } = search;
  const { codes, before } = matched;
  for (const { dimension, vanished } of changes) {
    if (!TOLD_AS_VALUES.includes(dimension) || vanished.length === 0) continue;
    const gone = new Set(vanished.map(({ value }) => codes.codeOf(dimension, value)));
    shifts.tell(shifts.untold((i) => shifts.kind[i] === KIND.removed && gone.has(shifts.code(dimension, i))));
  }
  return [false, true].flatMap((forecast) =>
    tell(
      search,
      { family: 'gone', metric: null, forecast },
      shifts.untold((i) => shifts.kind[i] === KIND.removed && shifts.forecast[i] === Number(forecast)),
      (row) => isForecastRow(matched, before, row) === forecast,
    ),
  );
}

/** The cells of countries that moved enough, in some year and currency, to be looked at. */
function material({ matched: { codes }, shifts }: Search, cells: readonly Shift[]): readonly Shift[] {
  const nameOf = codes.nameBy((['country', 'year', 'fx'] as const).filter((d) => codes.has(d)));
  const effects = new Map<number | string, number>();
  const concerned = new Set<number>();
  for (const i of cells) {
    const [b, a, weight] = [shifts.b[i] as number, shifts.a[i] as number, shifts.weight[i] as number];
    const country = shifts.code('country', i);
    // What has no weight may weigh anything.
    if (isLeap(b, a) || Number.isNaN(weight)) concerned.add(country);
    const name = nameOf(...shifts.rowOf(i));
    const effect = (effects.get(name) ?? 0) + (Number.isNaN(weight) ? 0 : Math.abs(a / b - 1) * weight);
    effects.set(name, effect);
    if (effect >= LEAST_EFFECT) concerned.add(country);
  }
  return cells.filter((i) => concerned.has(shifts.code('country', i)));
}

/** Attributes suspicious cells to groups, and describes every group. */
function tell(
  search: Search,
  kind: Pick<Pattern, 'family' | 'metric' | 'forecast'>,
  suspicious: readonly Shift[],
  isComparable: (row: number) => boolean,
): Pattern[] {
  const { shifts } = search;
  return attribute(search, suspicious, isComparable).map(({ place, cells, of, further, shifts: inside }) => {
    const leaps = inside.filter((i) => isLeap(shifts.b[i] as number, shifts.a[i] as number)).length;
    const family = kind.family === 'moved' && leaps >= inside.length / 2 ? 'leap' : kind.family;
    shifts.tell(inside);
    return describePattern(search, { ...kind, family, place, cells, of, further, between: null }, inside);
  });
}
