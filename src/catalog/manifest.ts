// The schema of manifest.json, which describes a snapshot. Ingest writes it, and the server checks it.

import { z } from 'zod';
import { MONTH } from './calendar.ts';
import { byDataset, DATASET_NAMES } from './datasets.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().nonnegative();

const datasetSchema = z.strictObject({
  file: z.string(),
  /** The source files of the dataset's rows; empty in snapshots of earlier versions. */
  sources: z.array(z.string()).default([]),
  rows: count,
  bytes: count,
  sha256,
  /** The SHA-256 of each column's bytes in the file; empty in snapshots of earlier versions. */
  columns: z.record(z.string(), sha256).default({}),
  /** A digest of the rows. It does not depend on the version of DuckDB or the layout of the file. */
  fingerprint: sha256,
  /** The years of the rows, ascending; empty for a lookup. */
  years: z.array(z.int()),
  /** The values of each text dimension in code-point order, each with its number of rows. */
  dimensions: z.record(z.string(), z.array(z.strictObject({ value: z.string(), rows: count }))),
  metrics: z.record(z.string(), z.strictObject({ sum: z.number().nullable(), nulls: count })),
  /** The snapshot from which the rows were carried, because the month had no source; otherwise null. */
  carried: z.string().nullable(),
});

const sourceSchema = z.strictObject({ file: z.string(), bytes: count, sha256 });

const acceptedSchema = z.strictObject({
  rule: z.string(),
  /** Missing when the rule was accepted for all datasets. */
  dataset: z.string().optional(),
  /** Missing when the rule was accepted for all countries. */
  country: z.string().optional(),
  reason: z.string(),
  /** What the guard had found. */
  findings: z.array(z.string()),
});

/** The schema of a manifest that this version writes. */
export const manifestSchema = z.strictObject({
  format: z.literal(1),
  id: z.string().regex(/^\d{4}-\d{2}\.[1-9]\d*$/),
  month: z.string().regex(MONTH),
  revision: z.int().positive(),
  engine: z.string(),
  fingerprint: sha256,
  sources: z.array(sourceSchema),
  recipe: z.strictObject({ name: z.string(), sha256, files: z.array(sourceSchema) }).nullable(),
  /** The reading options that were given or detected; empty in snapshots of earlier versions. */
  reading: z
    .array(
      z.strictObject({
        option: z.enum(['numbers', 'missing', 'fill-down', 'scale']),
        value: z.string(),
        /** Missing for an option that applies to all files. */
        file: z.string().optional(),
        /** Missing for an option that applies to all columns. */
        column: z.string().optional(),
        /**
         * True when the option was detected, because a whole column could be read in only one way; false when given.
         */
        found: z.boolean(),
      }),
    )
    .default([]),
  accepted: z.array(acceptedSchema.extend({ dataset: z.enum(DATASET_NAMES).optional() })),
  datasets: z.strictObject(byDataset(() => datasetSchema)),
  /** The documents beside the Parquet files; empty in snapshots of earlier versions. */
  documents: z.array(sourceSchema).default([]),
});

/** A manifest of any version of the program. It may lack datasets, and have some that are unknown to this version. */
export const anyManifestSchema = manifestSchema.extend({
  accepted: z.array(acceptedSchema),
  /** The datasets that this version knows. Others are left out. */
  datasets: z.object(byDataset(() => datasetSchema.optional())),
});

/** All datasets in a manifest of any version, in the order of the manifest. Some may be unknown to this version. */
export const listedDatasetsSchema = z.looseObject({
  datasets: z.record(
    z.string(),
    z.looseObject({ file: z.string(), bytes: count, sha256, rows: count, fingerprint: sha256 }),
  ),
});

export type ListedDatasets = z.infer<typeof listedDatasetsSchema>['datasets'];

/** A manifest of this version of the program. It has all datasets. */
export type Manifest = z.infer<typeof manifestSchema>;
export type AnyManifest = z.infer<typeof anyManifestSchema>;
export type DatasetManifest = z.infer<typeof datasetSchema>;
export type SourceManifest = z.infer<typeof sourceSchema>;
