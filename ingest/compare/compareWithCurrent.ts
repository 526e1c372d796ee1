// Compares a month with the current snapshot, after its files are written and before they are published.

import path from 'node:path';
import { currentId } from '../../src/catalog/dataDirectory.ts';
import type { Manifest } from '../../src/catalog/manifest.ts';
import { withCommonDatasets } from './commonDatasets.ts';
import { compareIn, type OnMatched } from './compare.ts';
import type { ComparisonEngine } from './comparisonEngine.ts';
import type { Comparison } from './comparisonTypes.ts';
import { EarlierRows } from './rows/earlierRows.ts';
import { type PartialSide, snapshotSide } from './side.ts';

/** A month whose files are written and not published yet. */
export interface WrittenMonth {
  readonly month: string;
  /** The folder of its Parquet files. */
  readonly directory: string;
  readonly datasets: Manifest['datasets'];
}

/** How many revisions, added rows and removed rows a publication lists. The report groups them by series. */
export const MOST_LISTED = 2_000;

/** The current snapshot, as the earlier side of a comparison. */
export interface CurrentSide {
  readonly side: PartialSide;
  /** The rows that were read in advance; null when none were. */
  readonly rows: EarlierRows | null;
}

/**
 * Reads the current snapshot; null when there is none.
 *
 * @param engine Reads the rows in advance. When it is null, the comparison reads them.
 * @throws {SnapshotRefused} when the snapshot is damaged.
 */
export async function readCurrentSide(
  dataDir: string,
  engine: ComparisonEngine | null,
): Promise<CurrentSide | null> {
  const id = await currentId(dataDir);
  if (id === null) return null;
  const side = await snapshotSide(dataDir, id);
  return { side, rows: engine && (await EarlierRows.read(engine, side)) };
}

/** All differences between the current snapshot and a written month. */
export async function compareWithCurrent(
  engine: ComparisonEngine,
  { side, rows }: CurrentSide,
  written: WrittenMonth,
  { workDir, onMatched }: { readonly workDir: string; readonly onMatched?: OnMatched },
): Promise<Comparison> {
  const folder = path.join(workDir, 'aligned');
  const month = { id: null, ...written, unknown: [] };
  const { before, after, uncompared } = await withCommonDatasets(side, month, folder);
  const options = { limit: MOST_LISTED, earlier: rows, onMatched };
  return { ...(await compareIn(engine, before, after, options)), uncompared };
}
