// Begins work of later phases while the rows of a staged month are checked and written, because each uses one core at a time.

import { availableParallelism } from 'node:os';
import path from 'node:path';
import { DATASET_NAMES } from '../../../src/catalog/datasets.ts';
import { type Current, readCurrent } from '../../compare/compareWithCurrent.ts';
import { Engine, threadsFor } from '../../compare/engine.ts';
import { type LearnedLimits, learnedLimits } from '../../guards/learned.ts';
import { isSortedFast } from '../../staging/database/packedRows.ts';
import { writeDatasets } from '../../store/files.ts';
import { Fingerprints } from './fingerprints.ts';
import { monthContents } from './monthContents.ts';
import type { PublishOptions } from './publishOptions.ts';
import type { StagedMonth } from './stagedMonth.ts';

/** Work of later phases. Its promises may fail before anybody awaits them. */
export interface BackgroundWork {
  /** The engine in which the month is compared and reported. */
  readonly engine: Promise<Engine>;
  /**
   * Writes the files of the month and counts what they contain; called once, after the checks. Their rows are still being
   * hashed then. The current snapshot is verified and read meanwhile.
   */
  readonly fingerprints: () => Promise<Fingerprints>;
  /** The current snapshot; null when there is none. */
  readonly current: () => Promise<Current | null>;
  /** The limits of the guards. */
  readonly limits: () => Promise<LearnedLimits>;
  /** Waits for all work, and closes the engines. */
  readonly close: () => Promise<void>;
}

/** From this number of facts on, statements use both cores, and their memory adds up. */
const MANY_FACTS = 200_000;

/**
 * The memory of the engine while it writes, besides a hundred megabytes for the buffers of two threads that write Parquet.
 * The facts of a whole sheet are sorted in it as fast as with more memory.
 */
const MEMORY_WHILE_WRITING = '184MB';

/** From this number of facts on, writing keeps all memory: with less, they are sorted in many more pieces on the disk. */
const VERY_MANY_FACTS = 1_200_000;

/** @param directory Where the files of the month are written. */
export function startBackgroundWork(
  month: StagedMonth,
  options: PublishOptions,
  workDir: string,
  directory: string,
): BackgroundWork {
  const facts = [...month.reading.facts.values()].reduce((sum, one) => sum + one, 0);
  const threads = threadsFor(2 * facts);
  const shared = threads === 1 ? month.staging.engineOfOneThread : null;
  const engine = shared ? Engine.within(shared) : Engine.open(path.join(workDir, 'compared'), threads);
  const { early, writeLater } = filesOf(month, facts, options, workDir, directory);
  let later: Promise<Fingerprints> | undefined;
  const current = once(async () => await readCurrent(options.dataDir, await engine));
  const limits = once(() => learnedLimits(options.dataDir, options.guards));
  const reading: Promise<unknown>[] = [];
  // A failure is thrown where the result is awaited, if the month gets that far.
  for (const promise of [engine, early]) promise?.catch(() => {});
  return {
    engine,
    current,
    limits,
    async fingerprints() {
      // The early write fails when the checks need its memory. Then the files are written again, after the checks.
      later = early?.catch(writeLater) ?? writeLater();
      reading.push(limits(), current());
      for (const promise of reading) promise.catch(() => {});
      return await later;
    },
    async close() {
      await Promise.allSettled(reading);
      const fingerprints = await (later ?? early)?.catch(() => null);
      await fingerprints?.close();
      const opened = await engine.catch(() => null);
      opened?.close();
    },
  };
}

interface Files {
  /** The files that are being written while the rows are checked; null when they must wait. */
  readonly early: Promise<Fingerprints> | null;
  /** Writes the files after the checks. */
  readonly writeLater: () => Promise<Fingerprints>;
}

/** Begins to write the files of a month beside the checks, if its rows are few or sorted as integers. */
function filesOf(
  month: StagedMonth,
  facts: number,
  options: PublishOptions,
  workDir: string,
  directory: string,
): Files {
  const { staging, problems } = month;
  const { connection, otherConnection } = staging;
  const contents = monthContents(month.reading, staging, options);
  const write = async (connection: typeof otherConnection) => {
    const described = await writeDatasets(connection, contents, directory);
    return await Fingerprints.of(described, directory, { workDir, dataDir: options.dataDir }, connection);
  };
  const writeEarly = async () => {
    // Each connection has a thread besides those of the engine. On two cores one thread then checks and the other
    // writes; two threads that write Parquet would take 150 MB more.
    const threads = Math.max(1, availableParallelism() - 1);
    if (facts >= MANY_FACTS) await otherConnection.run(`SET threads = ${threads}`);
    return await write(otherConnection);
  };
  const writeLater = async () => {
    if (facts < VERY_MANY_FACTS) await connection.run(`SET memory_limit = '${MEMORY_WHILE_WRITING}'`);
    return await write(connection);
  };
  // Many rows that are sorted as texts need all memory.
  const isEarly = facts < MANY_FACTS || DATASET_NAMES.every((name) => isSortedFast(staging, name));
  const early = isEarly && problems.count('error', 'unreadable') === 0 ? writeEarly() : null;
  return { early, writeLater };
}

/** Returns a function that begins its work once. */
function once<Result>(begin: () => Promise<Result>): () => Promise<Result> {
  let begun: Promise<Result> | null = null;
  return () => {
    begun ??= begin();
    return begun;
  };
}
