// Describes the files of a snapshot as a Frictionless data package, so that catalogues and notebooks understand columns.

import path from 'node:path';
import { DATASET_NAMES, type DatasetName, datasetOf, rowOrder } from '../../src/catalog/datasets.ts';
import { tableSchemaFields } from '../../src/catalog/fields.ts';
import type { DatasetManifest, Manifest, SourceManifest } from '../../src/catalog/manifest.ts';

/** The file with the description, beside the Parquet files. The standard fixes its name. */
export const DATA_PACKAGE = 'datapackage.json';

/**
 * The content of a snapshot's `datapackage.json` (Data Package 2.0, datapackage.org). It depends only on the manifest.
 *
 * The property `unit` of a column and the properties `bytes` and `hash` of a source are our own. The standard allows
 * further ones.
 */
export function dataPackageOf(manifest: Omit<Manifest, 'documents'>): object {
  return {
    $schema: `${PROFILES}/datapackage.json`,
    name: 'gambling-data',
    title: `Gambling data, snapshot ${manifest.id}`,
    description: 'Gross gaming revenue, turnover, exchange rates and country indicators, by year',
    version: manifest.id,
    sources: manifest.sources.map(sourceOf),
    resources: DATASET_NAMES.map((name) => resourceOf(name, manifest.datasets[name])),
  };
}

const PROFILES = 'https://datapackage.org/profiles/2.0';

const sourceOf = ({ file, bytes, sha256 }: SourceManifest) => ({
  title: file,
  bytes,
  hash: `sha256:${sha256}`,
});

function resourceOf(name: DatasetName, { file, bytes, sha256, sources }: DatasetManifest) {
  const { description, lookup } = datasetOf(name);
  return {
    $schema: `${PROFILES}/dataresource.json`,
    name,
    type: 'table',
    path: path.basename(file),
    title: name,
    description,
    format: 'parquet',
    mediatype: 'application/vnd.apache.parquet',
    bytes,
    hash: `sha256:${sha256}`,
    sources: sources.map((title) => ({ title })),
    schema: {
      $schema: `${PROFILES}/tableschema.json`,
      fields: tableSchemaFields(name).map(({ required, ...field }) => ({
        ...field,
        constraints: { required },
      })),
      // No text stands for a missing value. The standard's default is the empty text, which is a value of `state`.
      missingValues: [],
      primaryKey: rowOrder(name),
      ...(lookup !== undefined && {
        foreignKeys: [
          { fields: ['region', 'country'], reference: { resource: lookup, fields: ['region', 'country'] } },
        ],
      }),
    },
  };
}
