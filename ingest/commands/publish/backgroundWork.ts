// Begins later phases of publishing before their turn: most phases use one core, so two run at a time.

import { availableParallelism } from 'node:os';
import path from 'node:path';
import { once } from '../../../src/basics/once.ts';
import { DATASET_NAMES } from '../../../src/catalog/datasets.ts';
import { type CurrentSide, readCurrentSide } from '../../compare/compareWithCurrent.ts';
import { ComparisonEngine, threadsFor } from '../../compare/comparisonEngine.ts';
import { type LearnedLimits, learnedLimits } from '../../guards/learnedLimits.ts';
import { isSortedFast } from '../../staging/database/packedRows.ts';
import type { Connections } from '../../store/fileSummaries.ts';
import { writeDatasets } from '../../store/writeDatasets.ts';
import type { CurrentReading } from './currentReading.ts';
import type { DamageFinding } from './damageFinding.ts';
import { damageFinding } from './damageFinding.ts';
import { Fingerprints } from './fingerprints.ts';
import type { PublishOptions } from './publishOptions.ts';
import { rowsToWrite } from './rowsToWrite.ts';
import type { StagedMonth } from './stagedMonth.ts';

/** Later phases that have begun. Their promises may be rejected before anybody awaits them. */
export interface BackgroundWork {
  /** The DuckDB engine that the comparison and the report use. */
  readonly engine: Promise<ComparisonEngine>;
  /**
   * Call it once, after the last query of the staging database. It resolves when the files of the month are written and
   * their values are counted. The rows are still being hashed then. Unless a connection of the staging database hashes
   * them, the database is closed, because the comparison of a large month needs the memory. The call also begins to verify
   * and read the current snapshot.
   */
  readonly finishFiles: () => Promise<Fingerprints>;
  /** The current snapshot; null when there is none. */
  readonly current: () => Promise<CurrentSide | null>;
  /** The damage that prevents a comparison with the current snapshot; null when it is whole, or there is none. */
  readonly damage: () => Promise<DamageFinding | null>;
  readonly limits: () => Promise<LearnedLimits>;
  /** Waits until all work has ended, and closes the engine, unless it is that of `currentReading`. */
  readonly close: () => Promise<void>;
}

/**
 * From this number of facts on, one statement uses both cores. A second one at the same time would only take more memory.
 */
const MANY_FACTS = 200_000;

/**
 * The memory limit of DuckDB while it writes. Two threads that write Parquet use another hundred megabytes for their
 * buffers. More memory would not sort the facts of a full sheet faster.
 */
const MEMORY_WHILE_WRITING = '184MB';

/**
 * From this number of facts on, writing gets the whole memory limit. With less, DuckDB would sort many more pieces on disk.
 */
const VERY_MANY_FACTS = 1_200_000;

export interface Folders {
  readonly workDir: string;
  /** The folder to which the files of the month are written. */
  readonly directory: string;
}

/**
 * Begins the work of a staged month.
 *
 * @param currentReading The current snapshot when its reading has begun; else null. The caller closes it.
 */
export function startBackgroundWork(
  month: StagedMonth,
  options: PublishOptions,
  { workDir, directory }: Folders,
  currentReading: CurrentReading | null,
): BackgroundWork {
  const facts = [...month.reading.facts.values()].reduce((sum, one) => sum + one, 0);
  const engine = engineFor(month, facts, workDir, currentReading);
  const contents = rowsToWrite(month.reading, month.staging, options);
  const write = async (connections: Connections) => {
    const described = await writeDatasets(connections, contents, directory);
    return await Fingerprints.start(
      described,
      directory,
      { workDir, dataDir: options.dataDir },
      connections[0],
    );
  };
  const { duringChecks, finish } = beginWriting(month, facts, write);
  let finishing: Promise<Fingerprints> | undefined;
  const current = once(
    () => currentReading?.current ?? engine.then((opened) => readCurrentSide(options.dataDir, opened)),
  );
  const damage = once(() => damageFinding(options));
  const limits = once(() => learnedLimits(options.dataDir, options.guards));
  const reading: Promise<unknown>[] = [];
  // A month that fails its checks never awaits these promises, and a rejection without a handler would end the process.
  for (const promise of [engine, duringChecks]) promise?.catch(() => {});
  return {
    engine,
    current,
    damage,
    limits,
    async finishFiles() {
      finishing = finish();
      reading.push(limits(), current(), damage());
      for (const promise of reading) promise.catch(() => {});
      const fingerprints = await finishing;
      if (!fingerprints.needsConnection) month.staging.close();
      return fingerprints;
    },
    async close() {
      await Promise.allSettled(reading);
      const fingerprints = await (finishing ?? duringChecks)?.catch(() => null);
      await fingerprints?.close();
      if (engine !== currentReading?.engine) (await engine.catch(() => null))?.close();
    },
  };
}

const isOutOfMemory = (error: unknown): boolean => /\bOut of Memory Error: /.test(String(error));

/** The engine of the comparison. A small month is compared in the engine of its staging database. */
function engineFor(
  { staging }: StagedMonth,
  facts: number,
  workDir: string,
  currentReading: CurrentReading | null,
): Promise<ComparisonEngine> {
  const threads = threadsFor(2 * facts);
  const isShared = threads === 1 && staging.usesOneThread;
  if (!isShared) return ComparisonEngine.open(path.join(workDir, 'compared'), threads);
  return currentReading?.engine ?? ComparisonEngine.within(staging.engine);
}

interface FileWriting {
  /** The files that are being written while the rows are checked; null when they must wait. */
  readonly duringChecks: Promise<Fingerprints> | null;
  /** Writes the files after the checks, unless they are being written already, and waits for them. */
  readonly finish: () => Promise<Fingerprints>;
}

/** Begins to write the files of a month beside the checks, if its rows are few or sorted as integers. */
function beginWriting(
  { staging, problems }: StagedMonth,
  facts: number,
  write: (connections: Connections) => Promise<Fingerprints>,
): FileWriting {
  const { connection, writers } = staging;
  const writeDuringChecks = async () => {
    // This thread checks a small month while V8 compiles the checks on another thread. A second writer would take a core
    // from them.
    if (facts < MANY_FACTS) return await write([writers[0]]);
    // Each connection adds its own thread to those of the engine. On two cores, one thread checks and one writes. A second
    // thread that writes Parquet would take 150 MB more.
    await writers[0].run(`SET threads = ${Math.max(1, availableParallelism() - 1)}`);
    return await write(writers);
  };
  const writeAfterChecks = async () => {
    if (facts < VERY_MANY_FACTS) await connection.run(`SET memory_limit = '${MEMORY_WHILE_WRITING}'`);
    return await write([connection]);
  };
  // Sorting many rows as texts needs the whole memory limit, so it waits for the checks to end.
  const fitsBesideChecks = facts < MANY_FACTS || DATASET_NAMES.every((name) => isSortedFast(staging, name));
  const duringChecks =
    fitsBesideChecks && problems.count('error', 'unreadable') === 0 ? writeDuringChecks() : null;
  // Beside the checks, memory may run out. The files are then written again after the checks.
  const writeAgain = (error: unknown) => {
    if (!isOutOfMemory(error)) throw error;
    return writeAfterChecks();
  };
  return { duringChecks, finish: () => duringChecks?.catch(writeAgain) ?? writeAfterChecks() };
}
