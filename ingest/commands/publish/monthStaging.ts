// Opens a month: its staging database, and the work that begins before its turn.
//
// The database of a small month is in memory, so it can be opened before the lock is acquired.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { DuckDb } from '../../../src/duckdb.ts';
import { UNFINISHED_FOLDER } from '../../../src/store/switchCurrent.ts';
import { usableBytes } from '../../../src/system/machine.ts';
import { listSources } from '../../sources/folder.ts';
import { Staging } from '../../staging/database/staging.ts';
import { raiseMemoryLimit } from '../../staging/database/stagingEngine.ts';
import { type BackgroundWork, type Folders, startBackgroundWork } from './backgroundWork.ts';
import { startReadingCurrent } from './currentReading.ts';
import type { PublishOptions } from './publishOptions.ts';
import type { StagedMonth } from './stagedMonth.ts';

/** An open month: its staging database, and the work that begins before its turn. */
export interface OpenMonth {
  readonly staging: Staging;
  /** Begins the later phases of the staged month that can run beside its checks. It must be called at most once. */
  readonly startBackground: (staged: StagedMonth) => Promise<BackgroundWork>;
  /** Waits until all work that has begun has ended, and closes the staging database. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the staging database of a month: in memory when it is small, else in a file. The current snapshot is read while the
 * sources of a small month are read.
 *
 * @param smallStaging The result of `openSmallStaging`, when the caller has begun it.
 */
export async function openMonth(
  options: PublishOptions,
  folders: Folders,
  smallStaging: Promise<Staging | null> = openSmallStaging(options),
): Promise<OpenMonth> {
  const small = await smallStaging;
  const staging = small ?? (await Staging.open(folders.workDir));
  const currentReading = small && startReadingCurrent(options.dataDir, small);
  let background: BackgroundWork | null = null;
  return {
    staging,
    async startBackground(staged) {
      const rows = Math.max(...staged.reading.facts.values());
      await raiseMemoryLimit(staging.connection, rows, usableBytes());
      background = startBackgroundWork(staged, options, folders, currentReading);
      return background;
    },
    async close() {
      await background?.close();
      await currentReading?.close();
      staging.close();
    },
  };
}

/**
 * The most bytes that the sources of a small month have together. That is some 100,000 rows, which take 10 MB of memory.
 */
const SMALL_MONTH_BYTES = 4 * 1024 * 1024;

/**
 * A staging database in memory; null for a month that is not small, which is staged in a file.
 *
 * @param engine An engine of `openEngineWithoutSpill`, which the caller closes. When it is left out, one is opened.
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
  return await Staging.openInMemory(path.join(dataDir, UNFINISHED_FOLDER), opened);
}

const bytesOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  );
