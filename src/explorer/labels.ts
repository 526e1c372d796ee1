// The names of dimensions, datasets, metrics and values in the explorer.

/** Dimensions whose label is not their name in sentence case. */
const DIMENSIONS: Readonly<Record<string, string>> = {
  sub_channel: 'Sub-channel',
  fx: 'Currency',
  fx_local_currency: 'Local currency',
  temporal: 'Reported or forecast',
  country_type: 'Kind of country',
};

const sentenceCase = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const PLURALS: Readonly<Record<string, string>> = {
  region: 'regions',
  country: 'countries',
  state: 'states',
  category: 'categories',
  product: 'products',
  channel: 'channels',
  sub_channel: 'sub-channels',
  fx: 'currencies',
  fx_local_currency: 'currencies',
  calculation: 'calculations',
};

/** A number of values of a dimension, such as `12 countries`. `count` must be at least 2. */
export const countOf = (dimension: string, count: number): string =>
  `${count} ${PLURALS[dimension] ?? 'values'}`;

/** A name as it is written within a sentence: `turnover` for `Turnover`, but `US dollar` unchanged. */
export const inSentence = (name: string): string =>
  /^[A-Z][a-z]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name;

/** The name of a dimension for people. */
export const dimensionLabel = (name: string): string => DIMENSIONS[name] ?? sentenceCase(name);

/** The dimension that divides a chart, in words such as `by sub-channel`. */
export const bySplit = (name: string): string => `by ${inSentence(dimensionLabel(name))}`;

/** Datasets whose label is not their name in sentence case. */
const DATASETS: Readonly<Record<string, string>> = {
  ggr: 'Gross gaming revenue',
  fx: 'Exchange rates',
  country: 'Country indicators',
  country_reference: 'Countries and regions',
};

/** The name of a dataset for people. */
export const datasetLabel = (name: string): string => DATASETS[name] ?? sentenceCase(name);

/** Metrics whose label is not their name in sentence case. */
const METRICS: Readonly<Record<string, string>> = {
  ggr: 'Gross gaming revenue',
  fx_current_usd: 'Exchange rate to the US dollar',
  fx_constant_usd: 'Constant exchange rate to the US dollar',
  fx_current_eur: 'Exchange rate to the euro',
  fx_constant_eur: 'Constant exchange rate to the euro',
  gdp_local_currency: 'Gross domestic product in local currency',
  gdp_usd: 'Gross domestic product',
};

/** The name of a metric for people. */
export const metricLabel = (name: string): string => METRICS[name] ?? sentenceCase(name);

/** The name of a value. The empty state stands for whole countries. */
export const valueLabel = (dimension: string, value: string): string => {
  if (value !== '') return value;
  return dimension === 'state' ? 'Whole countries' : '(empty)';
};
