// Compares a month that is written but not published with the snapshot that is current.

import path from 'node:path';
import { currentId } from '../../src/catalog/dataDirectory.ts';
import type { Manifest } from '../../src/catalog/manifest.ts';
import { SnapshotRefused } from '../../src/catalog/verifyFiles.ts';
import { wholeFile } from '../messages/place.ts';
import type { Problems } from '../messages/problems.ts';
import { compare } from './compare.ts';
import { type Side, sideOf } from './side.ts';
import type { Comparison } from './types.ts';

export interface WrittenMonth {
  readonly month: string;
  /** The folder of its Parquet files. */
  readonly directory: string;
  readonly datasets: Manifest['datasets'];
}

/** How many revisions, added and removed rows a publish finds: the report brings them together by series. */
const TOLD = 2_000;

/** Null for the first snapshot, and with a warning where the current one is damaged: nothing is compared with that. */
export async function compareWithCurrent(
  dataDir: string,
  workDir: string,
  written: WrittenMonth,
  problems: Problems,
): Promise<Comparison | null> {
  const current = await currentId(dataDir);
  if (current === null) return null;
  let before: Side;
  try {
    before = await sideOf(dataDir, current);
  } catch (error) {
    if (!(error instanceof SnapshotRefused)) throw error;
    const message = `${error.message.replace(/;[^;]*$/, '')}; nothing was compared with it and no guard looked`;
    problems.add('warning', wholeFile(written.month), message);
    return null;
  }
  const options = { spillDir: path.join(workDir, 'compared'), limit: TOLD };
  return await compare(before, { id: null, ...written }, options);
}
