// Writes the Parquet file of a single dataset, with the code that publishing uses for a month.

import { fingerprintDatasets, type RowsToWrite, writeDatasets } from '../../ingest/store/writeDatasets.ts';
import type { DatasetName } from '../../src/catalog/datasets.ts';
import type { DatasetManifest } from '../../src/catalog/manifest.ts';
import type { DuckDBConnection } from '../../src/duckdb.ts';

/** Writes the file into `directory`, and returns its entry in the manifest. */
export async function writeDataset(
  connection: DuckDBConnection,
  name: DatasetName,
  content: RowsToWrite,
  directory: string,
): Promise<DatasetManifest> {
  const described = await writeDatasets(
    [connection],
    { [name]: content } as Record<DatasetName, RowsToWrite>,
    directory,
  );
  return (await fingerprintDatasets(connection, described, directory))[name] as DatasetManifest;
}
