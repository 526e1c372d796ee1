// Compares a month that is written, and not published yet, with the current snapshot.

import path from 'node:path';
import { currentId } from '../../src/catalog/dataDirectory.ts';
import type { Manifest } from '../../src/catalog/manifest.ts';
import { aligned } from './align.ts';
import { compareIn } from './compare.ts';
import type { Engine } from './engine.ts';
import { sideOf } from './side.ts';
import type { Comparison } from './types.ts';

export interface WrittenMonth {
  readonly month: string;
  /** The folder of its Parquet files. */
  readonly directory: string;
  readonly datasets: Manifest['datasets'];
}

/** How many revisions, added rows and removed rows a publication lists. The report groups them by series. */
const TOLD = 2_000;

/**
 * All differences from the current snapshot; null when there is none.
 *
 * @throws {SnapshotRefused} when the current snapshot is damaged.
 */
export async function compareWithCurrent(
  engine: Engine,
  dataDir: string,
  workDir: string,
  written: WrittenMonth,
): Promise<Comparison | null> {
  const current = await currentId(dataDir);
  if (current === null) return null;
  const folder = path.join(workDir, 'aligned');
  const month = { id: null, ...written, unknown: [] };
  const { before, after, uncompared } = await aligned(await sideOf(dataDir, current), month, folder);
  return { ...(await compareIn(engine, before, after, TOLD)), uncompared };
}
