// Guard `vanished`: a country, currency or year of the current snapshot is gone from a whole dataset.

import { groupBy, onlyOf } from '../../src/basics/lists.ts';
import {
  DATASET_NAMES,
  type DatasetName,
  type DimensionName,
  datasetOf,
  dimensionOf,
} from '../../src/catalog/datasets.ts';
import type { Comparison, DatasetComparison, VanishedValue } from '../compare/comparisonTypes.ts';
import { count, counted, listed, yearSpans } from '../messages/numbers.ts';
import type { Guard } from './guard.ts';
import { fewCountriesText } from './wording.ts';

const MOST_VALUES_NAMED = 5;

interface GoneValue {
  readonly dimension: DimensionName;
  readonly value: VanishedValue;
}

interface AboutGoneValues {
  readonly dimension: DimensionName;
  readonly values: readonly VanishedValue[];
  /** The other datasets from which the currencies are gone. */
  readonly followers: readonly DatasetName[];
}

/** Refuses values that are gone from the whole dataset, in one suspicion for each dimension. */
export const goneValuesGuard: Guard<GoneValue, AboutGoneValues> = {
  // A currency or year is not reported when all its countries are gone, too.
  find: ({ dimensions }) =>
    dimensions
      .filter(({ dimension }) => mayReport(dimension))
      .flatMap(({ dimension, vanished }) =>
        vanished
          .filter(({ goneWithCountries }) => dimension === 'country' || !goneWithCountries)
          .map((value) => ({ dimension, value })),
      ),
  gather: (found, { dataset }, { comparison }) =>
    [...groupBy(found, ({ dimension }) => dimension)].map(([dimension, all]) => {
      const values = all.map(({ value }) => value);
      const isCurrency = dimension !== 'country' && dimension !== 'year';
      const followers = isCurrency && hasRates(dataset) ? followersOf(comparison) : [];
      return {
        rule: 'vanished',
        severity: 'refuse',
        country: onlyOf(countriesConcerned(dimension, values)),
        isCause: followers.length > 0,
        about: { dimension, values, followers },
      };
    }),
  words: (about, dataset) => ({ message: `${goneWords(about, dataset)}${successorWords(about, dataset)}` }),
};

/**
 * The words for the currency that the new rows of the only country of a gone currency have:
 * `; the 28 new rows of Croatia are in EUR`. They are '' if the new rows have several currencies, or if not all are known.
 */
function successorWords({ dimension, values }: AboutGoneValues, { added, rows }: DatasetComparison): string {
  const country = dimension === 'country' ? null : onlyOf(countriesConcerned(dimension, values));
  if (country === null || dimensionOf(dimension).form !== 'currency' || rows.added > added.length) return '';
  const own = added.filter((key) => key.country === country);
  const currency = onlyOf(own.map((key) => key[dimension] ?? null));
  const [what, are] = own.length === 1 ? ['new row', 'is'] : [`${count(own.length)} new rows`, 'are'];
  return currency === null ? '' : `; the ${what} of ${country} ${are} in ${currency}`;
}

const hasRates = (dataset: DatasetName) => datasetOf(dataset).dimensions.includes('fx_local_currency');

/**
 * The currencies that no longer have rates, for example because countries adopted the euro. The finding of `fx` about them
 * stands for the findings of other datasets.
 */
export const goneFromRates = ({ datasets }: Comparison): ReadonlySet<string | number> =>
  new Set(
    DATASET_NAMES.filter(hasRates)
      .flatMap((name) => datasets[name].dimensions)
      .filter(({ dimension }) => dimension === 'fx_local_currency')
      .flatMap(({ vanished }) => vanished.map(({ value }) => value)),
  );

/** The datasets from which the same currencies are gone. */
function followersOf(comparison: Comparison): readonly DatasetName[] {
  const currencies = goneFromRates(comparison);
  return DATASET_NAMES.filter((name) =>
    comparison.datasets[name].dimensions.some(
      ({ dimension, vanished }) => dimension === 'fx' && vanished.some(({ value }) => currencies.has(value)),
    ),
  );
}

const mayReport = (dimension: DimensionName) =>
  dimension === 'country' || dimension === 'year' || dimensionOf(dimension).form === 'currency';

/** The singular and the plural by which messages name the values of a dimension. */
const nounsFor = (dimension: DimensionName): readonly [one: string, many: string] => {
  if (dimension === 'country') return ['country', 'countries'];
  return dimension === 'year' ? ['year', 'years'] : ['currency', 'currencies'];
};

/** The countries that had the values, or that are the values. */
const countriesConcerned = (
  dimension: DimensionName,
  values: readonly VanishedValue[],
): ReadonlySet<string> =>
  new Set(values.flatMap(({ value, countries }) => (dimension === 'country' ? [String(value)] : countries)));

function goneWords(
  { dimension, values, followers }: AboutGoneValues,
  { countries }: DatasetComparison,
): string {
  const few =
    dimension === 'country' ? '' : fewCountriesText([...countriesConcerned(dimension, values)], countries);
  const place = few === '' ? '' : `${few}: `;
  const [singular, plural] = nounsFor(dimension);
  const names = namesOf(dimension, values);
  const subject =
    values.length === 1
      ? `${singular} ${names} is gone`
      : `${count(values.length)} ${plural} are gone (${names})`;
  const rows = values.reduce((sum, value) => sum + value.rows, 0);
  const also = followers.length === 0 ? '' : `, and from ${listed(followers)}`;
  return `${place}${subject}, with ${counted(rows, 'row')}${also}`;
}

/** The names of values: spans of years, or a list of the first few. */
const namesOf = (dimension: DimensionName, values: readonly { readonly value: string | number }[]): string =>
  dimension === 'year'
    ? yearSpans(values.map(({ value }) => Number(value)))
    : listed(
        values.map(({ value }) => String(value)),
        MOST_VALUES_NAMED,
      );
