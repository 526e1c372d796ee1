// The parts around a chart: title, subtitle, notes, links and source.

import type { VNode } from 'preact';
import { html } from '../htmTemplate.ts';
import { dimensionLabel } from '../labels.ts';
import {
  type ChartData,
  drawnSeries,
  drawnYears,
  isLeftOutNote,
  isMixed,
  type LeftOutNote,
  type Note,
  yearOfBars,
} from '../model/chartData.ts';
import { isExchangeRate } from '../model/facts.ts';
import { bidiIsolated } from '../model/numberFormats.ts';
import {
  type ChartKind,
  DEFAULT_QUESTION,
  type EntityKind,
  type Question,
  withFilter,
} from '../model/question.ts';
import type { Selection } from '../model/selection.ts';
import { hasForecastIn, type Series } from '../model/series.ts';
import { listText, subtitleOf, titleOf } from '../model/summary.ts';
import { legendText, NOTES } from '../texts/chartTexts.ts';
import { ENTITY } from '../texts/entityTexts.ts';
import { SERVICE } from '../texts/pageTexts.ts';
import type { Go, ViewProps } from './props.ts';
import { QuestionLink } from './questionLink.ts';

/**
 * The chosen end of the period, which is the year that bars show. While a new question waits for its answer, bars
 * already show the new year, if the previous answer has it. If the new question is refused, they show the year of the
 * previous question.
 */
export function chosenEnd({ question, shown, openState }: ViewProps, { series }: ChartData): number | null {
  const { lastYear } = question;
  const isThere =
    lastYear === null || series.some(({ points }) => points.some(({ year }) => year === lastYear));
  return openState.work.kind === 'stopped' || !isThere ? shown.question.lastYear : lastYear;
}

interface HeadlineProps {
  readonly data: ChartData;
  readonly kind: ChartKind;
  /** The chosen end of the period, as `chosenEnd` gives it; null if none was chosen. */
  readonly chosen: number | null;
}

/**
 * The headline of a chart. Its title does not say which countries the sums leave out, so they are listed right below
 * it.
 */
export function Headline({ data, kind, chosen }: HeadlineProps): VNode {
  return html`<figcaption class="headline">
    <h1>${titleOf(data.selection)}</h1>
    <p>${subtitleOf(data, kind, chosen)}${atRate(data)}</p>
    ${leftOutNotes(data).map((note) => html`<p class="left-out">${note}</p>`)}
  </figcaption>`;
}

/** The words that say that amounts in other currencies were converted; '' when they do not apply. */
export function atRate({ metric, selection }: ChartData): string {
  const code = selection.filters.fx?.[0];
  if (isExchangeRate(metric) || code === undefined) return '';
  return code === 'USD' || code === 'EUR' ? ', converted at each year’s rate' : '';
}

interface NotesProps {
  readonly data: ChartData;
  readonly kind: ChartKind;
  /** The chosen end of the period, as `chosenEnd` gives it; null if none was chosen. */
  readonly chosen: number | null;
  readonly question: Question;
  readonly go: Go;
}

/** The notes on the numbers of a chart. Notes on countries that are left out are in the headline. */
export function NotesList({ data, kind, chosen, question, go }: NotesProps): VNode | null {
  const { series, selection } = data;
  const year = yearOfBars(data, kind, chosen);
  const { first, last } = year === null ? drawnYears(data) : { first: year, last: year };
  const partly = partlyForecast(series, first, last);
  const items: (string | VNode)[] = [];
  if (partly.length > 0) items.push(NOTES.partly(partly.join(', ')));
  for (const one of kind === 'bars' ? [] : data.breaks) {
    const { year, beginning, ending, missingCount, missingCountBefore } = one;
    if (beginning.length > 0) items.push(NOTES.began(year, beginning.length, few(beginning)));
    if (ending.length > 0) items.push(NOTES.ended(year, ending.length, few(ending)));
    if (Math.abs(missingCount - missingCountBefore) > beginning.length + ending.length)
      items.push(NOTES.missingIn(one));
    // If sums mix reported and estimated values, their years are gaps, and the note `mixed` says so.
    else if (beginning.length + ending.length === 0 && !isMixed(data)) items.push(NOTES.detail(year));
  }
  for (const note of data.notes) if (!isLeftOutNote(note)) items.push(noteText(note, question, go));
  if (selection.by === 'state') items.push(NOTES.states);
  return items.length === 0
    ? null
    : html`<ul class="notes">${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

function noteText(note: Exclude<Note, LeftOutNote>, question: Question, go: Go): string | VNode {
  switch (note.kind) {
    case 'other':
      return NOTES.other(note.members);
    case 'no other':
      return NOTES.noOther(note.members, note.areTooMany);
    case 'missing':
      return NOTES.missing(note.values, note.isOfAllYears);
    case 'left out':
      return NOTES.leftOut(note.shown, note.all);
    case 'mixed':
      return html`<span>${NOTES.mixed(note.points)} <button type="button" class="text-button" onClick=${() => go(withFilter(question, note.dimension, ['Reported']))}>${NOTES.reportedOnly}</button></span>`;
  }
}

/** Says which countries the sums leave out, and why. */
export const leftOutText = ({ kind, countries }: LeftOutNote): string =>
  NOTES.leftOutCountries[kind](few(countries), countries.length);

const leftOutNotes = ({ notes }: ChartData): string[] => notes.filter(isLeftOutNote).map(leftOutText);

/**
 * The notes of a picture on countries and series that it does not show. The title of the picture names the whole, so the
 * picture must say what is missing.
 */
export const pictureNotes = (data: ChartData, kind: ChartKind): string[] => {
  const undrawn = data.notes.reduce((sum, note) => sum + undrawnSeries(note, kind), 0);
  return [...leftOutNotes(data), ...(undrawn > 0 ? [NOTES.undrawn(undrawn)] : [])];
};

function undrawnSeries(note: Note, kind: ChartKind): number {
  if (note.kind === 'left out') return note.all - note.shown;
  // A stacked chart draws the series `other`.
  return note.kind === 'no other' || (note.kind === 'other' && kind !== 'areas') ? note.members : 0;
}

/** Links to the pages of the countries or products that the chart shows. */
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
  const kinds = ['country', 'product'] as const;
  const kind =
    kinds.find((one) => selection.by === one) ?? kinds.find((one) => selection.filters[one]?.length === 1);
  if (kind === undefined || selection.dataset.metrics.length === 0) return null;
  const shown =
    selection.by === kind
      ? series.filter((one) => one.kind === 'value').map(({ name }) => name)
      : (selection.filters[kind] ?? []);
  // A page does not link to itself.
  const others = shown.filter((name) => question.page.kind !== kind || question.page.name !== name);
  return html`<${PageLinks} kind=${kind} names=${others} question=${question} go=${go} root=${root} />`;
}

interface PageLinksProps {
  readonly kind: EntityKind;
  readonly names: readonly string[];
  readonly question: Question;
  readonly go: Go;
  readonly root: string;
}

/** A list of links to the pages of these countries or products, as of the same snapshot; nothing without names. */
export function PageLinks({ kind, names, question, go, root }: PageLinksProps): VNode | null {
  if (names.length === 0) return null;
  const links = names.map(
    (name) =>
      html`<li key=${name}><${QuestionLink} go=${go} root=${root} question=${{ ...DEFAULT_QUESTION, asOf: question.asOf, page: { kind, name } }}>${name}<//></li>`,
  );
  return html`<div class="entity-links"><span>${ENTITY.pages[kind]}</span><ul>${links}</ul></div>`;
}

/** The names of countries in words. Of more than four, three are named and the others counted. */
export function few(countries: readonly string[]): string {
  const names = countries.map(bidiIsolated);
  return names.length <= 4
    ? listText(names, 'and')
    : NOTES.more(names.slice(0, 3).join(', '), names.length - 3);
}

/** The years in which some values are forecasts and some are not. */
function partlyForecast(series: readonly Series[], first: number, last: number): number[] {
  const years = (series[0]?.points ?? [])
    .map(({ year }) => year)
    .filter((year) => year >= first && year <= last);
  return years.filter((year) => {
    if (!hasForecastIn(series, year)) return false;
    const points = series.flatMap(({ points }) =>
      points.filter((point) => point.year === year && point.value !== null),
    );
    return points.some(({ forecastShare }) => forecastShare < 1);
  });
}

/** The source below a chart. `kind` is null when nothing is drawn. */
export function SourceLine({
  kind,
  data,
  ...props
}: ViewProps & { kind: ChartKind | null; data: ChartData }): VNode {
  const flags = (drawn: ChartKind) =>
    legendText(drawn, drawnSeries(data, drawn), yearOfBars(data, drawn, chosenEnd(props, data)));
  return html`<p class="source">${sourceLine(props)} ${kind === null ? '' : flags(kind)}</p>`;
}

/** The source below a table, only for print, because the screen shows it elsewhere. */
export function SourceOnPaper(props: ViewProps): VNode {
  return html`<p class="source paper-only">${sourceLine(props)}</p>`;
}

function sourceLine({ shown, openState }: ViewProps): string {
  const published = openState.facts.snapshots.find(({ id }) => id === shown.snapshot)?.published_at;
  return NOTES.source(sourceText(shown.counted.selection, shown.snapshot), published?.slice(0, 10) ?? null);
}

/** The service, dataset, currency and snapshot, for lines of sources and for tips. */
export const sourceText = ({ dataset, filters }: Selection, snapshot: string): string => {
  const currency = filters.fx?.length === 1 ? `, ${dimensionLabel('fx').toLowerCase()} ${filters.fx[0]}` : '';
  return `${SERVICE}, ${dataset.name}${currency}, snapshot ${snapshot}`;
};
