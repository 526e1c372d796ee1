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
  ];
}

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
