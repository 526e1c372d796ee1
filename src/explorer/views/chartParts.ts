// What stands around a chart: its title and subtitle, notes on the numbers, and the line with the source.

import type { VNode } from 'preact';
import { html } from '../html.ts';
import { barYear, type ChartData, drawnYears, unitOf } from '../model/chart.ts';
import { isExchangeRate } from '../model/facts.ts';
import { grouped } from '../model/format.ts';
import { type ChartKind, FIRST_QUESTION, type Question, withFilter } from '../model/question.ts';
import type { Selection } from '../model/resolve.ts';
import { isForecast, type Series } from '../model/series.ts';
import { listed, subtitleOf, titleOf, unitText } from '../model/summary.ts';
import { dimensionLabel, metricLabel, SERVICE, valueLabel } from '../texts.ts';
import { Link } from './link.ts';
import type { Go, ViewProps } from './props.ts';

/** Names a series as people do. */
export const seriesLabel =
  ({ selection, metric }: Pick<ChartData, 'selection' | 'metric'>) =>
  ({ name, kind, members }: Series): string => {
    if (kind === 'all') return metricLabel(metric.name);
    if (kind === 'other') return `Other (${grouped(members)})`;
    return valueLabel(selection.by ?? '', name);
  };

interface HeadlineProps {
  readonly data: ChartData;
  readonly kind: ChartKind;
  readonly question: Question;
}

export function Headline({ data, kind, question }: HeadlineProps): VNode {
  return html`<figcaption class="headline">
    <h1>${titleOf(data.selection)}</h1>
    <p>${kind === 'bars' ? `${unitText(unitOf(data))}, ${barYear(data, question.to)}` : subtitleOf(data)}${atRate(data)}</p>
  </figcaption>`;
}

/** Money that is not reported in this currency was converted. */
export function atRate({ metric, selection }: ChartData): string {
  const code = selection.filters.fx?.[0];
  if (isExchangeRate(metric) || code === undefined) return '';
  return code === 'USD' || code === 'EUR' ? ', converted at each year’s rate' : '';
}

export function NotesList({
  data,
  question,
  go,
}: {
  data: ChartData;
  question: Question;
  go: Go;
}): VNode | null {
  const { series, selection } = data;
  const { first, last } = drawnYears(data);
  const partly = partlyForecast(series, first, last);
  const items: (string | VNode)[] = [];
  if (partly.length > 0)
    items.push(`${partly.join(', ')}: some values are forecasts, because not everybody has reported yet.`);
  for (const { year, began, ended } of data.breaks) {
    if (began.length > 0)
      items.push(
        `${year}: ${grouped(began.length)} ${began.length === 1 ? 'country begins' : 'countries begin'} (${few(began)}). The jump is coverage, not growth.`,
      );
    if (ended.length > 0)
      items.push(
        `${year}: ${grouped(ended.length)} ${ended.length === 1 ? 'country ends' : 'countries end'} (${few(ended)}). The fall is coverage.`,
      );
    if (began.length === 0 && ended.length === 0)
      items.push(`${year}: the same countries are reported in other detail.`);
  }
  for (const note of data.notes) {
    if (note.kind === 'other')
      items.push(`${grouped(note.members)} more are summed as “Other”, which only a stacked chart draws.`);
    if (note.kind === 'no other')
      items.push(
        `${grouped(note.members)} more are not drawn. They have no sum: some of their values are missing or do not add up.`,
      );
    if (note.kind === 'missing')
      items.push(
        `${grouped(note.values)} ${note.values === 1 ? 'value is' : 'values are'} missing in the source and not counted as zero.`,
      );
    if (note.kind === 'left out')
      items.push(`${note.shown} of ${grouped(note.all)} are drawn. Choose others in the filters.`);
    if (note.kind === 'mixed')
      items.push(
        html`<span>${grouped(note.points)} points mix reported and estimated values, which are not added together, so they are gaps. <button type="button" class="text-button" onClick=${() => go(withFilter(question, note.dimension, ['Reported']))}>Show reported only</button></span>`,
      );
  }
  if (selection.by === 'state') items.push('States are parts of their country and never all of it.');
  return items.length === 0
    ? null
    : html`<ul class="notes">${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

/** Pages of the countries and products that the chart shows. */
export function EntityLinks({
  data,
  question,
  go,
  root,
}: {
  data: ChartData;
  question: Question;
  go: Go;
  root: string;
}): VNode | null {
  const { selection, series } = data;
  const kind = (['country', 'product'] as const).find(
    (one) => selection.by === one || selection.filters[one]?.length === 1,
  );
  if (kind === undefined || selection.dataset.metrics.length === 0) return null;
  const shown =
    selection.by === kind
      ? series.filter((one) => one.kind === 'value').map(({ name }) => name)
      : (selection.filters[kind] ?? []);
  const links = shown.map(
    (name) =>
      html`<li key=${name}><${Link} go=${go} root=${root} question=${{ ...FIRST_QUESTION, asOf: question.asOf, page: { kind, name } }}>${name}<//></li>`,
  );
  return html`<div class="entity-links"><span>${kind === 'country' ? 'Country pages' : 'Product pages'}</span><ul>${links}</ul></div>`;
}

const few = (names: readonly string[]): string =>
  names.length <= 4 ? listed(names, 'and') : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;

/** Years before the forecasts proper in which a few values are forecasts already. */
function partlyForecast(series: readonly Series[], first: number, last: number): number[] {
  const years = (series[0]?.points ?? [])
    .map(({ year }) => year)
    .filter((year) => year >= first && year <= last);
  return years.filter((year) => {
    if (!isForecast(series, year)) return false;
    const points = series.flatMap(({ points }) =>
      points.filter((point) => point.year === year && point.value !== null),
    );
    return points.some(({ forecast }) => forecast < 1);
  });
}

export function SourceLine({ shown, open }: ViewProps): VNode {
  const { selection } = shown.counted;
  const published = open.facts.snapshots.find(({ id }) => id === shown.snapshot)?.published_at.slice(0, 10);
  return html`<p class="source">Source: ${sourceText(selection, shown.snapshot)}${published === undefined ? '' : `, published ${published}`}. ${FLAGS}</p>`;
}

const FLAGS = 'Dashed: forecast. Gap: no value.';

export const sourceText = ({ dataset, filters }: Selection, snapshot: string): string => {
  const currency = filters.fx?.length === 1 ? `, ${dimensionLabel('fx').toLowerCase()} ${filters.fx[0]}` : '';
  return `${SERVICE}, ${dataset.name}${currency}, snapshot ${snapshot}`;
};
