// Opens the staging database of a month, and begins to read the current snapshot.
//
// The database of a small month is in memory, so it can be opened before the lock is acquired.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { DuckDb } from '../../../src/duckdb.ts';
import { UNFINISHED_FOLDER } from '../../../src/store/switchCurrent.ts';
import { type CurrentSide, readCurrentSide } from '../../compare/compareWithCurrent.ts';
import { ComparisonEngine } from '../../compare/comparisonEngine.ts';
import { listSources } from '../../sources/folder.ts';
import { Staging } from '../../staging/database/staging.ts';
import type { PublishOptions } from './publishOptions.ts';
import type { Workplace } from './workplace.ts';

export interface OpenMonth {
  readonly staging: Staging;
  /** The current snapshot, whose reading has begun; null for a month that is not small. */
  readonly currentReading: CurrentReading | null;
}

/**
 * Opens the staging database of a month: in memory when it is small, else in a file. The current snapshot is read while the
 * sources of a small month are read, because reading sources leaves a core idle.
 *
 * @param smallStaging The result of `openSmallStaging`, when the caller has begun it.
 */
export async function openMonth(
  options: PublishOptions,
  { scope, workDir }: Workplace,
  smallStaging: Promise<Staging | null> = openSmallStaging(options),
): Promise<OpenMonth> {
  const small = await smallStaging;
  const staging = small ?? (await Staging.open(workDir));
  scope.defer(() => staging.close());
  return { staging, currentReading: small && startReadingCurrent(options.dataDir, small, scope) };
}

/** The current snapshot while it is read. */
export interface CurrentReading {
  readonly engine: Promise<ComparisonEngine>;
  /** The current snapshot; null when there is none. */
  readonly current: Promise<CurrentSide | null>;
}

/** Begins to read the current snapshot in the engine of the staging database, because opening a second one takes time. */
export function startReadingCurrent(
  dataDir: string,
  staging: Staging,
  scope: Workplace['scope'],
): CurrentReading {
  const engine = scope.own(ComparisonEngine.within(staging.engine));
  return { engine, current: scope.begin(engine.then((opened) => readCurrentSide(dataDir, opened))) };
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
