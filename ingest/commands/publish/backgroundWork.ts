// Begins later phases of publishing before their turn: most phases use one core, so two run at a time.

import { availableParallelism } from 'node:os';
import path from 'node:path';
import { DATASET_NAMES } from '../../../src/catalog/datasets.ts';
import { type CurrentSide, readCurrentSide } from '../../compare/compareWithCurrent.ts';
import { ComparisonEngine, threadsFor } from '../../compare/comparisonEngine.ts';
import { type LearnedLimits, learnedLimits } from '../../guards/learnedLimits.ts';
import { isSortedFast } from '../../staging/database/packedRows.ts';
import type { Connections } from '../../store/fileSummaries.ts';
import { writeDatasets } from '../../store/writeDatasets.ts';
import { type DamageFinding, damageFinding } from './damageFinding.ts';
import { type Fingerprints, startFingerprints } from './fingerprints.ts';
import type { CurrentReading } from './openMonth.ts';
import type { PublishOptions } from './publishOptions.ts';
import { rowsToWrite } from './rowsToWrite.ts';
import type { StagedMonth } from './stagedMonth.ts';
import type { Workplace } from './workplace.ts';

/** What exists once the files of a month are written: their fingerprints, and the inputs of the comparison. */
export interface WrittenFiles {
  readonly fingerprints: Fingerprints;
  /** The DuckDB engine that the comparison and the report use. */
  readonly engine: Promise<ComparisonEngine>;
  /** The current snapshot; null when there is none. */
  readonly current: Promise<CurrentSide | null>;
  /** The damage that prevents a comparison with the current snapshot; null when it is whole, or there is none. */
  readonly damage: Promise<DamageFinding | null>;
  readonly limits: Promise<LearnedLimits>;
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

/**
 * Begins to write the files of a staged month beside its checks, where that is safe.
 *
 * @param currentReading The current snapshot when its reading has begun; else null.
 * @returns A function to call once, after the last query of the staging database. It resolves when the files are written
 *   and their values are counted. The rows are still being hashed then. Unless a connection of the staging database hashes
 *   them, the database is closed, because the comparison of a large month needs the memory. The call also begins to verify
 *   and read the current snapshot.
 */
export function startBackgroundWork(
  month: StagedMonth,
  options: PublishOptions,
  work: Workplace,
  currentReading: CurrentReading | null,
): () => Promise<WrittenFiles> {
  const { scope, directory } = work;
  const { dataDir } = options;
  const facts = [...month.reading.facts.values()].reduce((sum, one) => sum + one, 0);
  const engine = engineFor(month, facts, work, currentReading);
  const contents = rowsToWrite(month.reading, month.staging, options);
  const write = async (connections: Connections) => {
    const drafts = await writeDatasets(connections, contents, directory);
    return await startFingerprints(drafts, work, dataDir, connections[0]);
  };
  const writing = canWriteDuringChecks(month, facts)
    ? scope.begin(writeDuringChecks(month, facts, write))
    : null;
  return async () => {
    const writeAfter = () => writeAfterChecks(month, facts, write);
    // Beside the checks, memory may run out. The files are then written again after the checks.
    const writeAgain = (error: unknown) => {
      if (!isOutOfMemory(error)) throw error;
      return writeAfter();
    };
    const finishing = scope.begin(writing?.catch(writeAgain) ?? writeAfter());
    const limits = scope.begin(learnedLimits(dataDir, options.guards));
    const current =
      currentReading?.current ?? scope.begin(engine.then((opened) => readCurrentSide(dataDir, opened)));
    const damage = scope.begin(damageFinding(options));
    const fingerprints = await finishing;
    if (!fingerprints.usesConnection) month.staging.close();
    return { fingerprints, engine, current, damage, limits };
  };
}

const isOutOfMemory = (error: unknown): boolean => /\bOut of Memory Error: /.test(String(error));

/** The engine of the comparison. A small month is compared in the engine of its staging database. */
function engineFor(
  { staging }: StagedMonth,
  facts: number,
  { scope, workDir }: Workplace,
  currentReading: CurrentReading | null,
): Promise<ComparisonEngine> {
  const threads = threadsFor(2 * facts);
  const isShared = threads === 1 && staging.usesOneThread;
  if (!isShared) return scope.own(ComparisonEngine.open(path.join(workDir, 'compared'), threads));
  return currentReading?.engine ?? scope.own(ComparisonEngine.within(staging.engine));
}

type Write = (connections: Connections) => Promise<Fingerprints>;

/** Whether the rows are few, or sorted as integers. Sorting many rows as texts needs the whole memory limit. */
const canWriteDuringChecks = ({ staging, problems }: StagedMonth, facts: number): boolean =>
  problems.count('error', 'unreadable') === 0 &&
  (facts < MANY_FACTS || DATASET_NAMES.every((name) => isSortedFast(staging, name)));

async function writeDuringChecks(
  { staging: { writers } }: StagedMonth,
  facts: number,
  write: Write,
): Promise<Fingerprints> {
  // This thread checks a small month while V8 compiles the checks on another thread. A second writer would take a core
  // from them.
  if (facts < MANY_FACTS) return await write([writers[0]]);
  // Each connection adds its own thread to those of the engine. On two cores, one thread checks and one writes. A second
  // thread that writes Parquet would take 150 MB more.
  await writers[0].run(`SET threads = ${Math.max(1, availableParallelism() - 1)}`);
  return await write(writers);
}

async function writeAfterChecks(
  { staging: { connection } }: StagedMonth,
  facts: number,
  write: Write,
): Promise<Fingerprints> {
  if (facts < VERY_MANY_FACTS) await connection.run(`SET memory_limit = '${MEMORY_WHILE_WRITING}'`);
  return await write([connection]);
}
