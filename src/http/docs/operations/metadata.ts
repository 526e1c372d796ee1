// The endpoints that describe datasets and snapshots, and the schemas of their answers.

import { z } from 'zod';
import { DATASET_NAMES } from '../../../catalog/datasets.ts';
import { AS_OF, CONDITIONAL, jsonAnswer, type Operation } from './operation.ts';
import { count, datasetName, dateTime, dimensionName, sha256, snapshotId } from './schemas.ts';

const catalogAnswer = z
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

const file = z.object({ href: z.string() });

const datasetAnswer = z
  .object({
    name: datasetName,
    description: z.string(),
    granularities: z.array(z.enum(['annual'])),
    row_count: count,
    years: z.object({ first: z.int32().nullable(), last: z.int32().nullable() }),
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
        adds_up: z.boolean().meta({ description: 'Whether its values of one year may be summed.' }),
        adds_up_over_years: z.boolean().meta({
          description:
            'Whether its values of several years may be summed: those of a level, such as a population, may not.',
        }),
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

const datasetsAnswer = z.object({ datasets: z.array(datasetAnswer) }).meta({ id: 'Datasets' });

const snapshotsAnswer = z
  .object({
    snapshots: z.array(
      z
        .object({
          id: snapshotId,
          month: z.string(),
          published_at: dateTime.nullable(),
          current: z.boolean(),
          fingerprint: z.string(),
          datasets: z.partialRecord(
            datasetName,
            z.object({
              row_count: count,
              first_year: z.int32().nullable(),
              last_year: z.int32().nullable(),
            }),
          ),
        })
        .meta({ id: 'Snapshot' }),
    ),
    unreadable: z
      .array(snapshotId)
      .meta({ description: 'Snapshots whose files cannot be read now; left out when there are none.' })
      .optional(),
  })
  .meta({ id: 'Snapshots' });

export const METADATA: readonly Operation[] = [
  {
    path: '/v1/catalog',
    id: 'getCatalog',
    tag: 'Metadata',
    summary: 'The datasets with their dimensions and metrics',
    description:
      '`name` is what to pass as `metric`. A dataset without metrics is a lookup: pass its name as `dataset` to `/v1/reference`.',
    requestHeaders: AS_OF,
    answers: jsonAnswer(catalogAnswer),
    examples: [
      { summary: 'All datasets', request: '/v1/catalog' },
      { summary: 'A parameter where there is none', request: '/v1/catalog?dataset=ggr' },
    ],
  },
  {
    path: '/v1/datasets',
    id: 'getDatasets',
    tag: 'Metadata',
    summary: 'The datasets with their units, gaps, sources and files',
    description:
      'Describes every dataset: rows, years, units, missing values, over which dimensions nothing may be summed, sources and files.',
    requestHeaders: AS_OF,
    answers: jsonAnswer(datasetsAnswer),
    examples: [
      { summary: 'An unknown snapshot', request: '/v1/datasets', headers: { 'x-snapshot': '1999-01' } },
    ],
  },
  {
    path: '/v1/datasets/{name}',
    id: 'getDataset',
    tag: 'Metadata',
    summary: 'One dataset with its units, gaps, sources and files',
    description: 'An unknown name is 404.',
    parts: { name: DATASET_NAMES },
    requestHeaders: AS_OF,
    answers: jsonAnswer(datasetAnswer),
    examples: [{ summary: 'The country lookup', request: '/v1/datasets/country_reference' }],
  },
  {
    path: '/v1/snapshots',
    id: 'getSnapshots',
    tag: 'Metadata',
    summary: 'The retained snapshots',
    description: 'Newest publication first. `X-Snapshot`, `since` and `until` take their ids.',
    requestHeaders: CONDITIONAL,
    answers: jsonAnswer(snapshotsAnswer),
    examples: [{ summary: 'Both months of the sample', request: '/v1/snapshots' }],
  },
];
