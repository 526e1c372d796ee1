// How much memory a snapshot will take, told from its manifest before anything of it is loaded.

import { CODE_BYTES, codeType } from './columns.ts';
import { DATASET_NAMES, type DatasetName, datasetOf, metricNames } from './datasets.ts';
import type { Manifest } from './manifest.ts';

/** Bytes, at the height of loading: what stays, and what the largest dataset takes until it is compressed. */
export function estimateBytes(manifest: Manifest): number {
  const rows = DATASET_NAMES.map((name) => manifest.datasets[name].rows);
  const columns = DATASET_NAMES.reduce(
    (bytes, name) => bytes + manifest.datasets[name].rows * columnBytes(name, manifest),
    0,
  );
  return FIXED_BYTES + columns + Math.max(...rows) * LOADING_BYTES_PER_ROW;
}

/** An engine with its connections and dictionaries. */
const FIXED_BYTES = 32 * 2 ** 20;

/** Measured: 3 million rows of ggr take 82 bytes each while they are loaded, and 27 afterwards. */
const LOADING_BYTES_PER_ROW = 60;

/** Of a row in the columns here; the engine's own copy is compressed to less than two bytes. */
function columnBytes(name: DatasetName, { datasets }: Manifest): number {
  const { years, dimensions } = datasets[name];
  const codes = datasetOf(name).dimensions.map(
    (dimension) => CODE_BYTES[codeType(dimensions[dimension]?.length ?? years.length)],
  );
  const doubles = metricNames(name).map(() => Float64Array.BYTES_PER_ELEMENT);
  return [...codes, ...doubles].reduce((sum, bytes) => sum + bytes, 2);
}
