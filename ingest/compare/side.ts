// One side of a comparison: where its Parquet files lie and what its manifest says of them.

import { snapshotDirectory } from '../../src/catalog/dataDirectory.ts';
import type { Manifest } from '../../src/catalog/manifest.ts';
import { readManifest, verifyFiles } from '../../src/catalog/verifyFiles.ts';
import type { Compared } from './types.ts';

export interface Side extends Compared {
  /** The folder of the Parquet files. */
  readonly directory: string;
  readonly datasets: Manifest['datasets'];
}

/**
 * A snapshot as one side of a comparison, its files checked against the manifest first: differences to a damaged
 * file would be told of the wrong month.
 *
 * @throws {SnapshotRefused} when it is damaged or not there.
 */
export async function sideOf(dataDir: string, id: string): Promise<Side> {
  const directory = snapshotDirectory(dataDir, id);
  const manifest = await readManifest(directory);
  await verifyFiles(directory, manifest);
  return { id, month: manifest.month, directory, datasets: manifest.datasets };
}
