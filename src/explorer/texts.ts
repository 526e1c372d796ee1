// Every text of the explorer that people read, in plain English.

import type { ChartKind, View } from './model/question.ts';

export const SERVICE = 'Gambling data explorer';

const DIMENSIONS: Readonly<Record<string, string>> = {
  year: 'Year',
  region: 'Region',
  country: 'Country',
  state: 'State',
  category: 'Category',
  product: 'Product',
  channel: 'Channel',
  sub_channel: 'Sub-channel',
  fx: 'Currency',
  fx_local_currency: 'Local currency',
  temporal: 'Reported or forecast',
  calculation: 'Calculation',
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

/** `12 countries`. */
export const countOf = (dimension: string, count: number): string =>
  `${count} ${PLURALS[dimension] ?? 'values'}`;

/** A name within a sentence: `US dollar` stays as it is. */
export const within = (name: string): string =>
  /^[A-Z][a-z]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name;

export const dimensionLabel = (name: string): string => DIMENSIONS[name] ?? sentenceCase(name);

export const bySplit = (name: string): string => `by ${within(dimensionLabel(name))}`;

const DATASETS: Readonly<Record<string, string>> = {
  ggr: 'Gross gaming revenue',
  turnover: 'Turnover',
  fx: 'Exchange rates',
  country: 'Country indicators',
  country_reference: 'Countries and regions',
};

export const datasetLabel = (name: string): string => DATASETS[name] ?? sentenceCase(name);

const METRICS: Readonly<Record<string, string>> = {
  ggr: 'Gross gaming revenue',
  turnover: 'Turnover',
  fx_current_usd: 'Exchange rate to the US dollar',
  fx_constant_usd: 'Constant exchange rate to the US dollar',
  fx_current_eur: 'Exchange rate to the euro',
  fx_constant_eur: 'Constant exchange rate to the euro',
  gdp_local_currency: 'Gross domestic product in local currency',
  gdp_usd: 'Gross domestic product',
  adult_population: 'Adult population',
  inflation: 'Inflation',
};

export const metricLabel = (name: string): string => METRICS[name] ?? sentenceCase(name);

/** The empty state stands for the whole country. */
export const valueLabel = (dimension: string, value: string): string => {
  if (value !== '') return value;
  return dimension === 'state' ? 'Whole countries' : '(empty)';
};

export const VIEW_LABELS: Readonly<Record<View, string>> = {
  chart: 'Chart',
  table: 'Table',
  compare: 'Compare',
  code: 'Code',
  about: 'About',
};

export const CHART_LABELS: Readonly<Record<ChartKind, string>> = {
  lines: 'Lines',
  areas: 'Stacked',
  bars: 'Bars',
  multiples: 'Small charts',
};

/** The kind of chart at the start of its sentence. */
export const CHART_WORDS: Readonly<Record<ChartKind, string>> = {
  lines: 'Line chart',
  areas: 'Stacked area chart',
  bars: 'Bar chart',
  multiples: 'Small line charts',
};

export const REFUSALS = {
  'several units': 'Each has a currency of its own, so they cannot share an axis.',
  'does not add up': 'These values do not add up, so they cannot be stacked.',
  incomplete: 'Some values are missing, and a stack would show them as zero.',
  'one series': 'There is only one series.',
} as const;

export const ASSUMED = {
  'one currency': 'The same money stands in several currencies. One is shown, so that nothing counts twice.',
  'whole countries': 'States are parts of their country. Only whole countries are counted.',
  states: 'Only states are shown; they are parts of their country.',
  'some countries': 'These values do not add up, so a few countries are shown. Choose your own.',
  'full coverage': 'Years before have fewer countries. Set the period to see them.',
} as const;

export const KEY_FORM = {
  title: 'Explore the data',
  lead: 'Charts, tables and files of gross gaming revenue, turnover, exchange rates and country indicators: by country, product and channel, from 2003 to the forecasts.',
  label: 'Your API key',
  hint: 'It begins with sk_live_. It stays in this tab and is never put into a link.',
  button: 'Open the explorer',
  where:
    'No key yet? The team sends invites. Ask the person who runs this service for a claim link, open it and press its button: the key on the next page is yours.',
  empty: 'Paste your key first.',
  refused: 'This key is not valid. It may be mistyped, revoked or expired. Your question is still here.',
  forgotten: 'The key is forgotten. This tab no longer has it.',
} as const;

export const AWAY = {
  limited: {
    title: 'This key has used up its requests for now',
    said: 'Nothing is lost. The same question is asked again by itself.',
  },
  away: {
    title: 'The service does not answer',
    said: 'It may be restarting, or the network is down. Nothing is lost. The same question is asked again by itself.',
  },
} as const;
