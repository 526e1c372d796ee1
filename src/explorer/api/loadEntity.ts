// Loads the data for the page of a country or product: its revenue, its place among the others, and its trends.

import { type ChartData, isLeftOutNote, unitOf } from '../model/chartData.ts';
import { type Entity, type EntityRanking, entityQuestion, type RankedEntity } from '../model/entity.ts';
import { datasetNamed, type Facts, FORECAST, WHOLE_COUNTRY } from '../model/facts.ts';
import { DEFAULT_QUESTION, type EntityKind, NO_SPLIT, type Question } from '../model/question.ts';
import { lastReportedYear } from '../model/series.ts';
import { ENTITY } from '../texts/entityTexts.ts';
import type { QueryPairs, RequestContext } from './client.ts';
import { type Failure, type FieldErrors, isFailure } from './failure.ts';
import { loadAmalgamatedCountries } from './loadAmalgamatedCountries.ts';
import { type ChartAnswer, loadChart } from './loadChart.ts';
import { loadCountedSelection } from './loadCountedSelection.ts';
import { loadPages } from './loadPages.ts';
import { leftOutNotes } from './loadSums.ts';
import type { DatasetFacts, Row, Rows, Totals } from './responseTypes.ts';

/** How many entities of the ranking are shown: the entity itself and its nearest neighbours. */
const SHOWN_ENTITIES = 7;

const TREND_CHANGES: Readonly<Record<EntityKind, readonly Partial<Question>[]>> = {
  country: [{ by: 'product' }, { by: 'channel' }],
  product: [{ by: 'region' }, { by: 'channel' }, { by: 'country', chartKind: 'bars' }],
};

/** A country or product, and the snapshot whose data its page shows, as in `Question.asOf`. */
export interface EntityName {
  readonly kind: EntityKind;
  readonly name: string;
  readonly asOf: string;
}

/** The revenue of an entity has no rows, or no sum. */
export interface WithoutRevenue {
  readonly kind: 'without revenue';
  /** The dimensions over which the revenue does not add up, with the messages of the API; empty when it has no rows. */
  readonly ambiguous: FieldErrors;
}

/** The content of the page. It needs about ten requests, and the first failure ends them. */
export async function loadEntity(
  { kind, name, asOf }: EntityName,
  facts: Facts,
  context: RequestContext,
): Promise<Entity | WithoutRevenue | Failure> {
  const dataset = datasetNamed(facts, DEFAULT_QUESTION.dataset);
  if (dataset === undefined)
    return { kind: 'refused', error: ENTITY.noRevenue, fieldErrors: {}, topic: 'other' };
  const base = entityQuestion(kind, name, asOf);
  const whole = await loadChartOf({ ...base, by: NO_SPLIT }, dataset, context);
  if (isFailure(whole)) return whole;
  const revenue = whole.kind === 'chart' ? whole.data.series[0] : undefined;
  if (whole.kind !== 'chart' || revenue === undefined)
    return { kind: 'without revenue', ambiguous: whole.kind === 'ambiguous sum' ? whole.fields : {} };
  const { data } = whole;
  const year = lastReportedYear([revenue]) ?? revenue.points.at(-1)?.year ?? 0;
  const trends = await loadTrends(base, kind, dataset, context);
  if (isFailure(trends)) return trends;
  const onlyState = onlyStateOf(data);
  // The revenue of a state has no rank among countries, and the indicators are those of the whole country.
  const ranking = onlyState === null ? await loadRanking({ kind, name, year }, data, context) : null;
  if (ranking !== null && isFailure(ranking)) return ranking;
  const indicators =
    kind === 'country' && onlyState === null ? await loadIndicators(name, year, context) : null;
  if (indicators !== null && isFailure(indicators)) return indicators;
  const unit = unitOf(data);
  const leftOut = data.notes.filter(isLeftOutNote);
  const { snapshot } = context;
  return { kind, name, snapshot, unit, revenue, onlyState, leftOut, year, ranking, indicators, trends };
}

/** The state of all rows of a chart; null if they are of whole countries. */
const onlyStateOf = ({ selection }: ChartData): string | null =>
  selection.filters.state?.find(Boolean) ?? null;

/** The chart of a question, or why it has none. */
async function loadChartOf(
  question: Question,
  dataset: DatasetFacts,
  context: RequestContext,
): Promise<ChartAnswer | Failure> {
  const countedSelection = await loadCountedSelection(question, dataset, context);
  return isFailure(countedSelection) ? countedSelection : loadChart(countedSelection, context);
}

/** The charts that divide an entity's revenue. Those without data are left out. */
async function loadTrends(
  base: Question,
  kind: EntityKind,
  dataset: DatasetFacts,
  context: RequestContext,
): Promise<Entity['trends'] | Failure> {
  const trends: { question: Question; data: ChartData }[] = [];
  for (const change of TREND_CHANGES[kind]) {
    const question = { ...base, ...change };
    const trend = await loadChartOf(question, dataset, context);
    if (isFailure(trend)) return trend;
    if (trend.kind === 'chart') trends.push({ question, data: trend.data });
  }
  return trends;
}

/** The rank of an entity. Amalgamated countries have no rank, but are part of the total. */
async function loadRanking(
  { kind, name, year }: Pick<Entity, 'kind' | 'name' | 'year'>,
  { selection, metric }: ChartData,
  context: RequestContext,
): Promise<EntityRanking | Failure | null> {
  const pairs: QueryPairs = [
    ['dataset', selection.dataset.name],
    ['by', kind],
    ['year', String(year)],
    ...Object.entries(selection.filters)
      .filter(([dimension]) => dimension !== kind)
      .flatMap(([dimension, values]) => values.map((value) => [dimension, value] as const)),
  ];
  const [sums, forecasts, unranked] = await Promise.all([
    loadPages<Totals>('/v1/totals', pairs, context),
    loadPages<Totals>('/v1/totals', [...pairs, ['temporal', FORECAST]], context),
    kind === 'country' ? loadAmalgamatedCountries(context) : Promise.resolve<string[]>([]),
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
  const leftOutCountries = [
    ...new Set(leftOutNotes(sums.first).flatMap(({ countries }) => countries)),
  ].sort();
  const isPart = leftOutCountries.length === 0 && values.every(({ value }) => value === null || value >= 0);
  const shareOfTotal = isPart ? entity.value / all : null;
  const hasForecasts = forecasts.data.length > 0;
  const neighbours = neighboursIn(ranked, entity);
  return {
    rank: entity.rank,
    rankedCount: ranked.length,
    shareOfTotal,
    hasForecasts,
    leftOutCountries,
    neighbours,
  };
}

/** The entities with a value, the largest first, with their ranks. */
const rankedOf = (
  values: readonly { readonly name: string; readonly value: number | null }[],
): RankedEntity[] =>
  values
    .flatMap(({ name, value }) => (value === null ? [] : [{ name, value }]))
    .sort((a, b) => b.value - a.value)
    .map((one, i) => ({ ...one, rank: i + 1 }));

/**
 * `SHOWN_ENTITIES` entities of a ranking. The entity at `rank` is in the middle, unless it is near an end of the ranking.
 */
function neighboursIn(ranked: readonly RankedEntity[], { rank }: RankedEntity): readonly RankedEntity[] {
  const centred = rank - 1 - Math.floor(SHOWN_ENTITIES / 2);
  const first = Math.max(0, Math.min(centred, ranked.length - SHOWN_ENTITIES));
  return ranked.slice(first, first + SHOWN_ENTITIES);
}

/** The row of indicators of a country in a year; null when there is none, or more than one. */
async function loadIndicators(
  name: string,
  year: number,
  context: RequestContext,
): Promise<Row | Failure | null> {
  const pairs: QueryPairs = [
    ['metric', 'country'],
    ['country', name],
    ['state', WHOLE_COUNTRY],
    ['year', String(year)],
  ];
  const reply = await context.ask<Rows>('/v1/financials', pairs, context);
  if (reply.kind !== 'ok') return reply.kind === 'refused' ? null : reply;
  return reply.body.data.length === 1 ? (reply.body.data[0] ?? null) : null;
}
