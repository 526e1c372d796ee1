// What a chart shows, as data: its series, its unit, what may be drawn and what must be said beside it.

import type { MetricFacts } from '../api/shapes.ts';
import { CURRENCY } from './facts.ts';
import type { Unit } from './format.ts';
import { CHARTS, type ChartKind } from './question.ts';
import type { Selection, Years } from './resolve.ts';
import { type Break, isStackable, lastReported, type Series, within } from './series.ts';

export interface ChartData {
  readonly selection: Selection;
  readonly metric: MetricFacts;
  /** All values of the dimension of the series. */
  readonly names: readonly string[];
  /** Of all years; `shownSeries` cuts them to the period. */
  readonly series: readonly Series[];
  readonly breaks: readonly NamedBreak[];
  readonly notes: readonly Note[];
}

export interface NamedBreak extends Break {
  /** The countries that have rows from this year on, and those that have none any more. */
  readonly began: readonly string[];
  readonly ended: readonly string[];
}

/** What a reader must know of the numbers. */
export type Note =
  | { readonly kind: 'mixed'; readonly dimension: string; readonly points: number }
  | { readonly kind: 'left out'; readonly shown: number; readonly all: number }
  | { readonly kind: 'other'; readonly members: number }
  /** The rest has missing values or must not be added up, so it has no sum. */
  | { readonly kind: 'no other'; readonly members: number }
  | { readonly kind: 'missing'; readonly values: number };

export function unitOf({ metric, selection }: Pick<ChartData, 'metric' | 'selection'>): Unit {
  const { unit } = metric;
  if (unit.includes(`${CURRENCY} dimension`)) {
    const [code, ...others] = selection.filters[CURRENCY] ?? [];
    return code !== undefined && others.length === 0
      ? { kind: 'currency', code }
      : { kind: 'other', text: 'each currency' };
  }
  if (/^[A-Z]{3}$/.test(unit)) return { kind: 'currency', code: unit };
  if (unit === 'percent') return { kind: 'percent' };
  if (unit.includes(' per '))
    return { kind: 'rate', text: unit.replace('fx_local_currency', 'local currency') };
  return { kind: 'other', text: unit };
}

/** The period as it is drawn: bars show one year of it. */
export function drawnYears({ selection, series }: ChartData): Years {
  const years = series[0]?.points.map(({ year }) => year) ?? [];
  const { first, last } = selection.period ?? { first: years[0] ?? 0, last: years.at(-1) ?? 0 };
  return { first, last };
}

export const shownSeries = (data: ChartData): readonly Series[] => {
  const { first, last } = drawnYears(data);
  return data.series.map((series) => within(series, first, last));
};

/** What a chart of this kind draws. Only a stack has the sum of the rest: beside single lines it would dwarf them. */
export const drawnSeries = (data: ChartData, kind: ChartKind): readonly Series[] =>
  shownSeries(data).filter((series) => kind === 'areas' || series.kind !== 'other');

/** The year of bars: the last of the period when it was chosen, otherwise the last reported one. */
export function barYear(data: ChartData, chosen: number | null): number {
  const { last } = drawnYears(data);
  return chosen ?? lastReported(shownSeries(data)) ?? last;
}

export interface Offer {
  readonly kind: ChartKind;
  /** Why this chart would mislead; null when it does not. */
  readonly refusal: 'several units' | 'does not add up' | 'incomplete' | 'one series' | null;
}

/** Every kind of chart, with the reason why it is not to be had. */
export function chartOffers(data: ChartData): Offer[] {
  return CHARTS.map((kind) => ({ kind, refusal: refusalOf(kind, data) }));
}

function refusalOf(kind: ChartKind, data: ChartData): Offer['refusal'] {
  const series = shownSeries(data);
  if (kind !== 'multiples' && hasSeveralUnits(data)) return 'several units';
  if (kind === 'multiples' && series.length < 2) return 'one series';
  if (kind === 'areas' && !data.metric.adds_up) return 'does not add up';
  const hasNoRest = data.notes.some((note) => note.kind === 'no other');
  if (kind === 'areas' && (hasNoRest || !isStackable(series))) return 'incomplete';
  return null;
}

/** The chart that is drawn: the wanted one, or the nearest that does not mislead. */
export function drawnChart(data: ChartData, wanted: ChartKind): ChartKind {
  const offers = chartOffers(data).filter(({ refusal }) => refusal === null);
  return (offers.find(({ kind }) => kind === wanted) ?? offers[0])?.kind ?? 'lines';
}

/** Values in several currencies do not share an axis. */
export function hasSeveralUnits({ metric, selection, series }: ChartData): boolean {
  if (series.length < 2) return false;
  if (selection.by === CURRENCY) return true;
  return metric.unit === 'local currency' && selection.by === 'country';
}

/** Whether small charts have scales of their own unless somebody chooses otherwise. */
export const usuallyOwnScales = (data: ChartData): boolean =>
  hasSeveralUnits(data) || unitOf(data).kind === 'rate';

/** Logarithms are for lines of positive values. */
export const isLogPossible = (data: ChartData, kind: ChartKind): boolean =>
  (kind === 'lines' || kind === 'multiples') &&
  drawnSeries(data, kind).every(({ points }) => points.every(({ value }) => value === null || value > 0));
