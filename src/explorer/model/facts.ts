// What the explorer knows of the datasets beside what /v1/datasets says: first views, names for people, defaults.

import type { DatasetFacts, MetricFacts, SnapshotFacts } from '../api/shapes.ts';
import type { ChartKind } from './question.ts';

/** What is asked once, when the explorer starts. */
export interface Facts {
  readonly datasets: readonly DatasetFacts[];
  /** Newest first. */
  readonly snapshots: readonly SnapshotFacts[];
}

export const datasetNamed = (facts: Facts, name: string): DatasetFacts | undefined =>
  facts.datasets.find((dataset) => dataset.name === name);

export const dimensionNames = (dataset: DatasetFacts): readonly string[] =>
  dataset.dimensions.map(({ name }) => name);

interface FirstView {
  readonly metric?: string;
  readonly chart?: ChartKind;
}

const FIRST_VIEWS: Readonly<Record<string, FirstView>> = {
  fx: { metric: 'fx_current_usd' },
  country: { metric: 'gdp_usd' },
};

/** The metric of the question, or the dataset's first; null for a lookup or an unknown metric. */
export function metricOf(dataset: DatasetFacts, name: string): MetricFacts | null {
  const wanted = name || FIRST_VIEWS[dataset.name]?.metric || dataset.metrics[0]?.name;
  return dataset.metrics.find((metric) => metric.name === wanted) ?? null;
}

/** Rates of several currencies differ by magnitudes: each has a chart and a scale of its own. */
export const isExchangeRate = (metric: MetricFacts): boolean => metric.name.startsWith('fx_');

/** The currency of this dimension is the unit of the metric. */
export const CURRENCY = 'fx';

/** Taken before any other currency, because every country is reported in them. */
export const USUAL_CURRENCIES = ['USD', 'EUR'];

/** The value of `state` in rows of whole countries. */
export const WHOLE_COUNTRY = '';

/** Where values do not add up, these countries are drawn until others are chosen. */
export const USUAL_COUNTRIES: Readonly<Record<string, readonly string[]>> = {
  fx: ['Brazil', 'India', 'Japan', 'United Kingdom'],
  country: ['Brazil', 'Germany', 'India', 'Japan', 'United Kingdom', 'United States'],
};
