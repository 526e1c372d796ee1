// The table of all datasets and dimensions. Validation, the catalog, ingest, SQL, errors and documentation use it.

/** The facts about a dimension. They are the same in all datasets that have the dimension. */
export interface Dimension {
  readonly description: string;
  readonly type: 'text' | 'integer';
  /** Whether the empty text is a value, as for a row without a state. */
  readonly mayBeEmpty?: true;
  /** The form of values. A currency code is any three capital letters. */
  readonly form?: 'currency';
  /**
   * Why metrics must not be summed over several values of this dimension:
   * - `each counts in full`: the rows of each value stand for the whole, in another currency, place or method.
   * - `views of one year`: the same, but only if two values describe the same year of one series. A dataset has at most one
   *   such dimension, because totals compare rows that differ in this dimension alone.
   */
  readonly notAdditive?: 'each counts in full' | 'views of one year';
}

/** A metric of one dataset. */
export interface Metric {
  readonly unit: string;
  readonly description: string;
  /** The sign of values. Ingest refuses values of another sign. With `usually not negative` it only warns. */
  readonly sign: 'positive' | 'not negative' | 'usually not negative' | 'any';
  /**
   * Whether values of one year may be summed over countries. In a dataset with the dimension fx, they must be of one
   * currency.
   */
  readonly addsUp?: true;
  /** Whether the metric is a level at one moment, so that its values must not be summed over several years. */
  readonly isStock?: true;
}

/** A dataset: its dimensions and metrics, and the lookup of its countries. */
export interface Dataset {
  readonly description: string;
  readonly granularities: readonly 'annual'[];
  /**
   * The columns that can be filtered, in the order of contract §2.3 (§2.5 for a lookup). A dataset with metrics must
   * have `year`, `region`, `country`, `state` and `temporal`, which the checks and the report of a month use.
   */
  readonly dimensions: readonly DimensionName[];
  /** The numeric columns in contract order. A dataset without any is a lookup, which /v1/reference serves. */
  readonly metrics: Readonly<Record<string, Metric>>;
  /** The lookup that must contain the country and region of every row. */
  readonly lookup?: 'country_reference';
}

/** All dimensions, with the descriptions of the glossary in contract §2.4. */
export const DIMENSIONS = {
  year: { description: 'Calendar year', type: 'integer' },
  region: { description: 'Geographic region', type: 'text' },
  country: { description: 'Country name', type: 'text' },
  state: {
    description: 'State or province; empty where not applicable',
    type: 'text',
    mayBeEmpty: true,
    notAdditive: 'each counts in full',
  },
  category: { description: 'Gambling category, such as Betting, Gaming or Lottery', type: 'text' },
  product: { description: 'Product type, such as Sport Betting, Casino Slots or Poker', type: 'text' },
  channel: { description: 'Distribution channel, such as Online or Land', type: 'text' },
  sub_channel: { description: 'Sub-channel, such as Onshore or Offshore', type: 'text' },
  fx: {
    description: 'Currency code of the value, such as USD, GBP or EUR',
    type: 'text',
    form: 'currency',
    notAdditive: 'each counts in full',
  },
  fx_local_currency: { description: 'Local currency code', type: 'text', form: 'currency' },
  temporal: {
    description: 'Time classification, such as Current or Forecast',
    type: 'text',
    notAdditive: 'views of one year',
  },
  calculation: {
    description: 'Calculation method, such as Reported, Calculated or Estimated',
    type: 'text',
    notAdditive: 'each counts in full',
  },
  country_type: { description: 'Kind of country, such as Tracked or Amalgamated', type: 'text' },
} as const satisfies Record<string, Dimension>;

export type DimensionName = keyof typeof DIMENSIONS;

export const DIMENSION_NAMES = Object.keys(DIMENSIONS) as readonly DimensionName[];

const PLACE = ['year', 'region', 'country', 'state'] as const;
const MARKET = [...PLACE, 'category', 'product', 'channel', 'sub_channel', 'fx', 'temporal'] as const;

const rate = (terms: string, currency: string): Metric => ({
  unit: `${currency} per 1 unit of fx_local_currency`,
  description: `Exchange rate in ${terms} terms: ${currency} per unit of local currency`,
  sign: 'positive',
});

/** All datasets. docs/architecture.md lists the other places that a new one touches. */
export const DATASETS = {
  ggr: {
    description: 'Gross gaming revenue: revenue retained by operators after winnings are paid out',
    granularities: ['annual'],
    dimensions: MARKET,
    metrics: {
      ggr: {
        unit: 'currency of the fx dimension',
        description: 'Gross gaming revenue',
        sign: 'usually not negative',
        addsUp: true,
      },
    },
    lookup: 'country_reference',
  },
  turnover: {
    description: 'Turnover: total stakes and wagers before operator deductions',
    granularities: ['annual'],
    dimensions: MARKET,
    metrics: {
      turnover: {
        unit: 'currency of the fx dimension',
        description: 'Total stakes and wagers',
        sign: 'not negative',
        addsUp: true,
      },
    },
    lookup: 'country_reference',
  },
  fx: {
    description: 'Exchange rates applied across datasets, in constant and current terms for USD and EUR',
    granularities: ['annual'],
    dimensions: [...PLACE, 'fx_local_currency', 'temporal', 'calculation'],
    metrics: {
      fx_constant_usd: rate('constant', 'USD'),
      fx_current_eur: rate('current', 'EUR'),
      fx_constant_eur: rate('constant', 'EUR'),
      fx_current_usd: rate('current', 'USD'),
    },
    lookup: 'country_reference',
  },
  country: {
    description: 'Country-level indicators: gross domestic product, adult population and inflation',
    granularities: ['annual'],
    dimensions: [...PLACE, 'temporal', 'calculation'],
    metrics: {
      gdp_local_currency: {
        unit: 'local currency',
        description: 'Gross domestic product in local currency',
        sign: 'not negative',
      },
      gdp_usd: {
        unit: 'USD',
        description: 'Gross domestic product in US dollars',
        sign: 'not negative',
        addsUp: true,
      },
      adult_population: {
        unit: 'persons',
        description: 'Adult population',
        sign: 'not negative',
        addsUp: true,
        isStock: true,
      },
      inflation: { unit: 'percent', description: 'Annual consumer price inflation', sign: 'any' },
    },
    lookup: 'country_reference',
  },
  country_reference: {
    description: 'Country lookup: the region and the type of every country',
    granularities: [],
    dimensions: ['region', 'country', 'country_type'],
    metrics: {},
  },
} as const satisfies Record<string, Dataset>;

export type DatasetName = keyof typeof DATASETS;

export const DATASET_NAMES = Object.keys(DATASETS) as readonly DatasetName[];

/** A record with a value for each dataset, in the order of `DATASET_NAMES`. */
export const byDataset = <Value>(make: (name: DatasetName) => Value): Record<DatasetName, Value> =>
  Object.fromEntries(DATASET_NAMES.map((name) => [name, make(name)])) as Record<DatasetName, Value>;

/** The entry of a dataset, with the general type. */
export const datasetOf = (name: DatasetName): Dataset => DATASETS[name];

/** The entry of a dimension. */
export const dimensionOf = (name: DimensionName): Dimension => DIMENSIONS[name];

/** Whether the values of a dimension are texts. Otherwise they are years. */
export const isText = (name: DimensionName): boolean => DIMENSIONS[name].type === 'text';

/** The names of a dataset's metrics in contract order; empty for a lookup. */
export const metricNames = (name: DatasetName): readonly string[] => Object.keys(DATASETS[name].metrics);

/** The columns of a dataset in their order: the dimensions, then the metrics. */
export const columnNames = (name: DatasetName): readonly string[] => [
  ...DATASETS[name].dimensions,
  ...metricNames(name),
];

/** The unit of a metric; empty for a name that is no metric of the dataset. */
export const metricUnit = (name: DatasetName, metric: string): string =>
  datasetOf(name).metrics[metric]?.unit ?? '';

/** Whether a metric with this unit is an amount of money or a number of people, and not a rate or a percentage. */
export const isAmount = (unit: string): boolean => unit !== 'percent' && !unit.includes(' per ');

/** The metrics of a dataset that can be summed. */
export const additiveMetrics = (name: DatasetName): readonly string[] =>
  Object.entries(datasetOf(name).metrics).flatMap(([metric, { addsUp }]) => (addsUp ? [metric] : []));

/** The SQL types of the columns of a dataset's Parquet file, in their order: the dimensions, then the metrics. */
export const columnTypes = (name: DatasetName): Readonly<Record<string, 'INTEGER' | 'VARCHAR' | 'DOUBLE'>> =>
  Object.fromEntries([
    ...datasetOf(name).dimensions.map((d) => [d, dimensionOf(d).type === 'integer' ? 'INTEGER' : 'VARCHAR']),
    ...metricNames(name).map((metric) => [metric, 'DOUBLE']),
  ]);

/** Whether /v1/financials serves a dataset: it serves those with metrics, and /v1/reference serves the others. */
export const isFinancial = (name: DatasetName): boolean => metricNames(name).length > 0;

/** Whether a text is the name of a dataset. */
export const isDatasetName = (text: string): text is DatasetName => Object.hasOwn(DATASETS, text);

/** Whether a text is the name of a dimension of any dataset. */
export const isDimensionName = (text: string): text is DimensionName => Object.hasOwn(DIMENSIONS, text);

// The row order is part of the contract (ruling 13). Text is compared in code-point order.
const SORTED_BY = [
  'country',
  'state',
  'category',
  'product',
  'channel',
  'sub_channel',
  'fx',
  'fx_local_currency',
  'temporal',
  'calculation',
  'year',
  'region',
  'country_type',
] as const satisfies readonly DimensionName[];

type NotSortedBy = Exclude<DimensionName, (typeof SORTED_BY)[number]>;

// Compiles only if every dimension is in the list. Otherwise rows that differ only in a new dimension would count as
// duplicates.
const ROW_ORDER: NotSortedBy extends never ? readonly DimensionName[] : `SORTED_BY lacks ${NotSortedBy}` =
  SORTED_BY;

/** The dimensions by which the rows of a dataset are sorted, in this order. Together they are the key of a row. */
export const rowOrder = (name: DatasetName): readonly DimensionName[] =>
  ROW_ORDER.filter((dimension) => datasetOf(name).dimensions.includes(dimension));
