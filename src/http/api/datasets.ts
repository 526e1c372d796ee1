// GET /v1/datasets and /v1/datasets/<name>: the dimensions, metrics, units, sources and files of datasets.

import { DATASET_NAMES, type DatasetName, datasetOf, dimensionOf, rowOrder } from '../../catalog/datasets.ts';
import type { AnyManifest } from '../../catalog/manifest.ts';
import { notFound } from '../../errors.ts';
import { parseNothing } from '../../query/parameters/parse.ts';
import type { Endpoint, EndpointQuery } from './endpoint.ts';
import { EXPORT_FORMATS } from './export/exportFormats.ts';
import { jsonRendering } from './jsonRendering.ts';

/**
 * GET /v1/datasets: all datasets of the snapshot.
 *
 * @param basePath the path of the server's public address. The addresses of files begin with it.
 */
export const datasets = (basePath: string): Endpoint<EndpointQuery> => ({
  // The name is part of the ETag. Servers with different base paths send different addresses, so their ETags must
  // differ.
  name: `datasets${basePath}`,
  parse: parseNothing,
  render: async (_query, { snapshot: { manifest } }) =>
    jsonRendering({ datasets: DATASET_NAMES.flatMap((name) => entryOf(name, manifest, basePath) ?? []) }),
});

/** GET /v1/datasets/<name>. It answers 404 when the snapshot does not have the dataset. */
export const datasetEntry = (name: DatasetName, basePath: string): Endpoint<EndpointQuery> => ({
  name: `datasets/${name}${basePath}`,
  parse: parseNothing,
  async render(_query, { snapshot }) {
    const entry = entryOf(name, snapshot.manifest, basePath);
    if (entry === null) throw notFound('unknown-name');
    return jsonRendering(entry);
  },
});

function entryOf(name: DatasetName, manifest: AnyManifest, basePath: string) {
  const described = manifest.datasets[name];
  if (!described) return null;
  const { description, granularities, dimensions, metrics } = datasetOf(name);
  const { rows, years, bytes, sha256 } = described;
  return {
    name,
    description,
    granularities,
    row_count: rows,
    years: { first: years[0] ?? null, last: years.at(-1) ?? null },
    dimensions: dimensions.map((dimension) => {
      const { type, description } = dimensionOf(dimension);
      const values = dimension === 'year' ? years : (described.dimensions[dimension] ?? []);
      return { name: dimension, type, description, values: values.length };
    }),
    metrics: Object.entries(metrics).map(([metric, { unit, description, addsUp, isStock }]) => ({
      name: metric,
      unit,
      description,
      adds_up: addsUp === true,
      adds_up_over_years: addsUp === true && isStock !== true,
      missing: described.metrics[metric]?.nulls ?? 0,
    })),
    not_additive_over: dimensions.filter((dimension) => dimensionOf(dimension).notAdditive !== undefined),
    sort_order: rowOrder(name),
    sources: manifest.sources
      .filter(({ file }) => described.sources.includes(file))
      .map(({ file, sha256, bytes }) => ({ file, sha256, bytes })),
    files: Object.fromEntries(
      EXPORT_FORMATS.map((format) => [
        format,
        { href: `${basePath}/v1/export/${name}.${format}`, ...(format === 'parquet' && { bytes, sha256 }) },
      ]),
    ),
  };
}
