// Guard `vanished`: a country, currency or year of the current snapshot is gone, from the dataset or from one country.

import {
  DATASET_NAMES,
  type DatasetName,
  type DimensionName,
  datasetOf,
  dimensionOf,
} from '../../src/catalog/datasets.ts';
import { groupBy } from '../../src/groupBy.ts';
import { onlyOf } from '../../src/onlyOf.ts';
import type { Comparison, DatasetComparison, LostValue } from '../compare/types.ts';
import { count, counted, listed, listedLines, spans } from '../messages/numbers.ts';
import type { Guard, GuardInput, Suspicion, Verdict } from './guard.ts';
import { wereRenamed } from './renamedRows.ts';
import { fewHolders } from './wording.ts';

/** The number of values that a message names. */
const NAMED = 5;

/** Refuses a value that is gone from the whole dataset, and warns of a year or currency that a country lost. */
export const vanished: Guard = (dataset, { comparison, renamings, verdicts }) => [
  ...goneFromDataset(
    dataset,
    (dimension, value, rows) =>
      wereRenamed(verdicts, dimension, { value, rows }) ||
      renamings.isRenamed(dataset.dataset, dimension, value) ||
      (dimension === 'fx' && goneFromRates(comparison).has(value)),
    hasRates(dataset.dataset) ? followersOf(comparison) : '',
  ),
  ...goneFromCountries(dataset, verdicts),
];

const hasRates = (dataset: DatasetName) => datasetOf(dataset).dimensions.includes('fx_local_currency');

/**
 * The currencies that no longer have rates, for example because countries adopted the euro. The finding of `fx` about them stands
 * for the findings of other datasets.
 */
const goneFromRates = ({ datasets }: Comparison): ReadonlySet<string | number> =>
  new Set(
    DATASET_NAMES.filter(hasRates)
      .flatMap((name) => datasets[name].dimensions)
      .filter(({ dimension }) => dimension === 'fx_local_currency')
      .flatMap(({ vanished }) => vanished.map(({ value }) => value)),
  );

/** The words for the datasets from which the same currencies are gone: `, and from ggr and turnover`. */
function followersOf(comparison: Comparison): string {
  const gone = goneFromRates(comparison);
  const names = DATASET_NAMES.filter((name) =>
    comparison.datasets[name].dimensions.some(
      ({ dimension, vanished }) => dimension === 'fx' && vanished.some(({ value }) => gone.has(value)),
    ),
  );
  return names.length === 0 ? '' : `, and from ${listed(names)}`;
}

const concerns = (dimension: DimensionName) =>
  dimension === 'country' || dimension === 'year' || dimensionOf(dimension).form === 'currency';

/** The singular and the plural by which messages name the values of a dimension. */
const nounsFor = (dimension: DimensionName): readonly [one: string, many: string] => {
  if (dimension === 'country') return ['country', 'countries'];
  return dimension === 'year' ? ['year', 'years'] : ['currency', 'currencies'];
};

/** One suspicion for each dimension with values that are gone from the dataset. */
function goneFromDataset(
  { dimensions, countries: countryCount }: DatasetComparison,
  isRenamed: (dimension: DimensionName, value: string | number, rows: number) => boolean,
  followers: string,
): Suspicion[] {
  return dimensions.flatMap(({ dimension, vanished: all }) => {
    if (!concerns(dimension)) return [];
    // The guard `renamed` reports values with a new name. A currency or year is not reported when all its countries are
    // gone, too.
    const values = all.filter(
      ({ value, rows, goneWithCountries }) =>
        !isRenamed(dimension, value, rows) && (dimension === 'country' || !goneWithCountries),
    );
    if (values.length === 0) return [];
    const isCountry = dimension === 'country';
    const concerned = new Set(
      values.flatMap(({ value, countries }) => (isCountry ? [String(value)] : countries)),
    );
    const few = isCountry ? '' : fewHolders([...concerned], countryCount);
    const place = few === '' ? '' : `${few}: `;
    const [singular, plural] = nounsFor(dimension);
    const names = namesOf(dimension, values);
    const subject =
      values.length === 1
        ? `${singular} ${names} is gone`
        : `${count(values.length)} ${plural} are gone (${names})`;
    const rows = values.reduce((sum, value) => sum + value.rows, 0);
    const message = `${place}${subject}, with ${counted(rows, 'row')}${isCountry || dimension === 'year' ? '' : followers}`;
    return [
      {
        severity: 'refuse' as const,
        message,
        country: onlyOf(concerned),
        isCause: followers !== '' && !isCountry && dimension !== 'year',
      },
    ];
  });
}

/** The names of values: spans of years, or a list of the first few. */
const namesOf = (dimension: DimensionName, values: readonly { readonly value: string | number }[]): string =>
  dimension === 'year'
    ? spans(values.map(({ value }) => Number(value)))
    : listed(
        values.map(({ value }) => String(value)),
        NAMED,
      );

/**
 * The suspicion about countries that lost a year or currency. Countries with a refused verdict are left out, because it reports
 * their lost rows, and so are values whose gone rows have a verdict.
 */
function goneFromCountries(
  { lost: everything }: DatasetComparison,
  verdicts: GuardInput['verdicts'],
): Suspicion[] {
  const all = everything.filter(
    (value) =>
      !verdicts.some(
        (verdict) =>
          verdict.country === value.country && (verdict.severity === 'refuse' || isGoneIn(verdict, value)),
      ),
  );
  if (all.length === 0) return [];
  const byCountry = groupBy(all, ({ country }) => country);
  const countriesWithValues = [...byCountry].map(([country, values]) => `${country} (${valueNames(values)})`);
  const summary = `${counted(byCountry.size, 'country', 'countries')} lost all figures of a year or currency`;
  const message = `${summary}: ${listed(countriesWithValues, NAMED)}`;
  const lines = [summary, ...listedLines(countriesWithValues, NAMED)];
  return [{ severity: 'warn', message, lines, country: onlyOf(byCountry.keys()) }];
}

/** Whether a verdict is about the rows of a lost value, or about all rows that the country lost. */
const isGoneIn = ({ pattern: { family, place } }: Verdict, { dimension, value }: LostValue): boolean =>
  family === 'gone' &&
  Object.entries(place).every(([name, of]) => name === 'country' || (name === dimension && of === value));

/** The lost values of a country: years such as `1960–1982`, then the codes of currencies. */
function valueNames(values: readonly LostValue[]): string {
  const years = values.filter(({ dimension }) => dimension === 'year').map(({ value }) => Number(value));
  const others = values.filter(({ dimension }) => dimension !== 'year').map(({ value }) => String(value));
  return [...(years.length === 0 ? [] : [spans(years)]), ...others].join(', ');
}
