// The bodies of all answers as zod schemas. The OpenAPI document is made from them, and a test holds true answers against them.

import { z } from 'zod';
import {
  additiveMetrics,
  DATASET_NAMES,
  type DatasetName,
  DIMENSION_NAMES,
  type DimensionName,
  datasetOf,
  dimensionOf,
  isFinancial,
} from '../../catalog/datasets.ts';

const FINANCIAL_NAMES = DATASET_NAMES.filter(isFinancial);
export const SUMMED_NAMES = DATASET_NAMES.filter((name) => additiveMetrics(name).length > 0);

const datasetName = z.enum(DATASET_NAMES).meta({ id: 'DatasetName', description: 'The name of a dataset.' });
const dimensionName = z
  .enum(DIMENSION_NAMES)
  .meta({ id: 'DimensionName', description: 'The name of a dimension.' });
const count = z.int().nonnegative();
const snapshotId = z
  .string()
  .regex(/^\d{4}-\d{2}\.\d+$/)
  .meta({ id: 'SnapshotId', description: 'A snapshot: its month and revision.', examples: ['2026-11.1'] });
const number = z.number().nullable();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const filtersApplied = z.partialRecord(dimensionName, z.array(z.string())).meta({
  id: 'FiltersApplied',
  description: 'The filters, each with its values in the order given; `period` as the years that it keeps.',
});

const pagination = z
  .object({
    cursor: z.string().nullable().meta({ description: 'For the next page; `null` on the last one.' }),
    has_more: z.boolean(),
  })
  .meta({ id: 'Pagination' });

const columnOf = (name: DimensionName) => {
  const { type, description } = dimensionOf(name);
  return (type === 'integer' ? z.int() : z.string()).meta({ description });
};

const dimensionsOf = (name: DatasetName) =>
  z.object(
    Object.fromEntries(datasetOf(name).dimensions.map((dimension) => [dimension, columnOf(dimension)])),
  );

const valuesOf = (name: DatasetName) =>
  z.object(
    Object.fromEntries(
      Object.entries(datasetOf(name).metrics).map(([metric, { description, unit }]) => [
        metric,
        number.meta({ description: `${description} (${unit})` }),
      ]),
    ),
  );

const pascal = (name: string) => name.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());

const rowOf = (name: DatasetName) =>
  z
    .object({ dimensions: dimensionsOf(name), values: valuesOf(name) })
    .meta({ id: `${pascal(name)}Row`, description: `A row of ${name}.` });

/** A page of rows: `data` has rows of the one dataset that `meta` names. */
export const financialsPage = z
  .object({
    meta: z.object({
      dataset: z.enum(FINANCIAL_NAMES),
      metric: z.enum(FINANCIAL_NAMES),
      filters_applied: filtersApplied,
      row_count: count.meta({ description: 'Rows of this page.' }),
    }),
    data: z.array(z.union(FINANCIAL_NAMES.map(rowOf))),
    pagination,
  })
  .meta({ id: 'FinancialsPage' });

export const referencePage = z
  .object({
    meta: z.object({
      dataset: z.enum(DATASET_NAMES.filter((name) => !isFinancial(name))),
      filters_applied: filtersApplied,
      row_count: count.meta({ description: 'Rows of this page.' }),
    }),
    data: z.array(
      dimensionsOf('country_reference').meta({
        id: 'CountryReferenceRow',
        description: 'A row of country_reference.',
      }),
    ),
    pagination,
  })
  .meta({ id: 'ReferencePage' });

export const catalogAnswer = z
  .object({
    datasets: z.array(
      z
        .object({
          name: datasetName,
          description: z.string(),
          granularities: z.array(z.enum(['annual'])),
          dimensions: z.array(dimensionName),
          metrics: z.array(z.string()),
        })
        .meta({ id: 'CatalogEntry' }),
    ),
  })
  .meta({ id: 'Catalog' });

const dimensionValue = z.union([z.string(), z.int()]);

export const valuesAnswer = z
  .object({
    meta: z.object({
      dataset: datasetName,
      filters_applied: filtersApplied,
      row_count: count.meta({ description: 'Rows that meet all filters.' }),
    }),
    values: z.partialRecord(dimensionName, z.array(z.object({ value: dimensionValue, row_count: count }))),
  })
  .meta({ id: 'Values' });

export const totalsPage = z
  .object({
    meta: z.object({
      dataset: z.enum(SUMMED_NAMES),
      by: z.array(dimensionName),
      filters_applied: filtersApplied,
      row_count: count.meta({ description: 'Groups of this page.' }),
      missing: z
        .record(z.string(), count)
        .optional()
        .meta({ description: 'Missing values of the whole selection, by metric. Absent without any.' }),
      not_summed: z.array(z.string()).optional().meta({ description: 'Metrics that do not add up.' }),
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

const side = z.record(z.string(), number).nullable();

export const changesPage = z
  .object({
    meta: z.object({
      dataset: datasetName,
      since: snapshotId,
      until: snapshotId,
      filters_applied: filtersApplied,
      row_count: count.meta({ description: 'Changes of this page.' }),
      counts: z
        .object({ added: count, removed: count, revised: count })
        .meta({ description: 'Of everything that the filters select, whatever `change` says.' }),
    }),
    data: z.array(
      z.object({
        change: z.enum(['added', 'removed', 'revised']),
        dimensions: z.partialRecord(dimensionName, dimensionValue),
        before: side.meta({ description: 'Values in `since`; `null` for an added row.' }),
        after: side.meta({ description: 'Values in `until`; `null` for a removed row.' }),
      }),
    ),
    pagination,
  })
  .meta({ id: 'ChangesPage' });

const file = z.object({ href: z.string() });

export const datasetAnswer = z
  .object({
    name: datasetName,
    description: z.string(),
    granularities: z.array(z.enum(['annual'])),
    row_count: count,
    years: z.object({ first: z.int().nullable(), last: z.int().nullable() }),
    dimensions: z.array(
      z.object({
        name: dimensionName,
        type: z.enum(['text', 'integer']),
        description: z.string(),
        values: count.meta({ description: 'How many values it has.' }),
      }),
    ),
    metrics: z.array(
      z.object({
        name: z.string(),
        unit: z.string(),
        description: z.string(),
        adds_up: z.boolean(),
        missing: count.meta({ description: 'How many of its values are empty.' }),
      }),
    ),
    not_additive_over: z.array(dimensionName),
    sort_order: z.array(dimensionName),
    sources: z.array(z.object({ file: z.string(), sha256, bytes: count })),
    files: z.object({
      parquet: file.extend({ bytes: count, sha256 }),
      csv: file,
      arrow: file,
      xlsx: file,
    }),
  })
  .meta({ id: 'Dataset' });

export const datasetsAnswer = z.object({ datasets: z.array(datasetAnswer) }).meta({ id: 'Datasets' });

export const snapshotsAnswer = z
  .object({
    snapshots: z.array(
      z
        .object({
          id: snapshotId,
          month: z.string(),
          published_at: z.string().meta({ format: 'date-time' }),
          current: z.boolean(),
          fingerprint: z.string(),
          datasets: z.partialRecord(
            datasetName,
            z.object({
              row_count: count,
              first_year: z.int().nullable(),
              last_year: z.int().nullable(),
            }),
          ),
        })
        .meta({ id: 'Snapshot' }),
    ),
  })
  .meta({ id: 'Snapshots' });

export const explainAnswer = z
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

const moment = z.string().meta({ format: 'date-time' });

export const usageAnswer = z
  .object({
    key: z.object({
      id: z.string(),
      label: z.string(),
      created_at: moment,
      expires_at: moment.nullable().meta({ description: '`null` for a key that does not expire.' }),
    }),
    limits: z.array(
      z.object({
        name: z.enum(['minute', 'day']),
        limit: count,
        used: count,
        remaining: count,
        window_seconds: count,
        resets_at: moment.meta({ description: 'When the next request of a full window is admitted.' }),
      }),
    ),
    days: z.array(
      z.object({
        date: z.string().meta({ format: 'date' }),
        requests: count.meta({ description: 'Requests that were admitted.' }),
        refused: count.meta({ description: 'Requests over a limit.' }),
      }),
    ),
  })
  .meta({ id: 'Usage' });

export const healthAnswer = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });

export const readinessAnswer = z
  .object({
    status: z.enum(['ready', 'not ready']),
    snapshot: z
      .object({
        id: snapshotId,
        age_seconds: count.nullable().meta({ description: 'Since its publication.' }),
      })
      .nullable(),
    redis: z.enum(['up', 'down']),
    warm: z.boolean().meta({ description: 'Whether the warm-up is over.' }),
  })
  .meta({ id: 'Readiness' });

export const errorAnswer = z
  .object({
    error: z.string(),
    details: z
      .object({
        formErrors: z.array(z.string()).meta({ description: 'Problems of no single parameter.' }),
        fieldErrors: z
          .record(z.string(), z.array(z.string()))
          .meta({ description: 'Problems by parameter.' }),
      })
      .optional(),
  })
  .meta({ id: 'Error' });

export const limitedAnswer = z
  .object({
    error: z.string(),
    retryAfterSeconds: z.int().min(1).meta({ description: 'As in the header `Retry-After`.' }),
  })
  .meta({ id: 'RateLimited' });
