// The facts about datasets and snapshots that the API gives, and the defaults that the explorer adds.

import type { DatasetFacts, MetricFacts, SnapshotFacts } from '../api/responseTypes.ts';

/**
 * The datasets and snapshots of the service. They are loaded at the start, and again when a snapshot is found to be
 * gone or the facts are a few minutes old.
 */
export interface Facts {
  readonly datasets: readonly DatasetFacts[];
  /** The retained snapshots, newest first. */
  readonly snapshots: readonly SnapshotFacts[];
}

/** The dataset with this name; undefined when the service has none. */
export const datasetNamed = (facts: Facts, name: string): DatasetFacts | undefined =>
  facts.datasets.find((dataset) => dataset.name === name);

/** `dataset`, which describes the current snapshot, with the number of rows and the years that it has in `snapshot`. */
export function datasetInSnapshot(
  dataset: DatasetFacts,
  { snapshots }: Facts,
  snapshot: string,
): DatasetFacts {
  const datasetCounts = snapshots.find(({ id }) => id === snapshot)?.datasets[dataset.name];
  if (datasetCounts === undefined) return dataset;
  const { row_count, first_year, last_year } = datasetCounts;
  return { ...dataset, row_count, years: { first: first_year, last: last_year } };
}

/** The id of the current snapshot. */
export const currentSnapshot = ({ snapshots }: Facts): string =>
  snapshots.find(({ current }) => current)?.id ?? snapshots[0]?.id ?? '';

/** The ids of the retained snapshots. The current one is first. */
export const retainedIds = (facts: Facts): string[] => {
  const current = currentSnapshot(facts);
  return [current, ...facts.snapshots.map(({ id }) => id).filter((id) => id !== current)];
};

/** The names of the dimensions, in the order of the dataset. */
export const dimensionNames = (dataset: DatasetFacts): readonly string[] =>
  dataset.dimensions.map(({ name }) => name);

/** The default metric of a dataset, if it is not the first one. */
const DEFAULT_METRICS: Readonly<Record<string, string>> = { fx: 'fx_current_usd', country: 'gdp_usd' };

/** The metric with this name; the default metric for ''. Null for a lookup, and for an unknown name. */
export function metricOf(dataset: DatasetFacts, name: string): MetricFacts | null {
  const wanted = name || DEFAULT_METRICS[dataset.name] || dataset.metrics[0]?.name;
  return dataset.metrics.find((metric) => metric.name === wanted) ?? null;
}

/**
 * Whether a metric is an exchange rate. Rates of different currencies differ by magnitudes, so each gets its own scale.
 */
export const isExchangeRate = (metric: MetricFacts): boolean => metric.name.startsWith('fx_');

/** The dimension whose value is the currency of amounts. */
export const CURRENCY = 'fx';

/** The default currencies, in order of preference. All countries are reported in them. */
export const DEFAULT_CURRENCIES = ['USD', 'EUR'];

/** The value of `state` in rows of whole countries. */
export const WHOLE_COUNTRY = '';

/** The value of `temporal` in rows of forecasts. */
export const FORECAST = 'Forecast';

/** The countries that are drawn by default if values do not add up. */
export const DEFAULT_COUNTRIES: Readonly<Record<string, readonly string[]>> = {
  fx: ['Brazil', 'India', 'Japan', 'United Kingdom'],
  country: ['Brazil', 'Germany', 'India', 'Japan', 'United Kingdom', 'United States'],
};
