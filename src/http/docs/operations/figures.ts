// The endpoints that count rows, sum them or say how to get them, and the schemas of their answers.

import { z } from 'zod';
import { additiveMetrics, DATASET_NAMES } from '../../../catalog/datasets.ts';
import { PARAMETER_RULES } from '../../../query/parameters/parameterRules.ts';
import { FILTERED, jsonAnswer, type Operation, pageAnswers } from './operation.ts';
import {
  count,
  datasetName,
  dimensionName,
  dimensionValue,
  FINANCIAL_NAMES,
  filtersApplied,
  number,
  pagination,
} from './schemas.ts';

const SUMMED_NAMES = DATASET_NAMES.filter((name) => additiveMetrics(name).length > 0);

const totalsPage = z
  .object({
    meta: z.object({
      dataset: z.enum(SUMMED_NAMES),
      by: z.array(dimensionName),
      filters_applied: filtersApplied,
      row_count: count.meta({ description: 'Groups of this page.' }),
      missing: z.record(z.string(), count).optional().meta({
        description: 'Missing values of the whole selection, by metric. Absent when there are none.',
      }),
      not_summed: z.array(z.string()).optional().meta({ description: 'Metrics that do not add up.' }),
      states_alone: z.array(z.string()).optional().meta({
        description:
          'Countries that `state=` leaves out, because in some year they have only rows of states. Absent when there are none.',
      }),
      currencies_alone: z.array(z.string()).optional().meta({
        description:
          'Countries that a single `fx` leaves out, because in some year all their rows are in other currencies. Absent when there are none.',
      }),
      temporal_alone: z.array(z.string()).optional().meta({
        description:
          'Countries that a single `temporal` leaves out, because in some year that the sums have, all their rows have another one, such as forecasts. Absent when there are none.',
      }),
      notes: z.array(z.string()).optional(),
    }),
    data: z.array(
      z.object({
        dimensions: z.partialRecord(dimensionName, dimensionValue),
        values: z.record(z.string(), number),
        rows_summed: count,
      }),
    ),
    pagination,
  })
  .meta({ id: 'TotalsPage' });

const valuesAnswer = z
  .object({
    meta: z.object({
      dataset: datasetName,
      filters_applied: filtersApplied,
      row_count: count.meta({ description: 'Rows that meet all filters.' }),
    }),
    values: z.partialRecord(dimensionName, z.array(z.object({ value: dimensionValue, row_count: count }))),
  })
  .meta({ id: 'Values' });

const explainAnswer = z
  .object({
    meta: z.object({
      dataset: datasetName,
      metric: z.enum(FINANCIAL_NAMES).optional(),
      filters_applied: filtersApplied,
      row_count: count.meta({ description: 'All rows that the filters select.' }),
    }),
    sql: z.string().meta({ description: 'One DuckDB statement over the Parquet file of the snapshot.' }),
    curl: z.string(),
    python: z.string(),
    polars: z.string(),
    r: z.string(),
    javascript: z.string(),
  })
  .meta({ id: 'Explanation' });

export const FIGURES: readonly Operation[] = [
  {
    path: '/v1/totals',
    id: 'getTotals',
    tag: 'Figures',
    summary: 'Exact sums, or why they would be wrong',
    description:
      'Sums the metrics that add up, grouped by the dimensions in `by`. Sums are exact: the correctly rounded sum of the doubles.\n\nA sum that would be wrong is refused. Values do not add up over `fx`, `state`, `temporal` and `calculation`: each must be in `by`, or have a single value among the rows selected.',
    rules: [PARAMETER_RULES.totals],
    datasets: SUMMED_NAMES,
    requestHeaders: FILTERED,
    answers: pageAnswers(totalsPage),
    hasMetaHeader: true,
    examples: [
      {
        summary: 'Malta by year',
        request: '/v1/totals?dataset=ggr&by=year&country=Malta&fx=EUR&period=2023-01-01:2024-12-31',
      },
      { summary: 'A sum that would be wrong', request: '/v1/totals?dataset=ggr&by=country' },
      { summary: 'Nothing to sum', request: '/v1/totals?dataset=fx' },
    ],
  },
  {
    path: '/v1/values',
    id: 'getValues',
    tag: 'Figures',
    summary: 'Which values exist, and their rows',
    description:
      'For each dimension, the values of the rows that meet the filters on all other dimensions. So a filter does not hide the alternatives to its own values. `meta.row_count` counts the rows that meet all filters. Values ascend.',
    rules: [PARAMETER_RULES.values],
    requestHeaders: FILTERED,
    answers: jsonAnswer(valuesAnswer),
    examples: [
      {
        summary: 'Channels and categories in Malta',
        request: '/v1/values?dataset=ggr&country=Malta&dimension=channel&dimension=category',
      },
      { summary: 'A misspelt parameter', request: '/v1/values?dataset=ggr&countries=Malta' },
    ],
  },
  {
    path: '/v1/explain',
    id: 'explainQuery',
    tag: 'Figures',
    summary: 'A query as SQL and as programs',
    description:
      'Takes the parameters of `/v1/financials` (`metric`) or of `/v1/reference` (`dataset`). The programs walk all pages with the key in `API_KEY`, wait as 429 and 503 ask them to, and end with a data frame, an array or a file.',
    rules: [PARAMETER_RULES.financials, PARAMETER_RULES.reference],
    requestHeaders: FILTERED,
    answers: jsonAnswer(explainAnswer),
    examples: [
      { summary: 'Exchange rates of Malta', request: '/v1/explain?metric=fx&country=Malta' },
      { summary: 'Without metric and dataset', request: '/v1/explain' },
    ],
  },
];
