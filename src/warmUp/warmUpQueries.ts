// Makes the paths that a warm-up requests. They are like those that clients request most.

import {
  additiveMetrics,
  DATASET_NAMES,
  type DatasetName,
  datasetOf,
  dimensionOf,
} from '../catalog/datasets.ts';
import type { AnyManifest } from '../catalog/manifest.ts';

/** An endless list of paths: first the documents, which are made at their first request, then pages of rows. */
export function* pageQueries(manifest: AnyManifest): Generator<string, never> {
  yield* ['/docs', '/docs/plain', '/openapi.json'];
  // For each dataset in turn, a walk of long pages and one of short pages with more filters.
  for (let round = 0; ; round++) {
    for (const dataset of DATASET_NAMES) {
      const filter = filterOf(manifest, dataset, round);
      if (filter === null) continue;
      const rows = dataset === 'country_reference' ? 'reference?dataset' : 'financials?metric';
      yield `/v1/${rows}=${dataset}&limit=1000&${filter}`;
      yield `/v1/${rows}=${dataset}&limit=100&${filter}&${filterOf(manifest, dataset, round + 1)}`;
    }
    yield '/v1/catalog';
  }
}

/**
 * An endless list of paths for values and totals of one dataset: the largest of those with metrics that add up. It is
 * the largest, because V8 compiles a loop only after the loop has run over many rows.
 */
export function* computedQueries(manifest: AnyManifest): Generator<string, never> {
  const rowsOf = (name: DatasetName) => manifest.datasets[name]?.rows ?? 0;
  const [dataset] = DATASET_NAMES.filter((name) => additiveMetrics(name).length > 0).sort(
    (a, b) => rowsOf(b) - rowsOf(a),
  );
  for (let round = 0; ; round++) {
    const filter = dataset === undefined ? null : filterOf(manifest, dataset, round);
    if (dataset === undefined || filter === null) {
      yield '/v1/catalog';
      continue;
    }
    const { dimensions } = datasetOf(dataset);
    // A total over several values of a dimension that does not add up would be refused, so totals are grouped by these
    // dimensions.
    const by = dimensions.filter((name) => name === 'country' || dimensionOf(name).notAdditive !== undefined);
    yield `/v1/values?dataset=${dataset}&${filter}`;
    yield `/v1/totals?dataset=${dataset}&${filter}${by.map((name) => `&by=${name}`).join('')}`;
  }
}

/**
 * A filter by one value of one dimension, as a query string, different in each round; null for a dataset without values.
 */
function filterOf({ datasets }: AnyManifest, dataset: DatasetName, round: number): string | null {
  const dimensions = Object.entries(datasets[dataset]?.dimensions ?? {}).filter(
    ([, values]) => values.length > 0,
  );
  const [name, values = []] = dimensions[round % Math.max(1, dimensions.length)] ?? [];
  const value = values[Math.floor(round / dimensions.length) % Math.max(1, values.length)]?.value;
  return name === undefined || value === undefined ? null : `${name}=${encodeURIComponent(value)}`;
}
