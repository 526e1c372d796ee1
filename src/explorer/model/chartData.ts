// Describes a chart as data: its series, its unit, the kinds of chart that fit, and the notes that readers need.

import type { MetricFacts } from '../api/responseTypes.ts';
import { CURRENCY } from './facts.ts';
import type { Unit } from './numberFormats.ts';
import { CHART_KINDS, type ChartKind } from './question.ts';
import type { Selection, Years } from './selection.ts';
import {
  type CoverageBreak,
  hasAllValues,
  hasNegativeValue,
  isWithoutValues,
  lastReportedYear,
  type Series,
  valueAt,
  withinYears,
  yearsIn,
} from './series.ts';

export interface ChartData {
  readonly selection: Selection;
  readonly metric: MetricFacts;
  /** All values of the dimension by which the series are divided. */
  readonly names: readonly string[];
  /** The series with all years. `seriesInPeriod` reduces them to the period. */
  readonly series: readonly Series[];
  readonly breaks: readonly NamedBreak[];
  /** The series of the country whose states are drawn, for the share of each state; null for other charts. */
  readonly country: Series | null;
  readonly notes: readonly Note[];
}

export interface NamedBreak extends CoverageBreak {
  /** The countries whose rows begin in the year. */
  readonly beginning: readonly string[];
  /** The countries whose rows end with `yearBefore`. */
  readonly ending: readonly string[];
  /** How many values are missing in `year`, and how many in `yearBefore`. */
  readonly missingCount: number;
  readonly missingCountBefore: number;
}

/** A fact about the numbers that readers must know. */
export type Note =
  | { readonly kind: 'mixed'; readonly dimension: string; readonly points: number }
  | { readonly kind: 'left out'; readonly drawn: number; readonly all: number }
  | { readonly kind: 'other'; readonly members: number }
  /**
   * The values without a series of their own have no sum either, because some are missing or do not add up. With
   * `areTooMany`, the reason is that one request cannot name them all.
   */
  | { readonly kind: 'no other'; readonly members: number; readonly areTooMany: boolean }
  /** Values are missing. The API counts them over all years, even if the period is shorter. */
  | {
      readonly kind: 'missing';
      readonly values: number;
      readonly isOfAllYears: boolean;
      /** The number of missing values of each year that has some. It is empty if each series is one country. */
      readonly missingByYear: ReadonlyMap<number, number>;
    }
  | LeftOutNote;

/**
 * Why sums leave a country out: in some year, all its rows are of states, in other currencies, or of another `temporal`.
 */
export const LEFT_OUT_REASONS = ['states alone', 'other currencies', 'other temporal'] as const;

/** Countries that the sums leave out. */
export interface LeftOutNote {
  readonly kind: (typeof LEFT_OUT_REASONS)[number];
  readonly countries: readonly string[];
}

/** Whether a note is about countries that the sums leave out. */
export const isLeftOutNote = (note: Note): note is LeftOutNote => 'countries' in note;

/** The unit of the values. Where each row has its own currency, the unit is a currency only if the filters leave one. */
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

/** The part of the period for which there is data. Bars show a single year, see `yearOfBars`. */
export function drawnYears(data: ChartData): Years {
  const years = allYears(data);
  const { first, last } = data.selection.period ?? years;
  return { first: clamped(first, years), last: clamped(last, years) };
}

function allYears({ selection, series }: ChartData): Years {
  const years = series.length > 0 ? yearsIn(series) : selection.years;
  return { first: years[0] ?? 0, last: years.at(-1) ?? 0 };
}

const clamped = (year: number, { first, last }: Years): number => Math.min(Math.max(year, first), last);

/** The series with the years of the period only. */
export const seriesInPeriod = (data: ChartData): readonly Series[] => {
  const years = drawnYears(data);
  return data.series.map((series) => withinYears(series, years));
};

/** The series whose values are listed below a chart. For bars they have all years, as their slider does. */
export const listedSeries = (data: ChartData, kind: ChartKind): readonly Series[] =>
  kind === 'bars' ? data.series : seriesInPeriod(data);

/**
 * The series that a chart of this kind draws. Only a stack draws the series `other`, because its line or bar would make
 * all other series look small.
 */
export const drawnSeries = (data: ChartData, kind: ChartKind): readonly Series[] =>
  listedSeries(data, kind).filter((series) => kind === 'areas' || series.kind !== 'other');

/**
 * The year that bars show: the chosen one or, if none was chosen, the last reported year. Null for all other kinds of
 * charts.
 */
export function yearOfBars(data: ChartData, kind: ChartKind, chosen: number | null): number | null {
  if (kind !== 'bars') return null;
  if (chosen !== null) return clamped(chosen, allYears(data));
  return lastReportedYear(seriesInPeriod(data)) ?? drawnYears(data).last;
}

/**
 * The sum of all series in a year. Null for a metric that does not add up, and for a single series. Null also when the
 * series are not all parts of a whole: they differ by a dimension such as state or currency, a value of any year is
 * missing, or some values of the dimension are in none of the series.
 */
export function totalAt(data: ChartData, year: number): number | null {
  const { metric, selection, series, notes } = data;
  const areAllParts =
    metric.adds_up &&
    series.length > 1 &&
    !selection.dataset.not_additive_over.includes(selection.by ?? '') &&
    notes.every((note) => note.kind === 'other' || isLeftOutNote(note));
  const values = series.map((one) => valueAt(one, year));
  if (!areAllParts || values.some((value) => value === null)) return null;
  return values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}

/** The share of a state in its country, between 0 and 1; null when the value of the country is unknown. */
export function shareOfCountry({ country }: ChartData, series: Series, year: number): number | null {
  const whole = country === null ? null : valueAt(country, year);
  const value = valueAt(series, year);
  return whole === null || whole <= 0 || value === null ? null : value / whole;
}

/** Whether some sums are left out because they would mix reported and estimated values. */
export const isMixed = ({ notes }: ChartData): boolean => notes.some(({ kind }) => kind === 'mixed');

/** Whether there is nothing to draw, because no row of the period has a value or a sum. */
export const hasNoValues = (data: ChartData): boolean => seriesInPeriod(data).every(isWithoutValues);

export interface KindOffer {
  readonly kind: ChartKind;
  /** Why a chart of this kind would mislead and is not offered; null when it is offered. */
  readonly refusal:
    | 'several units'
    | 'does not add up'
    | 'incomplete'
    | 'negative'
    | 'one series'
    | 'one year'
    | null;
}

/** All kinds of charts, with the reason for each that is not offered. */
export function chartOffers(data: ChartData): KindOffer[] {
  return CHART_KINDS.map((kind) => ({ kind, refusal: refusalOf(kind, data) }));
}

function refusalOf(kind: ChartKind, data: ChartData): KindOffer['refusal'] {
  const series = seriesInPeriod(data);
  if (kind !== 'multiples' && hasSeveralUnits(data)) return 'several units';
  if (kind === 'multiples' && series.length < 2) return 'one series';
  if (kind === 'areas' && !data.metric.adds_up) return 'does not add up';
  const { first, last } = drawnYears(data);
  if (kind === 'areas' && first === last) return 'one year';
  const hasNoRest = data.notes.some((note) => note.kind === 'no other');
  if (kind === 'areas' && (hasNoRest || !hasAllValues(series))) return 'incomplete';
  if (kind === 'areas' && series.some(hasNegativeValue)) return 'negative';
  return null;
}

/** The kind of chart that is drawn: the wanted one if it is offered, otherwise the first one that is offered. */
export function drawnKind(data: ChartData, wanted: ChartKind): ChartKind {
  const offers = chartOffers(data).filter(({ refusal }) => refusal === null);
  return (offers.find(({ kind }) => kind === wanted) ?? offers[0])?.kind ?? 'lines';
}

/** Whether the series are in different currencies, so that they cannot share an axis. */
function hasSeveralUnits({ metric, selection, series }: ChartData): boolean {
  if (series.length < 2) return false;
  if (selection.by === CURRENCY) return true;
  return metric.unit === 'local currency' && selection.by === 'country';
}

/** Whether each small chart has its own scale by default. */
export const hasOwnScalesByDefault = (data: ChartData): boolean =>
  hasSeveralUnits(data) || unitOf(data).kind === 'rate';

/** Whether a chart can have a logarithmic axis: it draws lines, and all values are positive. */
export const isLogPossible = (data: ChartData, kind: ChartKind): boolean =>
  (kind === 'lines' || kind === 'multiples') &&
  drawnSeries(data, kind).every(({ points }) => points.every(({ value }) => value === null || value > 0));
