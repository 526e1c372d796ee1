// Opens the staging database of a month. That of a small month is in memory: it can be opened before the lock is acquired.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { DuckDb } from '../../../src/duckdb.ts';
import { TEMPORARY } from '../../../src/store/switchCurrent.ts';
import { listSources } from '../../sources/folder.ts';
import { Staging } from '../../staging/database/staging.ts';
import { type CurrentAhead, readCurrentAhead } from './backgroundWork.ts';
import type { PublishOptions } from './publishOptions.ts';

export interface MonthStaging {
  /** The staging database. A caller may close it earlier than `close` does. */
  readonly staging: Staging;
  /** The current snapshot, whose reading has begun; null for a month that is not small. */
  readonly ahead: CurrentAhead | null;
  readonly close: () => Promise<void>;
}

/**
 * Opens the staging database of a month: in memory when it is small, else in a file in `workDir`.
 *
 * @param smallStaging The result of `openSmallStaging`, when the caller has begun it.
 */
export async function openMonthStaging(
  options: PublishOptions,
  workDir: string,
  smallStaging: Promise<Staging | null> = openSmallStaging(options),
): Promise<MonthStaging> {
  const small = await smallStaging;
  const staging = small ?? (await Staging.open(workDir));
  const ahead = small && readCurrentAhead(options.dataDir, small);
  const close = async () => {
    await ahead?.close();
    staging.close();
  };
  return { staging, ahead, close };
}

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
