// The schema of manifest.json: what a snapshot says of itself, written by ingest and checked by the server.

import { z } from 'zod';
import { DATASET_NAMES, type DatasetName } from './datasets.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().nonnegative();

const datasetSchema = z.strictObject({
  file: z.string(),
  /** The files its rows come from; none in snapshots older than this field. */
  sources: z.array(z.string()).default([]),
  rows: count,
  bytes: count,
  sha256,
  /** SHA-256 of each column's bytes in the file; none in snapshots older than this field. */
  columns: z.record(z.string(), sha256).default({}),
  /** Independent of engine and file layout: equal content, equal fingerprint. */
  fingerprint: sha256,
  /** Ascending; empty for a lookup. */
  years: z.array(z.int()),
  /** Every value of every text dimension in code-point order, with the rows that hold it. */
  dimensions: z.record(z.string(), z.array(z.strictObject({ value: z.string(), rows: count }))),
  metrics: z.record(z.string(), z.strictObject({ sum: z.number().nullable(), nulls: count })),
  /** The snapshot whose rows these are, where the month had no source and `--carry` kept them. */
  carried: z.string().nullable(),
});

const sourceSchema = z.strictObject({ file: z.string(), bytes: count, sha256 });

const acceptedSchema = z.strictObject({
  rule: z.string(),
  /** Missing where the rule was accepted for all datasets. */
  dataset: z.string().optional(),
  reason: z.string(),
  /** What the guard had said. */
  findings: z.array(z.string()),
});

export const manifestSchema = z.strictObject({
  format: z.literal(1),
  id: z.string().regex(/^\d{4}-\d{2}\.[1-9]\d*$/),
  month: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/),
  revision: z.int().positive(),
  engine: z.string(),
  fingerprint: sha256,
  sources: z.array(sourceSchema),
  recipe: z.strictObject({ name: z.string(), sha256, files: z.array(sourceSchema) }).nullable(),
  /** How sources were read where that was said, or found: none in snapshots older than this field. */
  reading: z
    .array(
      z.strictObject({
        option: z.enum(['numbers', 'missing', 'fill-down', 'scale']),
        value: z.string(),
        /** Left out where it holds for all files. */
        file: z.string().optional(),
        /** Left out where it holds for all columns. */
        column: z.string().optional(),
        /** True where nobody said it: a whole column was unmistakable. */
        found: z.boolean(),
      }),
    )
    .default([]),
  accepted: z.array(acceptedSchema.extend({ dataset: z.enum(DATASET_NAMES).optional() })),
  datasets: z.strictObject(
    Object.fromEntries(DATASET_NAMES.map((name) => [name, datasetSchema])) as Record<
      DatasetName,
      typeof datasetSchema
    >,
  ),
  /** What lies beside the Parquet files for people and programs; none in snapshots older than this field. */
  documents: z.array(sourceSchema).default([]),
});

/** The same of another version of the program: it may lack datasets, and hold some that are unknown here. */
export const anyManifestSchema = manifestSchema.extend({
  accepted: z.array(acceptedSchema),
  /** Those known here. */
  datasets: z.object(
    Object.fromEntries(DATASET_NAMES.map((name) => [name, datasetSchema.optional()])) as Record<
      DatasetName,
      z.ZodOptional<typeof datasetSchema>
    >,
  ),
});

/** What any version says of every dataset that it holds, known here or not, in the order in which it wrote them. */
export const heldDatasetsSchema = z.looseObject({
  datasets: z.record(
    z.string(),
    z.looseObject({ file: z.string(), bytes: count, sha256, rows: count, fingerprint: sha256 }),
  ),
});

export type HeldDatasets = z.infer<typeof heldDatasetsSchema>['datasets'];

/** As this version of the program writes it: it holds every dataset. */
export type Manifest = z.infer<typeof manifestSchema>;
/** As any version wrote it. */
export type AnyManifest = z.infer<typeof anyManifestSchema>;
export type DatasetManifest = z.infer<typeof datasetSchema>;
export type SourceManifest = z.infer<typeof sourceSchema>;
