// Guard `new-values`: a text dimension has a value that the current snapshot does not have.

import { groupBy, onlyOf } from '../../src/basics/lists.ts';
import { type DimensionName, datasetOf, dimensionOf } from '../../src/catalog/datasets.ts';
import type { DatasetComparison, NewValue } from '../compare/comparisonTypes.ts';
import type { Pattern, PatternFamily } from '../compare/patterns/patternTypes.ts';
import type { IntroducedRows, IntroducedValue } from '../compare/totalTypes.ts';
import { CURRENCY_CODES } from '../messages/currencyCodes.ts';
import { count, counted, listed } from '../messages/numbers.ts';
import type { GuardSeverity } from './finding.ts';
import { appearedIn, type Guard, type Suspicion } from './guard.ts';
import { type IntroducedEffect, introducedEffect, introducedEffectWords } from './introducedEffect.ts';
import { type AboutNewCountries, newCountrySuspicions, newCountryWords } from './newCountryFindings.ts';
import { dimensionWord } from './wording.ts';

/** Dimensions with a few well-known values. A new value of them is probably a mistake. */
const CLOSED_LISTS: readonly DimensionName[] = [
  'temporal',
  'calculation',
  'category',
  'channel',
  'country_type',
];

const MOST_VALUES_NAMED = 6;

const MOST_COUNTRIES_NAMED = 3;

/** A value that is new, or all rows with a value that is new to their country. */
export type FoundNewValue =
  | { readonly of: 'value'; readonly value: NewValue }
  | { readonly of: 'rows'; readonly effect: IntroducedEffect };

type AboutNewValues =
  | AboutNewCountries
  /** Values that other countries had before, such as a currency that all countries get. */
  | { readonly of: 'known'; readonly introduced: IntroducedRows; readonly effect: IntroducedEffect }
  | { readonly of: 'value'; readonly value: NewValue; readonly effect: IntroducedEffect | null }
  /** Values of one dimension that are new in one country. */
  | { readonly of: 'values'; readonly values: NewValues; readonly effect: IntroducedEffect | null }
  /** Values that the same countries got, such as a channel with its products. */
  | { readonly of: 'shared'; readonly values: NewValues; readonly effect: IntroducedEffect | null };

type NewValues = readonly [NewValue, ...NewValue[]];

/** Reports new values, and values that are new to their country if they moved totals or rows. */
export const newValuesGuard: Guard<FoundNewValue, AboutNewValues> = {
  find: (dataset, context) => {
    const effect = introducedEffect(dataset, context);
    return [
      ...dataset.newValues
        .filter((value) => !comesWithCountry(value, dataset))
        .map((value) => ({ of: 'value', value }) as const),
      ...(effect === null ? [] : [{ of: 'rows', effect } as const]),
    ];
  },
  gather: (found, { introduced }, { comparison }) => {
    const all = found.flatMap((one) => (one.of === 'value' ? [one.value] : []));
    const [effect = null] = found.flatMap((one) => (one.of === 'rows' ? [one.effect] : []));
    const countries = all.filter(({ dimension }) => dimension === 'country');
    const others = all.filter(({ dimension }) => dimension !== 'country');
    const [largest] = introduced.values;
    const isOfLargest = ({ dimension, value }: NewValue) =>
      dimension === largest?.dimension && value === largest.value;
    const effectOfKnown = largest === undefined || others.some(isOfLargest) ? null : effect;
    return [
      ...newCountrySuspicions(countries, comparison),
      ...(effectOfKnown === null ? [] : [suspicionOfKnown(introduced, effectOfKnown)]),
      ...[...groupBy(others, groupOf).values()].flatMap((values) =>
        suspicionsOfGroup(values, values.some(isOfLargest) ? effect : null),
      ),
    ];
  },
  words: (about, _, comparison) => {
    if (about.of === 'country' || about.of === 'countries')
      return { message: newCountryWords(about, comparison) };
    const effect = about.effect === null ? '' : introducedEffectWords(about.effect);
    return { message: `${valueWords(about)}${effect}` };
  },
};

function suspicionsOfGroup(
  values: NewValues,
  effect: IntroducedEffect | null,
): readonly Suspicion<AboutNewValues>[] {
  const [{ countries }] = values;
  if (countries.length > 1 && values.length > 1) {
    const isRefused = values.some((value) => severityOfValue(value) === 'refuse');
    return [suspicion(isRefused ? 'refuse' : 'warn', null, { of: 'shared', values, effect })];
  }
  if (values.length < FEWEST_TOGETHER)
    return values.map((value) =>
      suspicion(severityOfValue(value), onlyOf(value.countries), { of: 'value', value, effect }),
    );
  return [suspicion('warn', countries[0] ?? null, { of: 'values', values, effect })];
}

/**
 * A suspicion about new values. It is a refusal if the effect of their rows is one; otherwise it has the given severity.
 */
const suspicion = (
  severity: GuardSeverity,
  country: string | null,
  about: Exclude<AboutNewValues, AboutNewCountries>,
): Suspicion<AboutNewValues> => ({
  rule: 'new-values',
  severity: about.effect?.severity === 'refuse' ? 'refuse' : severity,
  country,
  isCause: about.effect !== null,
  about,
});

const suspicionOfKnown = (
  introduced: IntroducedRows,
  effect: IntroducedEffect,
): Suspicion<AboutNewValues> => {
  const [first, ...others] = introduced.values;
  const country = others.length === 0 ? onlyOf(first?.countries ?? []) : null;
  return suspicion('warn', country, { of: 'known', introduced, effect });
};

function valueWords(about: Exclude<AboutNewValues, AboutNewCountries>): string {
  if (about.of === 'value') return oneValueWords(about.value);
  if (about.of === 'known') {
    const { values, rows } = about.introduced;
    const [{ dimension, value, countries }, ...more] = values as readonly [IntroducedValue];
    const others = more.length === 0 ? '' : ` and ${counted(more.length, 'other value')}`;
    return `${listed(countries, MOST_COUNTRIES_NAMED)}: ${dimensionWord(dimension)} "${value}"${others} ${more.length === 0 ? 'is' : 'are'} new there, in ${counted(rows, 'row')}`;
  }
  const [{ dimension, countries }] = about.values;
  if (about.of === 'shared') {
    const values = about.values.toSorted((a, b) => b.rows - a.rows);
    const names = values.map((one) => `${dimensionWord(one.dimension)} "${one.value}"`);
    return `${listed(countries, MOST_COUNTRIES_NAMED)}: ${listed(names, MOST_VALUES_NAMED)} are new, in ${counted(values[0]?.rows ?? 0, 'row')} or fewer each`;
  }
  const rows = about.values.reduce((sum, value) => sum + value.rows, 0);
  const names = listed(about.values.map(({ value }) => value));
  return `${countries[0]}: ${count(about.values.length)} values of ${dimensionWord(dimension)} are new (${names}), in ${counted(rows, 'row')}`;
}

/**
 * Whether a value needs no finding of its own. A region is reported for the lookup, and all other datasets must have its
 * regions. A currency that exists and comes with a new country is expected.
 */
function comesWithCountry(
  { dimension, value, countries, replaces }: NewValue,
  compared: DatasetComparison,
): boolean {
  if (dimension === 'region') return datasetOf(compared.dataset).lookup !== undefined;
  if (dimensionOf(dimension).form !== 'currency' || replaces !== null || !CURRENCY_CODES.has(value))
    return false;
  const fresh = new Set(appearedIn(compared, 'country').map((country) => country.value));
  return countries.every((country) => fresh.has(country));
}

/** From this number of values on, one finding names them together, for example when a country gets states. */
const FEWEST_TOGETHER = 3;

/**
 * The key of a value's group. New values of the same several countries are one group, and so are new values of a dimension
 * in one country. A value that may be a mistake is a group by itself.
 */
function groupOf(value: NewValue): string {
  const { dimension, countries, nearest, replaces } = value;
  if (countries.length > 1 && !isMistakable(value)) return JSON.stringify(countries);
  const isUnlikeOthers = nearest === null && replaces === null && severityOfValue(value) === 'warn';
  return JSON.stringify([dimension, countries, isUnlikeOthers && countries.length === 1 ? '' : value.value]);
}

/** Whether a value looks like an error of spelling, or a currency that does not exist. */
const isMistakable = (value: NewValue): boolean =>
  value.nearest !== null || value.replaces !== null || isUnknownCurrency(value);

const isUnknownCurrency = ({ dimension, value }: NewValue): boolean =>
  dimensionOf(dimension).form === 'currency' && !CURRENCY_CODES.has(value);

const severityOfValue = (value: NewValue): GuardSeverity =>
  value.replaces !== null || isUnknownCurrency(value) || CLOSED_LISTS.includes(value.dimension)
    ? 'refuse'
    : 'warn';

function oneValueWords(one: NewValue): string {
  const { dimension, value, rows, countries, nearest, replaces } = one;
  const hints = [
    ...(isUnknownCurrency(one) ? ['no currency has that code'] : []),
    ...(replaces === null ? [] : [`spelled nearly as "${replaces}", which lost rows there`]),
    ...(replaces === null && nearest !== null ? [`the nearest known one is "${nearest}"`] : []),
  ];
  return `${listed(countries, MOST_COUNTRIES_NAMED)}: ${dimensionWord(dimension)} "${value}" is new, in ${counted(rows, 'row')}${hints.map((hint) => `; ${hint}`).join('')}`;
}

/** Whether a pattern names the value, because it is about its renaming or its rows. */
export const namesValue = ({ family, between, examples }: Pattern, { dimension, value }: NewValue): boolean =>
  (FAMILIES_OF_NAMES.includes(family) &&
    between?.dimension === dimension &&
    between.pairs.some(({ to }) => to === value)) ||
  (FAMILIES_OF_ROWS.includes(family) && examples.some(({ key }) => key[dimension] === value));

/** The families of patterns of rows with another name. */
const FAMILIES_OF_NAMES: readonly PatternFamily[] = ['renamed', 'merged', 'relabelled'];

/** The families of patterns of new rows. Their findings name the new values of the rows. */
const FAMILIES_OF_ROWS: readonly PatternFamily[] = ['sums', 'parts', 'copied'];

/** Whether a pattern of new rows has a new value that the guard `new-values` would refuse. */
export const bringsRefusedValue = ({ family, examples }: Pattern, all: readonly NewValue[]): boolean =>
  FAMILIES_OF_ROWS.includes(family) &&
  all.some(
    (one) =>
      severityOfValue(one) === 'refuse' && examples.some(({ key }) => key[one.dimension] === one.value),
  );
