// Makes the text of docs/datasets.md from the table of datasets, so that the page cannot fall behind the code.

import {
  additiveMetrics,
  DATASET_NAMES,
  type DatasetName,
  DIMENSIONS,
  datasetOf,
  dimensionOf,
  isFinancial,
  type Metric,
  metricNames,
  rowOrder,
} from '../src/catalog/datasets.ts';

/** The text of docs/datasets.md. */
export const datasetsPage = (): string => `${sections().join('\n\n')}\n`;

function sections(): readonly string[] {
  return [
    '# Datasets',
    'For everybody who uses the data: every dataset, dimension and metric. Generated from `src/catalog/datasets.ts` by `UPDATE_DOCS=1 npm test -- test/docs`.',
    'Columns are listed in the order of the Parquet files. There, text is never null, `year` is a 32-bit integer, and a metric is a double that may be null.',
    ...DATASET_NAMES.map(section),
    '## Dimensions',
    table(
      ['Dimension', 'Meaning', 'Datasets'],
      Object.entries(DIMENSIONS).map(([name, { description }]) => [
        code(name),
        description,
        DATASET_NAMES.filter((dataset) => datasetOf(dataset).dimensions.some((other) => other === name))
          .map(code)
          .join(', '),
      ]),
    ),
    '## Values',
    'The service itself tells `Current` from `Forecast` and leaves `Amalgamated` out of rankings. The other meanings are those of the sample.',
    table(['Dimension', 'Value', 'Means'], VALUES),
    '`fx_current_usd` and `fx_current_eur` are the rates of each year. `fx_constant_usd` and `fx_constant_eur` are those of one base year (in the sample 2025), the same in all years. Amounts of the sample in USD and EUR are converted at the rates of each year.',
  ];
}

const VALUES = [
  [
    '`temporal`',
    '`Current`',
    'A reported figure. It has nothing to do with the current snapshot or with current rates',
  ],
  ['`temporal`', '`Forecast`', 'A figure of a year that the country has not reported yet'],
  ['`sub_channel`', '`Onshore`', 'Online, from operators with a licence of the country'],
  ['`sub_channel`', '`Offshore`', 'Online, from operators without such a licence'],
  ['`sub_channel`', '`Retail`', 'On land, in shops, bars and lottery points of sale'],
  ['`sub_channel`', '`Venue`', 'On land, in casinos, halls, arcades and racecourses'],
  ['`calculation`', '`Reported`', 'As somebody published it'],
  ['`calculation`', '`Calculated`', 'Derived from other figures'],
  ['`calculation`', '`Estimated`', 'Of a year that is not reported yet'],
  ['`country_type`', '`Tracked`', 'A country that has figures of its own'],
  [
    '`country_type`',
    '`Amalgamated`',
    'The other countries of a region together, such as Rest of Africa: an estimate',
  ],
];

function section(name: DatasetName): string {
  const { description, granularities, dimensions, metrics, lookup } = datasetOf(name);
  const served = isFinancial(name)
    ? `\`GET /v1/financials?metric=${name}\``
    : `\`GET /v1/reference?dataset=${name}\``;
  const additive = additiveMetrics(name);
  const apart = dimensions.filter((dimension) => dimensionOf(dimension).notAdditive !== undefined);
  return [
    `## ${name}`,
    `${description}.`,
    [
      `- Served by ${served}; in notebooks \`data/current/${name}.parquet\`.`,
      `- Granularity: ${granularities.join(', ') || 'none, it has no time dimension'}.`,
      `- Row order, and what makes a row unique: ${rowOrder(name).map(code).join(', ')}.`,
      ...(additive.length === 0
        ? []
        : [`- Sums are right over one value each of ${apart.map(code).join(', ')}.`]),
      ...(lookup === undefined ? [] : [`- Every country and region is listed in \`${lookup}\`.`]),
    ].join('\n'),
    table(
      ['Column', 'Kind', 'Type', 'Unit', 'Adds up', 'Meaning'],
      [
        ...dimensions.map((dimension) => {
          const { type, description: meaning } = dimensionOf(dimension);
          return [code(dimension), 'dimension', type, type === 'integer' ? 'year' : 'text', '', meaning];
        }),
        ...metricNames(name).map((metric) => [
          code(metric),
          'metric',
          'double',
          metrics[metric]?.unit ?? '',
          addsUp(metrics[metric]),
          metrics[metric]?.description ?? '',
        ]),
      ],
    ),
  ].join('\n\n');
}

const addsUp = (metric?: Metric): string =>
  metric?.addsUp === undefined ? 'no' : metric.isStock ? 'within a year' : 'yes';

/** A table with padded columns. A Markdown formatter pads them in the same way and changes nothing. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((cells) => (cells[i] ?? '').length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

const code = (text: string): string => `\`${text}\``;
