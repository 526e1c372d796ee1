// Guard `new-values`: a text dimension has a value that the current snapshot does not have.

import { type DimensionName, datasetOf, dimensionOf } from '../../src/catalog/datasets.ts';
import { groupBy } from '../../src/groupBy.ts';
import type { Family, Pattern } from '../compare/patterns/types.ts';
import type { DatasetComparison, NewValue } from '../compare/types.ts';
import { CURRENCY_CODES } from '../messages/currencyCodes.ts';
import { count, counted, listed } from '../messages/numbers.ts';
import type { Guard, GuardInput, Suspicion } from './guard.ts';
import { wordFor } from './wording.ts';

/** Dimensions with a few well-known values, where a new value is probably a mistake. */
const CLOSED_LISTS: readonly DimensionName[] = [
  'temporal',
  'calculation',
  'category',
  'channel',
  'country_type',
];

/** The number of countries that a message names for a value. */
const COUNTRIES = 3;

/** Leaves out values that another finding already names: a renaming, or a pattern of new rows; and those that a new country brings. */
export const newValues: Guard = (compared, { renamings, verdicts }) => {
  const { dataset, newValues: all } = compared;
  const isRenamed = ({ dimension, value }: NewValue) =>
    renamings.in(dataset).some((renaming) => renaming.dimension === dimension && renaming.to === value);
  const told = all.filter(
    (value) => !isReported(value, verdicts) && !isRenamed(value) && !isBroughtByCountry(value, compared),
  );
  return [...groupBy(told, groupOf).values()].flatMap((values) =>
    values.length < FEWEST_TOGETHER ? values.map(suspicionOf) : [suspicionOfAll(values)],
  );
};

/**
 * Whether a value comes with a new country: its region, which the lookup reports, because all datasets must have the lookup's, and its
 * currency. A first load reports neither.
 */
function isBroughtByCountry(
  { dimension, value, countries, replaces }: NewValue,
  { dataset, dimensions }: DatasetComparison,
): boolean {
  if (dimension === 'region') return datasetOf(dataset).lookup !== undefined;
  if (dimensionOf(dimension).form !== 'currency' || replaces !== null || !CURRENCY_CODES.has(value))
    return false;
  const appeared = dimensions.find((one) => one.dimension === 'country')?.appeared ?? [];
  const fresh = new Set(appeared.map((country) => country.value));
  return countries.every((country) => fresh.has(country));
}

/** The number of values from which on one finding names them together, as when a country gets states. */
const FEWEST_TOGETHER = 3;

/** The key of a value's group, because one country may have many new values of a dimension. A value that may be a mistake is alone. */
function groupOf(value: NewValue): string {
  const { dimension, countries, nearest, replaces } = value;
  const isUnlikeOthers = nearest === null && replaces === null && suspicionOf(value).severity === 'warn';
  return JSON.stringify([dimension, countries, isUnlikeOthers && countries.length === 1 ? '' : value.value]);
}

function suspicionOfAll(all: readonly [NewValue, ...NewValue[]]): Suspicion {
  const [{ dimension, countries }] = all;
  const [country = null] = countries;
  const rows = all.reduce((sum, value) => sum + value.rows, 0);
  const names = listed(all.map(({ value }) => value));
  const message = `${country}: ${count(all.length)} values of ${wordFor(dimension)} are new (${names}), in ${counted(rows, 'row')}`;
  return { severity: 'warn', message, country };
}

function suspicionOf({ dimension, value, rows, countries, nearest, replaces }: NewValue): Suspicion {
  const unknownCurrency = dimensionOf(dimension).form === 'currency' && !CURRENCY_CODES.has(value);
  const refused = replaces !== null || unknownCurrency || CLOSED_LISTS.includes(dimension);
  const hints = [
    ...(unknownCurrency ? ['no currency has that code'] : []),
    ...(replaces === null ? [] : [`spelled nearly as "${replaces}", which lost rows there`]),
    ...(replaces === null && nearest !== null ? [`the nearest known one is "${nearest}"`] : []),
  ];
  const where = listed(countries, COUNTRIES);
  const message = `${where}: ${wordFor(dimension)} "${value}" is new, in ${counted(rows, 'row')}${hints.map((hint) => `; ${hint}`).join('')}`;
  const [only = null] = countries;
  return { severity: refused ? 'refuse' : 'warn', message, country: countries.length === 1 ? only : null };
}

/** Whether the finding of a pattern already names the value, because the pattern is about its renaming or its rows. */
const isReported = ({ dimension, value }: NewValue, verdicts: GuardInput['verdicts']) =>
  verdicts.some(
    ({ pattern: { family, between, examples } }) =>
      (family === 'renamed' &&
        between?.dimension === dimension &&
        between.pairs.some(({ to }) => to === value)) ||
      (FAMILIES_OF_ROWS.includes(family) && examples.some(({ key }) => key[dimension] === value)),
  );

/** The families of patterns that are about new rows, whose new values their findings name. */
const FAMILIES_OF_ROWS: readonly Family[] = ['sums', 'copied'];

/** Whether a pattern of new rows has a new value that this rule would refuse. */
export const bringsRefused = ({ family, examples }: Pattern, all: readonly NewValue[]): boolean =>
  FAMILIES_OF_ROWS.includes(family) &&
  all.some(
    (one) =>
      suspicionOf(one).severity === 'refuse' && examples.some(({ key }) => key[one.dimension] === one.value),
  );
