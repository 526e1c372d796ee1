// A side of a comparison: a snapshot or a month, with the folder of its Parquet files and their manifest.

import { snapshotDirectory } from '../../src/catalog/dataDirectory.ts';
import { isDatasetName } from '../../src/catalog/datasets.ts';
import type { AnyManifest, Manifest } from '../../src/catalog/manifest.ts';
import { readAnyManifest, readListedDatasets } from '../../src/catalog/readManifest.ts';
import { verifyFiles } from '../../src/catalog/verifyFiles.ts';
import type { ComparedSide } from './comparisonTypes.ts';

export type SideName = 'before' | 'after';

/** A value for each side. */
export type Sides<Of> = Readonly<Record<SideName, Of>>;

/** A side that has every dataset. */
export interface Side extends ComparedSide {
  /** The folder of the Parquet files. */
  readonly directory: string;
  readonly datasets: Manifest['datasets'];
}

/** A side that may lack datasets, because a snapshot may come from another version of the program. */
export interface PartialSide extends Omit<Side, 'datasets'> {
  readonly datasets: AnyManifest['datasets'];
  /** Datasets that this version of the program does not know. */
  readonly unknown: readonly string[];
}

/**
 * A snapshot as a side of a comparison. Its files are checked against the manifest first. Otherwise the differences that a
 * damaged file causes would look like changes of the data.
 *
 * @throws {SnapshotRefused} when the snapshot is damaged or missing.
 */
export async function snapshotSide(dataDir: string, id: string): Promise<PartialSide> {
  const directory = snapshotDirectory(dataDir, id);
  const manifest = await readAnyManifest(directory);
  await verifyFiles(directory, manifest);
  const unknown = Object.keys(await readListedDatasets(directory)).filter((name) => !isDatasetName(name));
  return { id, month: manifest.month, directory, datasets: manifest.datasets, unknown };
}
