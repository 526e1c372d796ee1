// Intended months: rows of every dataset, drawn by fast-check.

import fc from 'fast-check';
import {
  DATASET_NAMES,
  type DatasetName,
  type DimensionName,
  datasetOf,
  dimensionOf,
  isFinancial,
  metricNames,
} from '../../../src/catalog/datasets.ts';
import type { Row } from '../../support/snapshot.ts';

/** Rows of each dataset. All are different, and their statements about a country agree. */
export type Intended = Readonly<Record<DatasetName, readonly Row[]>>;

/**
 * Names with characters that separate fields, quote, begin formulas, mean something to programs, or take several
 * bytes.
 */
const COUNTRIES: Readonly<Record<string, string>> = {
  Malta: 'Europe',
  'Congo, Dem. Rep.': 'Africa',
  "Côte d'Ivoire": 'Africa',
  'Saint "Quoted"': 'Americas & Caribbean',
  'São Tomé; Príncipe': 'Africa',
  'A|B\\C': 'Oceania <South>',
  '=SUM(A1)': 'Europe',
  NULL: 'Asia',
  '2024': 'Asia',
  true: 'Asia',
  中国: 'Asia',
  _x0041_: 'Europe',
  "'Ōkina": 'Oceania <South>',
};

type CountryOrYear = 'year' | 'region' | 'country';

const TEXTS: Readonly<Record<Exclude<DimensionName, CountryOrYear>, readonly string[]>> = {
  state: ['', '', '', 'Nevada', 'New  South', 'Île-de-France', '0'],
  category: ['Betting', 'Gaming', 'Lottery'],
  product: ['Sport Betting', 'Casino, Slots', 'Poker', '#1 "Best"', '1e5', '-'],
  channel: ['Online', 'Land'],
  sub_channel: ['Onshore', 'Offshore', 'N/A'],
  fx: ['EUR', 'USD', 'GBP'],
  fx_local_currency: ['EUR', 'TRY', 'XAF'],
  temporal: ['Current', 'Forecast'],
  calculation: ['Reported', 'Calculated', 'Estimated'],
  country_type: ['Tracked', 'Amalgamated'],
};

const positive = fc.oneof(
  fc.integer({ min: 1, max: 10_000_000 }),
  fc.integer({ min: 1, max: 1e12 }).map((cents) => cents / 100),
  fc.double({ min: 1e-12, max: 1e15, noNaN: true }),
  fc.constantFrom(1, 0.1, 1e21, 1e-7, 9_007_199_254_740_991, 123_456_789.123_456_78, 5e-324, 1.797e99),
);

const VALUES = {
  positive,
  'not negative': fc.oneof({ weight: 9, arbitrary: positive }, { weight: 1, arbitrary: fc.constant(0) }),
  'usually not negative': fc.oneof(
    { weight: 9, arbitrary: positive },
    { weight: 1, arbitrary: positive.map((value) => -value) },
  ),
  any: fc.oneof(
    positive,
    fc.constant(0),
    positive.map((value) => -value),
  ),
};

const lookup = Object.entries(COUNTRIES).map(
  ([country, region], i): Row => ({ region, country, country_type: TEXTS.country_type[i % 2] ?? '' }),
);

export const intended = fc.record(
  Object.fromEntries(
    DATASET_NAMES.map((name) => [name, isFinancial(name) ? rowsOf(name) : fc.constant(lookup)]),
  ),
) as fc.Arbitrary<Intended>;

function rowsOf(dataset: DatasetName): fc.Arbitrary<readonly Row[]> {
  const { dimensions, metrics } = datasetOf(dataset);
  const texts = dimensions.filter((name) => name !== 'year' && name !== 'region' && name !== 'country');
  const row = fc.record({
    year: fc.integer({ min: 2015, max: 2030 }),
    country: fc.constantFrom(...Object.keys(COUNTRIES)),
    ...Object.fromEntries(texts.map((name) => [name, fc.constantFrom(...TEXTS[name])])),
    ...Object.fromEntries(
      Object.entries(metrics).map(([name, { sign }]) => [
        name,
        fc.option(VALUES[sign], { nil: null, freq: Object.keys(metrics).length > 1 ? 3 : 1_000_000 }),
      ]),
    ),
  }) as fc.Arbitrary<Record<string, string | number | null>>;
  return fc
    .uniqueArray(
      row.map((drawn): Row => ({ ...drawn, region: COUNTRIES[String(drawn.country)] ?? '' })),
      { selector: (each) => keyOf(dataset, each), minLength: 1, maxLength: 14 },
    )
    .map((rows) => rows.filter((each) => metricNames(dataset).some((name) => each[name] !== null)))
    .filter((rows) => rows.length > 0);
}

/** The key of a row, which distinguishes the rows of a dataset. */
export const keyOf = (dataset: DatasetName, row: Row): string =>
  JSON.stringify(
    datasetOf(dataset).dimensions.map((name) => row[name] ?? (dimensionOf(name).mayBeEmpty ? '' : null)),
  );
