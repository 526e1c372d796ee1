// The words with which findings name places, shares and cells.
// They are the same on terminals, in reports, JSON and manifests.

import { onlyOf } from '../../src/basics/lists.ts';
import { type DatasetName, type DimensionName, datasetOf, metricNames } from '../../src/catalog/datasets.ts';
import { type AnyPattern, isMerger, type Pattern, type ValuePair } from '../compare/patterns/patternTypes.ts';
import type { Revision, RowDimensions } from '../compare/revision.ts';
import {
  amountText,
  count,
  counted,
  exactPair,
  listed,
  partOf,
  roundedPercent,
  significantDigits,
  yearSpans,
} from '../messages/numbers.ts';
import { MANY_COUNTRIES } from './completeness.ts';

/**
 * The name of a place: `Malta, product Bingo, 2019`, `all countries of region Africa`, or `all countries` for the whole
 * dataset.
 */
export function placeName({ country, year, ...rest }: RowDimensions): string {
  const { region, ...narrower } = rest;
  const isRegion = country === undefined && region !== undefined;
  const others = Object.entries(isRegion ? narrower : rest).map(
    ([dimension, value]) => `${dimensionWord(dimension as DimensionName)} ${value === '' ? '(none)' : value}`,
  );
  const all = isRegion ? `all countries of region ${region}` : 'all countries';
  return [country ?? all, ...others, year].filter((part) => part !== undefined).join(', ');
}

/**
 * The name of the place of a pattern. A merger in several countries is about
 * `12 countries (Kenya, Malta, Peru and 9 more)`. The last pattern of a family has all remaining cells. It is about
 * `12 more countries (Kenya, Malta, Peru and 9 more)`.
 */
export function patternPlace(pattern: Pattern): string {
  const { place, further } = pattern;
  if (further === null) return placeName(place);
  const more = isMerger(pattern) ? '' : 'more ';
  return `${count(further.length)} ${more}${further.length === 1 ? 'country' : 'countries'} (${listed(further)})`;
}

/** The beginning of a clause: `all 220 values are`, `1 of 220 values is`. */
export const quantityClause = (cells: number, total: number, noun: string): string =>
  `${partOf(cells, total, noun)} ${cells === 1 ? 'is' : 'are'}`;

/**
 * The noun for the values of a pattern. It leaves out "forecast", because the message has `(forecasts)` behind the place.
 */
export const valueNoun = ({ forecast }: Pick<AnyPattern, 'forecast'>): string =>
  forecast ? 'value' : 'reported value';

/** The beginning of a clause about a pattern: `all 220 reported values are`. */
export const valuesClause = (pattern: AnyPattern): string =>
  quantityClause(pattern.cells, pattern.of, valueNoun(pattern));

/** A factor by which figures moved: `× 1.05`, or `÷ 30` for 0.0333. */
export const factorText = (ratio: number): string =>
  ratio >= 1 ? `× ${significantDigits(ratio, 3)}` : `÷ ${significantDigits(1 / ratio, 3)}`;

/**
 * The beginning of a message about a metric: `gdp_usd, `; '' for the metric that gives its dataset the name, and for null.
 */
export const metricPrefix = (metric: string | null, dataset: DatasetName): string =>
  metric === null || metric === dataset ? '' : `${metric}, `;

/** The country that the place of a pattern names; null when it names none. */
export const countryOfPattern = ({ place: { country } }: AnyPattern): string | null =>
  country === undefined ? null : String(country);

/**
 * A message with the shares and the examples of a pattern, as one sentence and in lines:
 * `… (32 % of the country's total, 0.3 % of the dataset's; Malta 2024 Bingo EUR: 5,200 → 0)`.
 */
export function withSharesAndExamples(
  message: string,
  pattern: AnyPattern,
  dataset: DatasetName,
): { readonly message: string; readonly lines: readonly string[] } {
  const filled = (parts: readonly string[]) => parts.filter((part) => part !== '');
  const [shares, examples] = [sharesOf(pattern, dataset), examplesOf(pattern)];
  const size = filled([shares, examples.join(', ')]).join('; ');
  return {
    message: size === '' ? message : `${message} (${size})`,
    lines: filled([message, shares, ...examples]),
  };
}

/**
 * The shares of a pattern. Rates and percentages have no total, and a country has one figure of an indicator in a year,
 * which would always be all of its total.
 */
function sharesOf(pattern: AnyPattern, dataset: DatasetName): string {
  const { countryShare, datasetShare, metric, place } = pattern;
  const { dimensions, metrics } = datasetOf(dataset);
  const addsUp = metrics[metric ?? metricNames(dataset)[0] ?? '']?.addsUp === true;
  const hasParts = addsUp && dimensions.includes('product');
  const shares = [
    ...(hasParts && countryShare > 0 && place.country !== undefined ? [shareOfCountry(pattern)] : []),
    ...(!addsUp || datasetShare === null || datasetShare === 0 ? [] : [shareOfDataset(datasetShare)]),
  ];
  return shares.join(', ');
}

const examplesOf = ({ examples, place }: AnyPattern): readonly string[] =>
  examples.map((example) => cellText(example, place));

/**
 * The words for a cell: `2024 Bingo EUR: 5,200 → 0`. Dimensions that the place names are left out. If the place names a
 * later year, the second value is of that year: `2023 → 2024 Bingo EUR: 5,200 → 0`.
 */
export function cellText({ key, from, to }: Revision, place: RowDimensions): string {
  const { country, year, region: _, temporal: __, ...rest } = key;
  const isOfTwoYears = to !== null && place.year !== undefined && place.year !== year;
  const names = [
    ...(place.country === undefined && country !== undefined ? [country] : []),
    ...(year === undefined ? [] : [isOfTwoYears ? `${year} → ${place.year}` : year]),
    ...Object.entries(rest)
      .filter(([dimension, value]) => !(dimension in place) && value !== '')
      .map(([, value]) => value),
  ].join(' ');
  if (from === null && to === null) return names;
  if (from === null) return `${names}: ${amountText(to)}`;
  if (to === null) return `${names}: ${amountText(from)}`;
  return `${names}: ${exactPair(from, to).join(' → ')}`;
}

/**
 * A share in words. It may be above 100 %, because a country's own rows may add up to less than the rows of its states: in
 * some countries, the own rows have only figures that no state reports.
 */
function shareOfCountry({ countryShare, historyShare, place }: AnyPattern): string {
  const isOfSome =
    place.year === undefined && place.fx === undefined && historyShare < ALL_YEARS_SHARE * countryShare;
  const years = isOfSome ? ' in these years and currencies' : '';
  return countryShare > 1.005
    ? `more than the country's own total${years}`
    : `${shareText(countryShare)} of the country's total${years}`;
}

/**
 * If `historyShare` is less than this part of `countryShare`, the country also has years or currencies without such cells.
 */
const ALL_YEARS_SHARE = 0.9;

/** A share in words. It is above 100 % when new rows come to more than the dataset had. */
const shareOfDataset = (part: number): string =>
  part > 1.005 ? "more than the dataset's own total" : `${shareText(part)} of the dataset's`;

/** A share in percent with two digits; `under 0.01 %` for a tiny one. */
const shareText = (part: number): string => (part < 0.0001 ? 'under 0.01 %' : roundedPercent(part, 2));

const WORDS: Partial<Record<DimensionName, string>> = {
  fx: 'currency',
  fx_local_currency: 'local currency',
  sub_channel: 'sub-channel',
  country_type: 'type',
};

/** What people call the values of a dimension. */
export const dimensionWord = (dimension: DimensionName): string => WORDS[dimension] ?? dimension;

/** The names of the countries that had a value, if they are at most three of many (`all`); else ''. */
export const fewCountriesText = (countries: readonly string[], all: number): string =>
  countries.length > 3 || all < MANY_COUNTRIES ? '' : listed(countries);

/** A value in quotes; `(none)` for an empty one. */
export const quoted = (value: string | number): string => (value === '' ? '(none)' : `"${value}"`);

/** The number of pairs of values that a message names. */
export const MOST_PAIRS_NAMED = 3;

/** The products that were merged into one: `"Bingo" and "Poker" → "Games"`. */
export function mergedNames(pairs: readonly ValuePair[]): string {
  const from = new Set(pairs.map((pair) => quoted(pair.from)));
  return `${listed([...from])} → ${quoted(pairs[0]?.to ?? '')}`;
}

/** The words for values that repeat others: `4 changed reported values repeat another year's: 2023 those of 2022`. */
export function repeatWords(pattern: AnyPattern): string {
  const { between, cells, of } = pattern;
  const isOne = cells === 1;
  const values = `${cells === of ? '' : `${count(cells)} of `}${counted(of, `changed ${valueNoun(pattern)}`)}`;
  return `${values} ${isOne ? 'repeats' : 'repeat'} another ${dimensionWord(between?.dimension ?? 'year')}'s: ${sourcesOf(pattern)}`;
}

/**
 * What the cells of a pattern repeat: `USD those of EUR`. Years are ascending. If more years than a message names each
 * repeat the year before or after, they are written as spans: `2004–2025 those of the year before`.
 */
function sourcesOf({ between, cells }: AnyPattern): string {
  const pronoun = cells === 1 ? 'that' : 'those';
  const isOfYears = between?.dimension === 'year';
  const pairs = [...(between?.pairs ?? [])];
  if (isOfYears) pairs.sort((a, b) => Number(a.to) - Number(b.to));
  const distance = onlyOf(pairs.map(({ from, to }) => Number(to) - Number(from)));
  if (isOfYears && pairs.length > MOST_PAIRS_NAMED && Math.abs(distance ?? 0) === 1)
    return `${yearSpans(pairs.map(({ to }) => Number(to)))} ${pronoun} of the year ${distance === 1 ? 'before' : 'after'}`;
  return listed(
    pairs.map(({ from, to }) => `${to || '(none)'} ${pronoun} of ${from || '(none)'}`),
    MOST_PAIRS_NAMED,
  );
}
