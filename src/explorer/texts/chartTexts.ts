// The words of charts: kinds of charts, breaks in coverage, notes, and the values of a year.

import { countOf, dimensionLabel, inSentence } from '../labels.ts';
import type { NamedBreak } from '../model/chartData.ts';
import { countText, rowCountText } from '../model/numberFormats.ts';
import type { ChartKind } from '../model/question.ts';
import { hasForecasts, hasGaps, type Series, valueAt } from '../model/series.ts';
import { SERVICE } from './pageTexts.ts';

export const CHART_LABELS: Readonly<Record<ChartKind, string>> = {
  lines: 'Lines',
  areas: 'Stacked',
  bars: 'Bars',
  multiples: 'Small charts',
};

/** The beginning of the sentence about a chart, for each kind of chart. */
export const CHART_KIND_IN_SENTENCE: Readonly<Record<ChartKind, string>> = {
  lines: 'Line chart',
  areas: 'Stacked area chart',
  bars: 'Bar chart',
  multiples: 'Small line charts',
};

export const CHART_NOTES = {
  forecast: 'Forecast',
  tapToClose: 'tap to close',
} as const;

/**
 * Says how a chart of these series shows forecasts and missing values, if it has some.
 *
 * @param year the year that bars show; null for all other charts.
 */
export const legendText = (kind: ChartKind, series: readonly Series[], year: number | null): string =>
  year !== null
    ? series.some((one) => valueAt(one, year) === null)
      ? NO_BAR
      : ''
    : `${hasForecasts(series) ? `${kind === 'areas' ? 'Pale' : 'Dashed'}: forecast. ` : ''}${hasGaps(series) ? 'Gap: no value.' : ''}`;

const NO_BAR = '–: no value.';

export const READOUT = {
  total: 'Total',
  noValue: '–',
  noValueSpoken: 'no value',
  forecast: 'forecast',
  ofCountry: (share: string, country: string | undefined): string =>
    `${share} of ${country ?? 'the country'}`,
} as const;

/** The label of a break, such as `29 countries begin in 2015`, or `2015: +29` when there is little room. */
export function breakLabel({ year, beginning, ending }: NamedBreak, isShort: boolean): string {
  const changed = beginning.length > 0 ? beginning : ending;
  if (changed.length === 0) return isShort ? `${year}: ±` : `Coverage changes in ${year}`;
  if (isShort) return `${year}: ${beginning.length > 0 ? '+' : '−'}${changed.length}`;
  const countries = changed.length === 1 ? '1 country' : countOf('country', changed.length);
  const verb = beginning.length > 0 ? 'begin' : 'end';
  return `${countries} ${verb}${changed.length === 1 ? 's' : ''} in ${year}`;
}

export const REFUSALS = {
  'several units': 'Each has a currency of its own, so they cannot share an axis.',
  'does not add up': 'These values do not add up, so they cannot be stacked.',
  incomplete: 'Some series have no value in some years, and a stack would show zero there.',
  negative: 'Some values are below zero, and a stack cannot show that.',
  'one series': 'There is only one series.',
  'one year': 'There is only one year, and a stack needs two.',
} as const;

export const CHART_TEXTS = {
  kinds: 'Kind of chart',
  log: 'Logarithmic',
  ownScales: 'Each its own scale',
  noValues: 'No values',
  valueless: (metric: string, rows: number): string =>
    rows === 1
      ? `The row has no value of ${metric}.`
      : `None of the ${rowCountText(rows)} has a value of ${metric}.`,
  noSums: 'No sums',
  allMixed: 'Every year has reported and estimated values, which are not added together.',
  noneAtAll: 'This snapshot has no value of it in any row.',
  othersHave: 'Other rows of this snapshot have one.',
  year: 'Year',
  not: (kind: ChartKind): string => `Not ${CHART_LABELS[kind].toLowerCase()}:`,
} as const;

export const NOTES = {
  partly: (years: string): string => `${years}: some values are forecasts, because not all are reported yet.`,
  began: (year: number, count: number, names: string): string =>
    `${year}: ${countText(count)} ${count === 1 ? 'country begins' : 'countries begin'} (${names}). The jump is coverage, not growth.`,
  ended: (year: number, count: number, names: string): string =>
    `${year}: ${countText(count)} ${count === 1 ? 'country ends' : 'countries end'} (${names}). The fall is coverage.`,
  missingIn: ({ year, missingCount, yearBefore, missingCountBefore }: NamedBreak): string =>
    `${countText(missingCount)} ${missingCount === 1 ? 'value' : 'values'} of ${year} and ${countText(missingCountBefore)} of ${yearBefore} are missing in the source. The change is coverage.`,
  detail: (year: number): string => `${year}: the same countries are reported in other detail.`,
  other: (count: number): string =>
    `${countText(count)} more are summed as “Other”, which only a stacked chart draws.`,
  noOther: (count: number, areTooMany: boolean): string =>
    `${countText(count)} more are not drawn. ${areTooMany ? 'They are too many for one sum: choose fewer in the filters.' : 'They have no sum: some of their values are missing or do not add up.'}`,
  missing: (count: number, isOfAllYears: boolean): string =>
    `${countText(count)} ${count === 1 ? 'value is' : 'values are'} missing in the source${isOfAllYears ? ', in all years together,' : ''} and in no sum.`,
  leftOut: (drawn: number, all: number): string =>
    `${drawn} of ${countText(all)} are drawn. Choose others in the filters.`,
  undrawn: (count: number): string => `${countText(count)} more are not drawn.`,
  mixed: (points: number): string =>
    `${countText(points)} points mix reported and estimated values, which are not added together, so they are gaps.`,
  reportedOnly: 'Show reported only',
  states: 'States are parts of their country and never all of it.',
  leftOutCountries: {
    'states alone': (names: string, count: number): string =>
      `Not in all of the sums: ${names}. ${count === 1 ? 'It has' : 'They have'} rows of states alone in a year or more.`,
    'other currencies': (names: string, count: number): string =>
      `Not in all of the sums: ${names}. In a year or more, all ${count === 1 ? 'its' : 'their'} rows are in other currencies.`,
    'other temporal': (names: string, count: number): string =>
      `Not in all of the sums: ${names}. In a year or more, the filter “${dimensionLabel('temporal')}” leaves out all ${count === 1 ? 'its' : 'their'} rows.`,
  },
  more: (names: string, count: number): string => `${names} and ${count} more`,
  atRate: ', converted at each year’s rate',
  /** The data of an answer. `currency` is null when the rows have none, or several. */
  data: (dataset: string, currency: string | null, snapshot: string): string =>
    `${SERVICE}, ${dataset}${currency === null ? '' : `, ${inSentence(dimensionLabel('fx'))} ${currency}`}, snapshot ${snapshot}`,
  source: (source: string, published: string | null): string =>
    `Source: ${source}${published === null ? '' : `, published ${published}`}.`,
} as const;
