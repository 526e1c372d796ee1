// Estimates a snapshot's memory from its manifest, before it is loaded.

import { CODE_BYTES, codeType } from './columns.ts';
import { DATASET_NAMES, type DatasetName, datasetOf, metricNames } from './datasets.ts';
import type { AnyManifest, DatasetManifest } from './manifest.ts';

/** The bytes at the peak of loading: the loaded snapshot, and the largest dataset before compression. */
export function estimateBytes({ datasets }: AnyManifest): number {
  let columnsBytes = 0;
  let mostRows = 0;
  for (const name of DATASET_NAMES) {
    const dataset = datasets[name];
    if (!dataset) continue;
    columnsBytes += dataset.rows * rowBytes(name, dataset);
    mostRows = Math.max(mostRows, dataset.rows);
  }
  return FIXED_BYTES + columnsBytes + mostRows * LOADING_BYTES_PER_ROW;
}

/** An engine with its connections and dictionaries. */
const FIXED_BYTES = 32 * 2 ** 20;

/** Measured: 3 million rows of ggr take 82 bytes each while they are loaded, and 27 afterwards. */
const LOADING_BYTES_PER_ROW = 60;

/** Bytes of a row in our columns, plus two for the engine's compressed copy. */
function rowBytes(name: DatasetName, { years, dimensions }: DatasetManifest): number {
  const codes = datasetOf(name).dimensions.map(
    (dimension) => CODE_BYTES[codeType(dimensions[dimension]?.length ?? years.length)],
  );
  const doubles = metricNames(name).map(() => Float64Array.BYTES_PER_ELEMENT);
  return [...codes, ...doubles].reduce((sum, bytes) => sum + bytes, 2);
}
