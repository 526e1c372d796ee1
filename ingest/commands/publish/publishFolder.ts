// The command `publish <dir>`: checks folders and options, publishes the month, and presents the result.

import { stat } from 'node:fs/promises';
import type { DatasetName } from '../../../src/catalog/datasets.ts';
import { type Config, readConfig } from '../../../src/config/config.ts';
import type { DuckDb } from '../../../src/duckdb.ts';
import { LockedError } from '../../../src/store/lock.ts';
import { ObjectStore } from '../../../src/store/objectStore.ts';
import { type Outcome, typedPath } from '../../../src/terminal/commandLine.ts';
import { styleFor } from '../../../src/terminal/terminalStyle.ts';
import { UsageError } from '../../../src/terminal/usageError.ts';
import { openEngineWithoutSpill } from '../../staging/database/stagingEngine.ts';
import { readingOptions } from '../../staging/readingOptions.ts';
import { InterruptedError, runExclusively } from '../exclusiveCommand.ts';
import { EXIT } from '../exitCodes.ts';
import { printedPublish } from '../output/printedPublish.ts';
import { type Progress, progressOn } from '../output/progress.ts';
import { publishJson } from '../output/publishJson.ts';
import { openSmallStaging } from './openMonth.ts';
import { parseAcceptances } from './parseAcceptances.ts';
import { publishMonth } from './publishMonth.ts';
import type { PublishOptions } from './publishOptions.ts';
import type { PublishResult } from './publishResult.ts';
import { expectReportFile, writeRequestedReport } from './reportFile.ts';
import { Scope } from './scope.ts';

export interface PublishFlags {
  readonly month: string;
  readonly recipe?: string;
  readonly carry: readonly DatasetName[];
  readonly numbers: readonly string[];
  readonly missing: readonly string[];
  readonly fillDown: readonly string[];
  readonly scale: readonly string[];
  readonly dryRun?: true;
  readonly strict?: true;
  readonly accept: readonly string[];
  readonly reason: readonly string[];
  readonly report?: string;
  readonly explain?: true;
}

interface PublishResources {
  /** The engine that holds the lock and stages a small month. `publishFolder` closes it. */
  readonly engine?: Promise<DuckDb>;
  /** Called once the lock is held, before the folder is read. When it fails, nothing is published. */
  readonly onLocked?: () => Promise<void>;
}

/**
 * Publishes a folder, and returns the output and the exit code.
 *
 * @param directory The folder of the sources, as the user typed it.
 * @throws {UsageError} for options that contradict each other, and for folders that do not exist.
 */
export async function publishFolder(
  directory: string,
  flags: PublishFlags,
  { engine = openEngineWithoutSpill(), onLocked = async () => {} }: PublishResources = {},
): Promise<Outcome> {
  const scope = new Scope();
  const provided = { engine: scope.own(engine), onLocked };
  try {
    const outcome = await publishIn(directory, flags, provided, scope);
    await scope.end();
    return outcome;
  } catch (error) {
    // After an interruption, publishing may still use the engine. After any other error it does not.
    if (!(error instanceof InterruptedError)) await scope.end();
    throw error;
  }
}

async function publishIn(
  directory: string,
  flags: PublishFlags,
  provided: Required<PublishResources>,
  scope: Scope,
): Promise<Outcome> {
  const config = readConfig(process.env);
  const { dataDir } = config;
  await expectFolder(directory);
  if (flags.recipe !== undefined) await expectFolder(flags.recipe);
  const reportFile = flags.report === undefined ? null : await expectReportFile(flags.report, dataDir);
  const options = optionsOf(directory, flags, config);
  const progress = progressOn(process.stderr);
  const publishing = publishExclusively(options, progress, provided, scope);
  const result = await publishing.finally(() => progress.end());
  const written = await writeRequestedReport(result, reportFile, dataDir);
  const isReportLost = written !== null && written.file === null;
  return {
    exitCode: isReportLost && result.exitCode === EXIT.done ? EXIT.unexpected : result.exitCode,
    json: publishJson(result, written, options.dryRun),
    text: printedPublish(result, {
      month: flags.month,
      strict: options.strict,
      showComparison: options.dryRun,
      reportLocation: written,
      explain: flags.explain === true,
      style: styleFor(process.stdout, process.env),
      ...(process.stdout.isTTY && { width: process.stdout.columns }),
    }),
  };
}

async function expectFolder(typed: string): Promise<void> {
  const found = await stat(typedPath('ingest', typed)).catch(({ code }: NodeJS.ErrnoException) => {
    throw new UsageError(
      code === 'ENOENT'
        ? `there is no folder ${typed}; name one that is there`
        : `${typed} cannot be read (${code}); name a folder`,
    );
  });
  if (!found.isDirectory())
    throw new UsageError(`${typed} is not a folder; name the one that holds the files`);
}

/**
 * Makes the options of publishing from the flags of the command line.
 *
 * @throws {UsageError} for options that contradict each other.
 */
function optionsOf(
  directory: string,
  flags: PublishFlags,
  { dataDir, guards, snapshotStore }: Config,
): PublishOptions {
  const accepted = parseAcceptances(flags.accept, flags.reason);
  return {
    dataDir,
    directory: typedPath('ingest', directory),
    month: flags.month,
    recipe: flags.recipe === undefined ? null : typedPath('ingest', flags.recipe),
    reading: readingOptions({ ...flags, 'fill-down': flags.fillDown }),
    carry: flags.carry,
    dryRun: flags.dryRun === true,
    strict: flags.strict === true,
    guards,
    accept: accepted.findings,
    acceptYears: accepted.years,
    damagedCurrentReason: accepted.damagedCurrentReason,
    at: new Date(),
    store: snapshotStore && new ObjectStore(snapshotStore, process.env),
  };
}

async function publishExclusively(
  options: PublishOptions,
  progress: Progress,
  { engine, onLocked }: Required<PublishResources>,
  scope: Scope,
): Promise<PublishResult> {
  // It makes the tables of a small month while the lock is acquired.
  const smallStaging = scope.begin(openSmallStaging(options, engine));
  const publish = async (commit: () => void) => {
    await onLocked();
    return publishMonth(options, progress, { smallStaging, commit });
  };
  try {
    return await runExclusively(options.dataDir, 'interrupted; nothing was published', publish, engine);
  } catch (error) {
    if (options.dryRun && error instanceof LockedError)
      throw new LockedError(
        `${error.message}; a dry run has to wait too: it works in the same folder, DATA_DIR/tmp`,
      );
    throw error;
  }
}
