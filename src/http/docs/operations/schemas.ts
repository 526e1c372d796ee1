// The parts that the answers of several endpoints share, as zod schemas, and the bodies of errors.

import { z } from 'zod';
import {
  DATASET_NAMES,
  type DatasetName,
  DIMENSION_NAMES,
  type DimensionName,
  datasetOf,
  dimensionOf,
  isFinancial,
} from '../../../catalog/datasets.ts';

export const FINANCIAL_NAMES = DATASET_NAMES.filter(isFinancial);

export const datasetName = z
  .enum(DATASET_NAMES)
  .meta({ id: 'DatasetName', description: 'The name of a dataset.' });

export const dimensionName = z
  .enum(DIMENSION_NAMES)
  .meta({ id: 'DimensionName', description: 'The name of a dimension.' });

export const count = z.int().nonnegative();

export const snapshotId = z
  .string()
  .regex(/^\d{4}-\d{2}\.\d+$/)
  .meta({ id: 'SnapshotId', description: 'A snapshot: its month and revision.', examples: ['2026-11.1'] });

export const number = z.number().nullable();

export const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const filtersApplied = z.partialRecord(dimensionName, z.array(z.string())).meta({
  id: 'FiltersApplied',
  description: 'The filters, each with its values in the order given; `period` as the years that it keeps.',
});

export const pagination = z
  .object({
    cursor: z.string().nullable().meta({ description: 'For the next page; `null` on the last one.' }),
    has_more: z.boolean(),
  })
  .meta({ id: 'Pagination' });

const columnOf = (name: DimensionName) => {
  const { type, description } = dimensionOf(name);
  return (type === 'integer' ? z.int32() : z.string()).meta({ description });
};

/** The schema of the dimensions of a dataset's row. */
export const dimensionsOf = (name: DatasetName) =>
  z.object(
    Object.fromEntries(datasetOf(name).dimensions.map((dimension) => [dimension, columnOf(dimension)])),
  );

export const dimensionValue = z.union([z.string(), z.int32()]);

export const dateTime = z.string().meta({ format: 'date-time' });

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
    retryAfterSeconds: z.int32().min(1).meta({ description: 'As in the header `Retry-After`.' }),
  })
  .meta({ id: 'RateLimited' });
