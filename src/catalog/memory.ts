// How much memory a snapshot will take, told from its manifest before anything of it is loaded.

import { CODE_BYTES, codeType } from './columns.ts';
import { DATASET_NAMES, type DatasetName, datasetOf, metricNames } from './datasets.ts';
import type { Manifest } from './manifest.ts';

/** Bytes, loading included: the columns here, the same codes and a position in the engine, and what both need besides. */
export function estimateBytes(manifest: Manifest): number {
  const datasets = DATASET_NAMES.map((name) => manifest.datasets[name].rows * bytesPerRow(name, manifest));
  return FIXED_BYTES + datasets.reduce((sum, bytes) => sum + bytes, 0);
}

/** An engine with its connections and dictionaries. */
const FIXED_BYTES = 24 * 2 ** 20;

function bytesPerRow(name: DatasetName, { datasets }: Manifest): number {
  const { years, dimensions } = datasets[name];
  const codeBytes = datasetOf(name)
    .dimensions.map((dimension) => CODE_BYTES[codeType(dimensions[dimension]?.length ?? years.length)])
    .reduce<number>((sum, bytes) => sum + bytes, 0);
  const positionBytes = 4;
  return 2 * codeBytes + positionBytes + Float64Array.BYTES_PER_ELEMENT * metricNames(name).length;
}
