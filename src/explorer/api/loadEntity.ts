// Loads the data for the page of a country or product: its revenue, its place among the others, and its trends.

import { type ChartData, isLeftOut, unitOf } from '../model/chartData.ts';
import type { Entity, Place, RankedEntity } from '../model/entity.ts';
import { datasetNamed, type Facts, FORECAST, WHOLE_COUNTRY } from '../model/facts.ts';
import { type EntityKind, FIRST_QUESTION, NO_SPLIT, type Question } from '../model/question.ts';
import { lastReported } from '../model/series.ts';
import { ENTITY } from '../texts/entityTexts.ts';
import { amalgamated } from './loadAmalgamatedCountries.ts';
import { chartAnswer } from './loadChart.ts';
import type { Failure, Fields, Pairs } from './client.ts';
import { pagesOf } from './loadPages.ts';
import { type Context, countedSelection, isFailure } from './loadCountedSelection.ts';
import type { DatasetFacts, Row, Rows, Totals } from './responseTypes.ts';

/** How many entities of the ranking are shown: the entity itself and its nearest neighbours. */
const SHOWN_RANKS = 7;

/** The question that shows the entity in the explorer. */
export const questionOf = (kind: EntityKind, name: string, asOf: string): Question => ({
  ...FIRST_QUESTION,
  asOf,
  filters: { [kind]: [name] },
});

const TRENDS: Readonly<Record<EntityKind, readonly Partial<Question>[]>> = {
  country: [{ by: 'product' }, { by: 'channel' }],
  product: [{ by: 'region' }, { by: 'channel' }, { by: 'country', chart: 'bars' }],
};

/** A country or product, and the snapshot whose data its page shows, as in `Question.asOf`. */
export interface EntityName {
  readonly kind: EntityKind;
  readonly name: string;
  readonly asOf: string;
}

/** The content of the page. It needs about ten requests, and the first failure ends them. */
export async function entityOf(
  { kind, name, asOf }: EntityName,
  facts: Facts,
  context: Context,
): Promise<Entity | Failure> {
  const dataset = datasetNamed(facts, FIRST_QUESTION.dataset);
  if (dataset === undefined) return { kind: 'refused', error: ENTITY.noRevenue, fields: {}, topic: 'other' };
  const base = questionOf(kind, name, asOf);
  const whole = await chartOf({ ...base, by: NO_SPLIT }, dataset, context);
  if (isFailure(whole)) return whole;
  const { snapshot } = context;
  const series = whole.data?.series[0] ?? null;
  if (whole.data === null || series === null)
    return { ...NO_REVENUE, kind, name, snapshot, ambiguous: whole.ambiguous };
  const year = lastReported([series]) ?? series.points.at(-1)?.year ?? 0;
  const trends = await trendsOf(base, kind, dataset, context);
  if (isFailure(trends)) return trends;
  const state = onlyState(whole.data);
  // The revenue of a state has no place among countries, and the indicators are those of the whole country.
  const place = state === null ? await placeOf({ kind, name, year }, whole.data, context) : null;
  if (place !== null && isFailure(place)) return place;
  const indicators = kind === 'country' && state === null ? await indicatorsOf(name, year, context) : null;
  if (indicators !== null && isFailure(indicators)) return indicators;
  const unit = unitOf(whole.data);
  const leftOut = whole.data.notes.filter(isLeftOut);
  const found = { kind, name, snapshot, unit, whole: series, state, leftOut, ambiguous: {} };
  return { ...found, year, place, indicators, trends };
}

/** The state of all rows of a chart; null if they are of whole countries. */
const onlyState = ({ selection }: ChartData): string | null => selection.filters.state?.find(Boolean) ?? null;

/** The fields of an entity that has no rows, or whose rows have no sum. */
const NO_REVENUE = {
  unit: { kind: 'other', text: '' },
  whole: null,
  state: null,
  leftOut: [],
  year: 0,
  place: null,
  indicators: null,
  trends: [],
} as const;

/**
 * The data of one chart; null when it cannot be drawn. If the API refuses the sum, `ambiguous` has the dimensions over
 * which the values do not add up, otherwise it is empty.
 */
async function chartOf(
  question: Question,
  dataset: DatasetFacts,
  context: Context,
): Promise<{ data: ChartData | null; ambiguous: Fields } | Failure> {
  const counted = await countedSelection(question, dataset, context);
  if (isFailure(counted)) return counted;
  const answer = await chartAnswer(counted, context);
  if (isFailure(answer)) return answer;
  return {
    data: answer.kind === 'chart' ? answer.data : null,
    ambiguous: answer.kind === 'ambiguous' ? answer.fields : {},
  };
}

/** The charts that divide an entity's revenue. Those without data are left out. */
async function trendsOf(
  base: Question,
  kind: EntityKind,
  dataset: DatasetFacts,
  context: Context,
): Promise<Entity['trends'] | Failure> {
  const trends: { question: Question; data: ChartData }[] = [];
  for (const change of TRENDS[kind]) {
    const question = { ...base, ...change };
    const trend = await chartOf(question, dataset, context);
    if (isFailure(trend)) return trend;
    if (trend.data !== null) trends.push({ question, data: trend.data });
  }
  return trends;
}

/** The rank of an entity. Amalgamated countries have no rank, but are part of the total. */
async function placeOf(
  { kind, name, year }: Pick<Entity, 'kind' | 'name' | 'year'>,
  { selection, metric }: ChartData,
  context: Context,
): Promise<Place | Failure | null> {
  const pairs: Pairs = [
    ['dataset', selection.dataset.name],
    ['by', kind],
    ['year', String(year)],
    ...Object.entries(selection.filters)
      .filter(([dimension]) => dimension !== kind)
      .flatMap(([dimension, values]) => values.map((value) => [dimension, value] as const)),
  ];
  const [sums, forecasts, unranked] = await Promise.all([
    pagesOf<Totals>('/v1/totals', pairs, context),
    pagesOf<Totals>('/v1/totals', [...pairs, ['temporal', FORECAST]], context),
    kind === 'country' ? amalgamated(context) : Promise.resolve<string[]>([]),
  ]);
  if (isFailure(sums)) return sums.kind === 'refused' ? null : sums;
  if (isFailure(forecasts)) return forecasts;
  if (isFailure(unranked)) return unranked;
  const values = sums.data.map(({ dimensions, values }) => ({
    name: String(dimensions[kind]),
    value: values[metric.name] ?? null,
  }));
  const all = values.reduce((sum, { value }) => sum + (value ?? 0), 0);
  const ranked = rankedOf(values.filter((one) => !unranked.includes(one.name)));
  const entity = ranked.find((one) => one.name === name);
  if (entity === undefined || all <= 0) return null;
  // If the sum lacks countries or contains negative values, a share of it would mean nothing.
  const { states_alone = [], currencies_alone = [], temporal_alone = [] } = sums.first.meta;
  const leftOut = [...new Set([...states_alone, ...currencies_alone, ...temporal_alone])].sort();
  const isPart = leftOut.length === 0 && values.every(({ value }) => value === null || value >= 0);
  const share = isPart ? entity.value / all : null;
  const hasForecasts = forecasts.data.length > 0;
  const around = aroundIn(ranked, entity);
  return { rank: entity.rank, of: ranked.length, share, hasForecasts, leftOut, around };
}

/** The entities with a value, the largest first, with their ranks. */
const rankedOf = (
  values: readonly { readonly name: string; readonly value: number | null }[],
): RankedEntity[] =>
  values
    .flatMap(({ name, value }) => (value === null ? [] : [{ name, value }]))
    .sort((a, b) => b.value - a.value)
    .map((one, i) => ({ ...one, rank: i + 1 }));

/** `SHOWN_RANKS` entities of a ranking. The entity at `rank` is in the middle, unless it is near an end of the ranking. */
function aroundIn(ranked: readonly RankedEntity[], { rank }: RankedEntity): readonly RankedEntity[] {
  const centred = rank - 1 - Math.floor(SHOWN_RANKS / 2);
  const first = Math.max(0, Math.min(centred, ranked.length - SHOWN_RANKS));
  return ranked.slice(first, first + SHOWN_RANKS);
}

/** The row of indicators of a country in a year; null when there is none, or more than one. */
async function indicatorsOf(name: string, year: number, context: Context): Promise<Row | Failure | null> {
  const pairs: Pairs = [
    ['metric', 'country'],
    ['country', name],
    ['state', WHOLE_COUNTRY],
    ['year', String(year)],
  ];
  const reply = await context.ask<Rows>('/v1/financials', pairs, context);
  if (reply.kind !== 'ok') return reply.kind === 'refused' ? null : reply;
  return reply.body.data.length === 1 ? (reply.body.data[0] ?? null) : null;
}
