// Makes the title, the subtitle and the one-sentence summary of a chart.

import { bySplit, countOf, datasetLabel, inSentence, metricLabel, valueLabel } from '../labels.ts';
import { CHART_KIND_IN_SENTENCE, NOTES } from '../texts/chartTexts.ts';
import { moreFilters } from '../texts/filterTexts.ts';
import { type ChartData, drawnYears, seriesInPeriod, unitOf } from './chartData.ts';
import { WHOLE_COUNTRY } from './facts.ts';
import { bidiIsolated, changeText, countText, readableText, type Unit, yearsText } from './numberFormats.ts';
import type { ChartKind, View } from './question.ts';
import type { Selection } from './selection.ts';
import { lastReportedYear, type Series, sortedByValue, valueAt, withinYears } from './series.ts';

/**
 * A title such as `Gross gaming revenue by region` or `Gross gaming revenue, Malta, Online, by product`.
 *
 * @param maxFilters how many filters are named. The others are only counted, because the chips on the page name them. A
 * title that leaves the page must name all filters.
 */
export function titleOf(selection: Selection, maxFilters = 3): string {
  const { metric, dataset, by } = selection;
  const name = metric === null ? datasetLabel(dataset.name) : metricLabel(metric.name);
  const all = filterTexts(selection);
  const chosen =
    all.length > maxFilters ? [...all.slice(0, maxFilters), moreFilters(all.length - maxFilters)] : all;
  const filterText = chosen.length === 0 ? '' : `, ${chosen.join(', ')}`;
  return `${name}${filterText}${by === null ? '' : `${filterText === '' ? ' ' : ', '}${bySplit(by)}`}`;
}

/** The title of a selection in a view. Only a chart is divided by a dimension. */
export const titleInView = (view: View, selection: Selection): string =>
  titleOf(view === 'chart' ? selection : { ...selection, by: null });

/** The filters in words, except the currency, the dimension of the series and the default filters. */
function filterTexts({ filters, by, defaultFilters }: Selection): string[] {
  const taken = new Set(defaultFilters.map(({ dimension }) => dimension));
  return Object.entries(filters).flatMap(([dimension, values]) => {
    if (dimension === by || dimension === 'fx' || taken.has(dimension)) return [];
    if (dimension === 'state' && values.every((value) => value === WHOLE_COUNTRY)) return [];
    const names = values.map((value) => bidiIsolated(valueLabel(dimension, value)));
    return names.length > 3 ? countOf(dimension, names.length) : listText(names, 'or');
  });
}

/**
 * The unit and the years, such as `US dollars, 2018–2030`.
 *
 * @param onlyYear the year that bars show; null for all other charts.
 */
export function subtitleOf(data: ChartData, onlyYear: number | null): string {
  const { first, last } = drawnYears(data);
  return `${unitText(unitOf(data))}, ${onlyYear ?? yearsText(first, last)}`;
}

const CURRENCIES: Readonly<Record<string, string>> = {
  USD: 'US dollars',
  EUR: 'Euros',
  GBP: 'Pounds sterling',
};

/** The unit at the beginning of a line, such as `US dollars`. */
export function unitText(unit: Unit): string {
  switch (unit.kind) {
    case 'currency':
      return CURRENCIES[unit.code] ?? unit.code;
    case 'percent':
      return 'Percent';
    default:
      return unit.text.charAt(0).toUpperCase() + unit.text.slice(1);
  }
}

/**
 * A text that says what a chart shows: its kind, data and years, its largest values, then forecasts, breaks and missing
 * values.
 *
 * @param onlyYear the year that bars show; null for all other charts.
 */
export function summaryOf(data: ChartData, kind: ChartKind, onlyYear: number | null): string {
  const series = seriesInPeriod(data);
  const { selection } = data;
  const drawn = drawnYears(data);
  const years = onlyYear === null ? drawn : { first: onlyYear, last: onlyYear };
  const drawnText = yearsText(years.first, years.last);
  const what = `${inSentence(metricLabel(data.metric.name))} in ${unitInSentence(unitOf(data))}`;
  // A filter on the one year that is drawn would repeat it.
  const filters = filterTexts(selection).filter((text) => text !== drawnText);
  const start = [`${CHART_KIND_IN_SENTENCE[kind]} of ${what}`, ...filters, drawnText];
  if (selection.by !== null) start.push(bySplit(selection.by));
  const year = onlyYear ?? lastReportedYear(series) ?? drawn.last;
  const message = messageOf(data, sinceLastBreak(data, series, year), { year, isBar: onlyYear !== null });
  const end = forecastsAndGaps(
    data,
    kind,
    series.map((one) => withinYears(one, years)),
  );
  return `${start.join(', ')}${message === '' ? '' : `: ${message}`}.${end}`;
}

/** Returns a function that gives the name of a series for people. */
export const seriesLabel =
  ({ selection, metric }: Pick<ChartData, 'selection' | 'metric'>) =>
  ({ name, kind, memberCount }: Series): string => {
    if (kind === 'all') return metricLabel(metric.name);
    if (kind === 'other') return `Other (${countText(memberCount)})`;
    return valueLabel(selection.by ?? '', name);
  };

/** The unit as it is written within a sentence. */
export const unitInSentence = (unit: Unit): string => inSentence(unitText(unit));

function messageOf(
  data: ChartData,
  series: readonly Series[],
  { year, isBar }: { readonly year: number; readonly isBar: boolean },
): string {
  const unit = unitOf(data);
  const label = seriesLabel(data);
  const [largest, second] = sortedByValue(
    series.filter(({ kind }) => kind !== 'other'),
    year,
  );
  const value = largest === undefined ? null : valueAt(largest, year);
  if (largest === undefined || value === null) return '';
  const name = largest.kind === 'all' ? '' : `${bidiIsolated(label(largest))} `;
  const parts = [`${name}${readableText(value, unit)} in ${year}${changeSince(largest, year, unit)}`];
  const next = second === undefined ? null : valueAt(second, year);
  if (second !== undefined && next !== null)
    parts.push(`${bidiIsolated(label(second))} ${readableText(next, unit)}`);
  else if (!isBar) parts.push(...lowestOf(largest, year, unit));
  return parts.join('; ');
}

/** The series from the last break in coverage that is not after `year`. A change across a break is not growth. */
function sinceLastBreak({ breaks }: ChartData, series: readonly Series[], year: number): readonly Series[] {
  const start = breaks.findLast((one) => one.year <= year)?.year;
  if (start === undefined) return series;
  return series.map((one) => ({ ...one, points: one.points.filter((point) => point.year >= start) }));
}

function changeSince(series: Series, year: number, unit: Unit): string {
  const first = series.points.find(({ value }) => value !== null);
  const value = valueAt(series, year);
  if (first === undefined || first.value === null || value === null || first.year >= year) return '';
  if (unit.kind === 'percent') return '';
  const words = changeText(first.value, value);
  return words === null ? '' : `, ${words} since ${first.year}`;
}

function lowestOf(series: Series, year: number, unit: Unit): string[] {
  const reported = series.points.filter((point) => point.value !== null && point.year <= year);
  const lowest = reported.reduce<(typeof reported)[number] | null>(
    (least, point) => (least === null || (point.value ?? 0) < (least.value ?? 0) ? point : least),
    null,
  );
  if (lowest === null || lowest.value === null || lowest.value === valueAt(series, year)) return [];
  return [`lowest ${readableText(lowest.value, unit)} in ${lowest.year}`];
}

function forecastsAndGaps(data: ChartData, kind: ChartKind, series: readonly Series[]): string {
  // Years that a filter leaves out do not count as missing.
  const filteredYears = data.selection.filters.year?.map(Number);
  const points = series.flatMap((one) =>
    one.points.filter(({ year }) => filteredYears?.includes(year) ?? true),
  );
  const forecast = points.filter((point) => point.forecastShare > 0 && point.value !== null);
  // A year that is reported has no forecast, so only a year with neither is missing.
  const isElsewhere = (year: number) =>
    data.selection.by === 'temporal' && series.some((one) => valueAt(one, year) !== null);
  const missing = points.filter(({ year, value }) => value === null && !isElsewhere(year)).length;
  const parts: string[] = [];
  const years = forecast.map(({ year }) => year);
  if (kind === 'bars') parts.push(...(years.length > 0 ? [` Forecasts are part of ${years[0]}.`] : []));
  else {
    if (years.length > 0) parts.push(` Forecasts from ${Math.min(...years)}.`);
    for (const { year } of data.breaks) parts.push(` Coverage changes in ${year}.`);
  }
  if (missing > 0) parts.push(` ${countText(missing)} ${missing === 1 ? 'value is' : 'values are'} missing.`);
  return parts.join('');
}

/** A list in words, such as `Malta`, `Malta and Spain` or `Malta, Spain or Peru`. */
export function listText(names: readonly string[], word: 'and' | 'or'): string {
  if (names.length < 2) return names[0] ?? '';
  return `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
}

/** Names in words. Of more than four, three are named and the others counted. */
export function shortList(names: readonly string[]): string {
  const isolated = names.map(bidiIsolated);
  return isolated.length <= 4
    ? listText(isolated, 'and')
    : NOTES.more(isolated.slice(0, 3).join(', '), isolated.length - 3);
}
