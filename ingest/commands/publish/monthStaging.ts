// Opens the staging database of a small month in memory: it writes no files, so it can begin before the lock is acquired.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { DuckDb } from '../../../src/duckdb.ts';
import { TEMPORARY } from '../../../src/store/switchCurrent.ts';
import { listSources } from '../../sources/folder.ts';
import { Staging } from '../../staging/database/staging.ts';
import type { PublishOptions } from './publishOptions.ts';

/** The most bytes that the sources of a small month have together. That is some 100,000 rows, which take 10 MB of memory. */
const SMALL_MONTH_BYTES = 4 * 1024 * 1024;

/**
 * A staging database in memory; null for a month that is not small, which is staged in a file.
 *
 * @param engine An engine of `openEngineAhead`, which the caller closes. When it is left out, one is opened.
 */
export async function openSmallStaging(
  options: PublishOptions,
  engine?: Promise<DuckDb>,
): Promise<Staging | null> {
  const { dataDir, directory, recipe, carry } = options;
  if (recipe !== null || carry.length > 0) return null;
  // An error is ignored here, because reading the sources reports it.
  const { files } = await listSources(directory).catch(() => ({ files: [] }));
  const sizes = await Promise.all(files.map(({ path: file }) => bytesOf(file)));
  if (sizes.reduce((sum, bytes) => sum + bytes, 0) > SMALL_MONTH_BYTES) return null;
  const opened = engine && { ...(await engine), close() {} };
  return await Staging.openInMemory(path.join(dataDir, TEMPORARY), opened);
}

const bytesOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  );
