// The words of the selection: filters, the values to choose from, defaults, and questions that must be answered first.

import { datasetLabel, dimensionLabel, inSentence } from '../labels.ts';
import { countText, rowCountText } from '../model/numberFormats.ts';

export const FILTER_TEXTS = {
  title: 'Filters',
  split: 'Split',
  asOne: 'everything as one',
  period: 'Period',
  firstYear: 'First year',
  lastYear: 'Last year',
  to: 'to',
  sheet: 'Filters and period',
  showAnswer: 'Show the answer',
  showRows: (rows: number): string => `Show ${rowCountText(rows)}`,
  data: 'Data',
  metric: 'Metric',
  asOf: 'As of',
  current: (snapshot: string): string => `${snapshot} (current)`,
  pinned: (snapshot: string): string => `${snapshot} (this one for ever)`,
  search: (dimension: string): string => `Search ${dimension}`,
  searchHint: 'Search',
  clear: (dimension: string): string => `Clear ${dimension.toLowerCase()}`,
} as const;

/** A text such as `3 more filters`. */
export const moreFilters = (count: number): string => `${count} more ${count === 1 ? 'filter' : 'filters'}`;

export const FILTER_VALUES = {
  loading: 'Loading…',
  rows: 'rows',
  none: '–',
  nothing: 'No value has this name.',
  largestFirst: 'Largest first',
  inAll: (count: number): string => `${countText(count)} in all`,
  found: (count: number, all: number): string => `${countText(count)} of ${countText(all)}`,
  chosen: (count: number): string => `${countText(count)} chosen`,
  more: (count: number): string => `${countText(count)} more: type to find them.`,
} as const;

export const CHIPS = {
  label: 'What is selected',
  drop: (text: string): string => `Drop ${text}`,
  dropAll: 'Drop all filters',
  states: 'States only',
  asOf: (snapshot: string): string => `As of ${snapshot}`,
} as const;

export const DEFAULT_REASONS = {
  'one currency':
    'The same money is listed in several currencies. One is shown, so that nothing counts twice.',
  'whole countries': 'States are parts of their country. Only whole countries are counted.',
  states: 'Only states are shown; they are parts of their country.',
  'some countries': 'These values do not add up, so a few countries are shown. Choose your own.',
  'full coverage': 'Earlier years have fewer countries. Set the period to see them.',
} as const;

export const AMBIGUITY = {
  questions: {
    fx: {
      title: 'Which currency?',
      why: 'The same money is listed in several currencies. Added up, it would count twice or more.',
    },
    state: {
      title: 'States or whole countries?',
      why: 'A state is part of its country. Added up with it, it would count twice.',
    },
    temporal: {
      title: 'Reported or forecast?',
      why: 'Some years have both a reported value and a forecast. They are two views of one year.',
    },
    calculation: {
      title: 'Which calculation?',
      why: 'The same value is listed by several methods. They are not parts of a sum.',
    },
  } as Readonly<Record<string, { readonly title: string; readonly why: string }>>,
  refused: 'This cannot be added up',
  states: 'States, side by side',
  sideBySide: 'Side by side',
  more: (count: number, dimension: string): string =>
    `${countText(count)} more under ${dimensionLabel(dimension)} in the filters.`,
  several: (name: string): string =>
    `There are several values for ${name === '' ? 'one year' : `${name} in one year`}`,
  whichOne: (year: number): string =>
    `These values do not add up, and ${year} has more than one of them. Say which one is meant:`,
  tooMany: 'Choose a few countries',
  tooManyWhy: (rows: number): string =>
    `These values do not add up, and ${countText(rows)} of them do not fit into one chart. Choose up to twelve countries in the filters, or see all rows in the table.`,
} as const;

export const EMPTY = {
  title: 'No rows have all of this together',
  noneAtAll: (dataset: string): string => `This snapshot has no rows of ${inSentence(datasetLabel(dataset))}`,
  drop: 'Drop one filter:',
  notEnough: 'Dropping any one filter is not enough.',
  without: (dimension: string): string => `Without ${dimensionLabel(dimension).toLowerCase()}`,
  /** `mayBeFewer`: whether a default, such as a currency, may leave fewer rows. */
  rows: (rows: number, mayBeFewer: boolean): string => `: ${mayBeFewer ? 'up to ' : ''}${rowCountText(rows)}`,
  allYears: 'All years',
  noFilter: 'Without any filter',
} as const;
