// The texts of the explorer's page, in plain English. `labels.ts` has the names of data.

import { countOf, datasetLabel, dimensionLabel } from './labels.ts';
import type { NamedBreak } from './model/chart.ts';
import { grouped } from './model/format.ts';
import type { ChartKind, View } from './model/question.ts';

export const SERVICE = 'Gambling data explorer';

/** A text such as `3 more filters`. */
export const moreFilters = (count: number): string => `${count} more ${count === 1 ? 'filter' : 'filters'}`;

/** A text such as `412 rows`. */
const rowsOf = (count: number): string => `${grouped(count)} ${count === 1 ? 'row' : 'rows'}`;

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

/** The beginning of the sentence about a chart, for each kind of chart. */
export const CHART_WORDS: Readonly<Record<ChartKind, string>> = {
  lines: 'Line chart',
  areas: 'Stacked area chart',
  bars: 'Bar chart',
  multiples: 'Small line charts',
};

export const CHART_NOTES = {
  forecast: 'Forecast',
  tapToClose: 'tap to close',
} as const;

/** The sentence that says how a chart shows forecasts and missing values, for each kind of chart. */
export const FLAGS: Readonly<Record<ChartKind, string>> = {
  lines: 'Dashed: forecast. Gap: no value.',
  areas: 'Pale: forecast.',
  bars: '–: no value.',
  multiples: 'Dashed: forecast. Gap: no value.',
};

export const DOWNLOADS = {
  unauthorised: 'The key is not valid any more.',
  pruned: 'This snapshot is no longer retained, so it has no files. Choose another one under “As of”.',
  limited: 'This key has used up its requests for now.',
  away: 'The download was cut off.',
  done: (file: string): string => `${file} is downloaded.`,
  again: (waitSeconds: number): string =>
    waitSeconds > 0 ? `Try again in ${waitSeconds} s.` : 'Try again in a moment.',
} as const;

export const READOUT = {
  total: 'Total',
  noValue: '–',
  noValueSpoken: 'no value',
  forecast: 'forecast',
  theCountry: 'the country',
} as const;

/** The label of a break, such as `29 countries begin in 2015`, or `2015: +29` when there is little room. */
export function breakLabel({ year, began, ended }: NamedBreak, isShort: boolean): string {
  const changed = began.length > 0 ? began : ended;
  if (changed.length === 0) return isShort ? `${year}: ±` : `Coverage changes in ${year}`;
  if (isShort) return `${year}: ${began.length > 0 ? '+' : '−'}${changed.length}`;
  const countries = changed.length === 1 ? '1 country' : countOf('country', changed.length);
  const verb = began.length > 0 ? 'begin' : 'end';
  return `${countries} ${verb}${changed.length === 1 ? 's' : ''} in ${year}`;
}

export const REFUSALS = {
  'several units': 'Each has a currency of its own, so they cannot share an axis.',
  'does not add up': 'These values do not add up, so they cannot be stacked.',
  incomplete: 'Some values are missing, and a stack would show them as zero.',
  negative: 'Some values are below zero, and a stack cannot show that.',
  'one series': 'There is only one series.',
  'one year': 'There is only one year, and a stack needs two.',
} as const;

export const ASSUMED = {
  'one currency':
    'The same money is listed in several currencies. One is shown, so that nothing counts twice.',
  'whole countries': 'States are parts of their country. Only whole countries are counted.',
  states: 'Only states are shown; they are parts of their country.',
  'some countries': 'These values do not add up, so a few countries are shown. Choose your own.',
  'full coverage': 'Earlier years have fewer countries. Set the period to see them.',
} as const;

export const replacedText = (before: string, now: string): string =>
  `The data was updated: ${now} answers now. ${before} is no longer retained.`;

export const ENTITY = {
  leftOut: 'This page has no filters, and its own currency and years. These parts of the link were left out:',
  pages: { country: 'Country pages', product: 'Product pages' },
  others: { country: 'countries', product: 'products' },
  placeTitle: (kind: 'country' | 'product'): string => `Place among ${ENTITY.others[kind]}`,
  placed: (name: string, rank: number, of: number, kind: 'country' | 'product', year: number): string =>
    `${name} is ${rank} of ${of} ${ENTITY.others[kind]} by gross gaming revenue in ${year}`,
  placeSummary: (kind: 'country' | 'product', year: number, values: string): string =>
    `Bar chart of the nearest ${ENTITY.others[kind]} in ${year}: ${values}.`,
  yearsTitle: 'Year by year',
  revenue: 'Gross gaming revenue',
  change: 'Change on the year before',
  coverage: 'coverage',
  coverageSaid: 'Coverage: countries begin or end in that year, so the change is not growth.',
  kinds: { country: 'Country', product: 'Product' },
  missing: (kind: 'country' | 'product'): string => `The data has no ${kind}`,
  noRevenue: 'There is no revenue here.',
  unclear: 'Its revenue has no sum until you choose which rows you mean.',
  source: (snapshot: string): string =>
    `Source: ${SERVICE}, ggr, snapshot ${snapshot}. Money is converted at each year’s rate.`,
  explore: (name: string): string => `Explore ${name} in full`,
  exploreAll: 'Explore all data',
  open: 'Open this chart',
} as const;

export const PICKER = {
  loading: 'Loading…',
  rows: 'rows',
  none: '–',
  nothing: 'No value has this name.',
  largestFirst: 'Largest first',
  inAll: (count: number): string => `${grouped(count)} in all`,
  chosen: (count: number): string => `${grouped(count)} chosen`,
  more: (count: number): string => `${grouped(count)} more: type to find them.`,
} as const;

export const SNAPSHOT_GONE = {
  title: 'is not retained',
  said: 'It may have been pruned, be older than the first publication, or have never existed. Another snapshot may have other numbers.',
  below: 'Below is its last answer. It stays until you ask for something else.',
  useCurrent: 'Use the current data',
  use: (snapshot: string): string => `Use ${snapshot}`,
} as const;

export const KEY_FORM = {
  title: 'Explore the data',
  lead: 'Charts, tables and files of gross gaming revenue, turnover, exchange rates and country indicators, by country, product, channel and year.',
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
    said: 'Nothing is lost. This page tries again by itself.',
  },
  away: {
    title: 'The service does not answer',
    said: 'It may be restarting, or the network is down. Nothing is lost. This page tries again by itself.',
  },
  below: 'Below is the answer to the question before.',
} as const;

export const ANSWER = {
  asking: 'Asking…',
  opening: 'Opening…',
  views: 'Views',
} as const;

export const ABOUT = {
  title: (dataset: string): string => `About ${datasetLabel(dataset).toLowerCase()}`,
  rows: rowsOf,
  years: (first: number, last: number | null): string => `, ${first} to ${last}`,
  snapshot: 'Snapshot',
  published: (moment: string | null): string =>
    `${moment === null ? '' : `, published ${moment}`}, fingerprint`,
  bytes: (bytes: number): string => `, ${grouped(bytes)} bytes, sha256`,
  units: 'Values and units',
  heads: ['Value', 'Unit', 'Adds up'],
  missing: 'Missing',
  yes: 'yes',
  withinYear: 'within a year',
  no: 'no',
  notAdded: 'What must not be added',
  notAddedOver: (dimensions: string): string =>
    `Before you add up, choose one value of each of these: ${dimensions}. The same amount is there under several of their values. The explorer chooses one and says which.`,
  dimensions: 'Dimensions',
  values: (count: number): string => `${grouped(count)} ${count === 1 ? 'value' : 'values'}`,
  sources: 'Snapshot and sources',
  forEver: 'A snapshot never changes: a link with “as of” repeats its numbers for as long as it is retained.',
  cite: 'Cite this',
  citeShort: 'Copy the short form',
  citeFull: 'Copy the full form',
} as const;

export const CHIPS = {
  label: 'What is selected',
  drop: (text: string): string => `Drop ${text}`,
  dropAll: 'Drop all filters',
  states: 'States only',
  asOf: (snapshot: string): string => `As of ${snapshot}`,
} as const;

export const CODE = {
  title: (selection: string): string => `Code for ${selection}`,
  language: 'Language',
  gives: (rows: number): string =>
    `It gives the ${rowsOf(rows)} of the table, with the key in the environment variable API_KEY.`,
  copy: 'Copy',
} as const;

export const COPY = {
  done: 'Copied',
  refused: 'The browser did not allow it',
} as const;

/** A difference such as `111 m more`. `size` is the signed difference, and `text` its absolute size in words. */
export const differenceText = (size: number, text: string): string =>
  size === 0 ? 'the same' : `${text} ${size > 0 ? 'more' : 'less'}`;

export const COMPARE = {
  title: (metric: string): string => `What changed in ${metric}`,
  from: 'From',
  to: 'to',
  only: 'Only one snapshot is retained, so there is nothing to compare with.',
  asking: 'Comparing…',
  since: 'Compare with',
  use: (snapshot: string): string => `Compare with ${snapshot}`,
  same: 'Nothing is different under these filters.',
  itself: 'This is the same snapshot. Choose another one to compare with.',
  revised: (rows: number): string => (rows === 1 ? 'row revised' : 'rows revised'),
  added: 'added',
  removed: 'removed',
  note: 'A forecast that is now reported counts as one row removed and one added.',
  largest: 'Largest revisions',
  partly: (loaded: number, all: number): string =>
    `Among the first ${grouped(loaded)} of ${grouped(all)} revised rows. Narrow the filters to see all of them.`,
  row: 'Row',
  difference: 'Difference',
  withdrawn: 'withdrawn',
  new: 'new',
} as const;

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
  showRows: (rows: number): string => `Show ${rowsOf(rows)}`,
  data: 'Data',
  metric: 'Metric',
  asOf: 'As of',
  current: (snapshot: string): string => `${snapshot} (current)`,
  pinned: (snapshot: string): string => `${snapshot} (this one for ever)`,
  search: (dimension: string): string => `Search ${dimension}`,
  searchHint: 'Search',
  clear: (dimension: string): string => `Clear ${dimension.toLowerCase()}`,
} as const;

export const FRAME = {
  skip: 'Skip to the content',
  service: 'Service',
  docs: 'API docs',
  left: 'Requests that this key has left',
  leftNow: (minute: number, day: number | null): string =>
    `${grouped(minute)} left this minute${day === null ? '' : `, ${grouped(day)} today`}`,
  forget: 'Forget key',
} as const;

export const TAKE_ALONG = {
  label: 'Take it along',
  files: 'Download what you see',
  formats: { csv: 'CSV', xlsx: 'Excel', parquet: 'Parquet', arrow: 'Arrow' },
  rows: (rows: number): string => `${rowsOf(rows)}. Or`,
  allRows: (rows: number): string => `all ${rowsOf(rows)}`,
  asParquet: (dataset: string): string => `of ${dataset} as Parquet.`,
  cancel: 'Cancel',
  picture: 'The chart as a picture',
  share: 'Share the link',
  latest: 'Link to the latest data',
  pinned: (snapshot: string): string => `Link to ${snapshot}`,
  noKey: 'Links do not contain your key: whoever opens one needs a key of their own.',
} as const;

export const CHART_TEXTS = {
  kinds: 'Kind of chart',
  log: 'Logarithmic',
  ownScales: 'Each its own scale',
  noValues: 'No values',
  valueless: (metric: string, rows: number): string =>
    rows === 1
      ? `The row has no value of ${metric}.`
      : `None of the ${rowsOf(rows)} has a value of ${metric}.`,
  noSums: 'No sums',
  allMixed: 'Every year has reported and estimated values, which are not added together.',
  noneAtAll: 'This snapshot has no value of it in any row.',
  othersHave: 'Other rows of this snapshot have one.',
  year: 'Year',
  not: (kind: ChartKind): string => `Not ${CHART_LABELS[kind].toLowerCase()}:`,
} as const;

export const NOTES = {
  partly: (years: string): string =>
    `${years}: some values are forecasts, because not every country has reported yet.`,
  began: (year: number, count: number, names: string): string =>
    `${year}: ${grouped(count)} ${count === 1 ? 'country begins' : 'countries begin'} (${names}). The jump is coverage, not growth.`,
  ended: (year: number, count: number, names: string): string =>
    `${year}: ${grouped(count)} ${count === 1 ? 'country ends' : 'countries end'} (${names}). The fall is coverage.`,
  detail: (year: number): string => `${year}: the same countries are reported in other detail.`,
  other: (count: number): string =>
    `${grouped(count)} more are summed as “Other”, which only a stacked chart draws.`,
  noOther: (count: number, areTooMany: boolean): string =>
    `${grouped(count)} more are not drawn. ${areTooMany ? 'They are too many for one sum: choose fewer in the filters.' : 'They have no sum: some of their values are missing or do not add up.'}`,
  missing: (count: number, isOfAllYears: boolean): string =>
    `${grouped(count)} ${count === 1 ? 'value is' : 'values are'} missing in the source${isOfAllYears ? ', in all years together,' : ''} and not counted as zero.`,
  leftOut: (shown: number, all: number): string =>
    `${shown} of ${grouped(all)} are drawn. Choose others in the filters.`,
  mixed: (points: number): string =>
    `${grouped(points)} points mix reported and estimated values, which are not added together, so they are gaps.`,
  reportedOnly: 'Show reported only',
  states: 'States are parts of their country and never all of it.',
  statesAlone: (names: string, count: number): string =>
    `Not in all of the sums: ${names}. ${count === 1 ? 'It has' : 'They have'} rows of states alone in a year or more.`,
  more: (names: string, count: number): string => `${names} and ${count} more`,
  source: (source: string, published: string | null): string =>
    `Source: ${source}${published === null ? '' : `, published ${published}`}.`,
} as const;

export const NOTICES = {
  askNow: 'Ask now',
  noDataset: 'There is no dataset',
  chooseOne: 'Choose one:',
  refused: 'The service cannot answer this',
  now: 'Now…',
  inSeconds: (seconds: number): string => `The next attempt is in ${seconds} s.`,
  noValues: (count: number): string =>
    count === 1 ? 'One value does not exist' : `${count} values do not exist`,
  hasNo: (dimension: string): string => `${dimensionLabel(dimension)} has no`,
  meant: 'Did you mean',
  more: (count: number): string => `And ${count} more.`,
  without: (count: number): string => `Go on without ${count === 1 ? 'it' : 'them'}`,
  leftOut: 'Some parts of this link do not fit the data. They were left out:',
  mistakes: { metric: 'the metric', dimension: 'the filter', split: 'the split by' },
  known: (names: string): string => `The data has: ${names}`,
} as const;

export const UNCLEAR = {
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
    `${grouped(count)} more under ${dimensionLabel(dimension)} in the filters.`,
  several: (name: string): string =>
    `There are several values for ${name === '' ? 'one year' : `${name} in one year`}`,
  whichOne: (year: number): string =>
    `These values do not add up, and ${year} has more than one of them. Say which one is meant:`,
  tooMany: 'Choose a few countries',
  tooManyWhy: (rows: number): string =>
    `These values do not add up, and ${grouped(rows)} of them do not fit into one chart. Choose up to twelve countries in the filters, or see all rows in the table.`,
} as const;

export const EMPTY = {
  title: 'No rows have all of this together',
  drop: 'Drop one filter:',
  notEnough: 'Dropping any one filter is not enough.',
  without: (dimension: string): string => `Without ${dimensionLabel(dimension).toLowerCase()}`,
  /** `mayBeFewer`: whether a default, such as a currency, may leave fewer rows. */
  rows: (rows: number, mayBeFewer: boolean): string => `: ${mayBeFewer ? 'up to ' : ''}${rowsOf(rows)}`,
  allYears: 'All years',
  noFilter: 'Without any filter',
} as const;

export const TABLE = {
  rows: 'Rows',
  loaded: (loaded: number, all: number): string => `${grouped(loaded)} of ${rowsOf(all)}`,
  sortedWithin: ', sorted within these',
  /** `loaded` is the number of rows that are copied; null for all rows. */
  copyCsv: (loaded: number | null): string =>
    loaded === null ? 'Copy as CSV' : `Copy these ${rowsOf(loaded)} as CSV`,
  copyTsv: (loaded: number | null): string =>
    loaded === null ? 'Copy for a spreadsheet' : `Copy these ${rowsOf(loaded)} for a spreadsheet`,
  inEveryRow: 'In every row:',
  allColumns: 'Show all columns',
  first: (rows: number): string => `The first ${grouped(rows)} are shown; a copy has all that are loaded.`,
  loading: 'Loading…',
  more: (rows: number): string => `Load ${grouped(rows)} more ${rows === 1 ? 'row' : 'rows'}`,
} as const;

export const FIGURES = {
  revenue: (year: number, unit: string): string => `Gross gaming revenue in ${year}, ${unit}`,
  on: (year: number): string => ` on ${year}`,
  rank: (rank: number, of: number): string => `${rank} of ${of}`,
  place: (kind: 'country' | 'product', year: number): string =>
    `Place among ${ENTITY.others[kind]} in ${year}`,
  share: 'Share of the world',
  someForecasts: 'some values are forecasts',
  in: (year: number, hasForecasts: boolean): string =>
    `in ${year}${hasForecasts ? `; ${FIGURES.someForecasts}` : ''}`,
  perAdult: (year: number, unit: string): string => `Revenue per adult in ${year}, ${unit}`,
  adults: (count: string): string => `${count} adults`,
  ofGdp: 'Revenue as a share of gross domestic product',
  gdp: (gdp: string, year: number): string => `of ${gdp} in ${year}`,
  inflation: (year: number): string => `Inflation in ${year}`,
} as const;
