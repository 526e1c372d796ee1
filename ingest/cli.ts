// `npm run ingest`: inspect a file, publish a month, look after snapshots.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { DATASET_NAMES, type DatasetName, isDatasetName } from '../src/catalog/datasets.ts';
import { ConfigError, readConfig } from '../src/config.ts';
import { printableJson } from '../src/printable.ts';
import { acceptances } from './commands/acceptances.ts';
import { comparisonJson, diff } from './commands/diff.ts';
import { alone, InterruptedError } from './commands/exclusive.ts';
import { inspect } from './commands/inspect.ts';
import { EXIT, type Outcome } from './commands/outcome.ts';
import { printedComparison } from './commands/output/comparison.ts';
import { printedPublish, printedTable } from './commands/output/print.ts';
import { progressOn } from './commands/output/progress.ts';
import { type PublishResult, publishMonth } from './commands/publish.ts';
import { checkReportFile, reportWritten } from './commands/reportFile.ts';
import { list, pruneTo, rollbackTo, verifyOne } from './commands/snapshots.ts';
import { UsageError } from './messages/usageError.ts';
import { essenceOf } from './report/summary.ts';
import type { Report } from './report/types.ts';
import { UnreadableError } from './sources/readers/raw.ts';
import { LockedError } from './store/lock.ts';

async function main(args: readonly string[]): Promise<number> {
  const wantsJson = args.includes('--json');
  const outcome = await run(args).catch(failure);
  if (outcome === null) return EXIT.done;
  const { exitCode, json, text, failed } = outcome;
  if (wantsJson) process.stdout.write(`${printableJson(JSON.stringify(json, null, 2))}\n`);
  else (failed === true ? process.stderr : process.stdout).write(text);
  return exitCode;
}

async function run(args: readonly string[]): Promise<Outcome | null> {
  let outcome: Outcome | null = null;
  const command = program((result) => {
    outcome = result;
  });
  try {
    await command.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return null;
    if (error.code === 'commander.help')
      throw new UsageError('name a command: inspect, publish, list, diff, verify, rollback or prune');
    throw new UsageError(error.message.replace(/^error: /, '').replace('\n(Did you mean', ' (did you mean'));
  }
  return outcome;
}

function program(give: (outcome: Outcome) => void): Command {
  const dataDir = () => readConfig(process.env).dataDir;
  const command = new Command('ingest')
    .description('Turns spreadsheets into the versioned Parquet snapshots that the API and notebooks read.')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .addHelpText(
      'after',
      `\nExit codes: 0 done or unchanged, 1 unexpected, 2 usage, 3 a file cannot be read,\n4 its content is wrong, 5 refused by a guard, 6 another ingest is running.`,
    );
  const sub = (name: string, description: string, example: string) =>
    command
      .command(name)
      .description(description)
      .option('--json', 'print one JSON document on stdout')
      .addHelpText('after', `\nExample: npm run ingest -- ${example}`);
  sub(
    'inspect <file>',
    'show sheets, header, layout, types and the first rows of a file',
    'inspect data/sources/2026-11/ggr.xlsx',
  ).action(async (file: string) => give(await inspectFile(file)));
  sub(
    'publish <dir>',
    'read, check and publish a folder of sources as the snapshot of a month',
    'publish data/sources/2026-11 --month 2026-11 --dry-run',
  )
    .requiredOption('--month <YYYY-MM>', 'the month the data is of', monthOf)
    .option('--recipe <dir>', 'a folder with recipe.json and one SELECT per dataset')
    .option(
      '--carry <dataset>',
      'keep the current rows of a dataset that has no source (may be repeated)',
      carried,
      [],
    )
    .option('--dry-run', 'do everything but publish')
    .option('--strict', 'take warnings for errors')
    .option(
      '--accept <rule[:dataset]>',
      'let pass what a guard refuses, for all datasets or one (may be repeated, each with its --reason)',
      collected,
      [],
    )
    .option('--reason <text>', 'why it is right; kept in the manifest', collected, [])
    .option(
      '--report <file>',
      'write the report here too, of a dry run or a refused month as well; .json for programs',
    )
    .action(async (directory: string, options) => give(await publishFolder(directory, options)));
  sub('list', 'list the snapshots with their sizes, the current and the previous one marked', 'list').action(
    async () => give(await list(dataDir())),
  );
  sub('diff <a> <b>', 'show what differs from snapshot a to snapshot b', 'diff 2026-10.1 2026-11.1')
    .option('--limit <N>', 'how many totals, revisions and rows of each dataset are shown', countOf, 10)
    .action(async (a: string, b: string, { limit }) => give(await diff(dataDir(), a, b, limit)));
  sub(
    'verify [id]',
    'check every file and every row of a snapshot (the current one) against its manifest',
    'verify 2026-11.1',
  ).action(async (id?: string) => give(await verifyOne(dataDir(), id)));
  sub(
    'rollback [id]',
    'make a snapshot current again: the one published just before the current one, or a named one',
    'rollback 2026-10.1',
  ).action(async (id?: string) => give(await rollbackTo(dataDir(), id, new Date())));
  sub(
    'prune',
    'remove old snapshots, never the current one nor the one published before it',
    'prune --keep 6 --dry-run',
  )
    .requiredOption('--keep <N>', 'how many of the newest to keep', countOf)
    .option('--dry-run', 'only say what would be removed')
    .action(async ({ keep, dryRun }) => give(await pruneTo(dataDir(), keep, dryRun === true, new Date())));
  return command;
}

async function inspectFile(file: string): Promise<Outcome> {
  const inspected = await inspect(fromHere(file), file);
  const text = `${inspected.file} (${inspected.format})\n\n${inspected.tables.map(printedTable).join('\n')}`;
  return { exitCode: EXIT.done, json: inspected, text };
}

interface PublishFlags {
  readonly month: string;
  readonly recipe?: string;
  readonly carry: readonly DatasetName[];
  readonly dryRun?: true;
  readonly strict?: true;
  readonly accept: readonly string[];
  readonly reason: readonly string[];
  readonly report?: string;
}

async function publishFolder(directory: string, flags: PublishFlags): Promise<Outcome> {
  const { dataDir, guards } = readConfig(process.env);
  for (const folder of [directory, ...(flags.recipe === undefined ? [] : [flags.recipe])]) {
    const found = await stat(fromHere(folder)).catch(() => null);
    if (!found?.isDirectory()) throw new UsageError(`${folder} is not a folder`);
  }
  const reportFile = flags.report === undefined ? null : fromHere(flags.report);
  if (reportFile !== null) await checkReportFile(reportFile, flags.report ?? '', dataDir);
  const progress = progressOn(process.stderr);
  const options = {
    dataDir,
    directory: fromHere(directory),
    month: flags.month,
    recipe: flags.recipe === undefined ? null : fromHere(flags.recipe),
    carry: flags.carry,
    dryRun: flags.dryRun === true,
    strict: flags.strict === true,
    guards,
    accept: acceptances(flags.accept, flags.reason),
    at: new Date(),
  };
  try {
    const { exitCode, ...result } = await alone(dataDir, 'interrupted; nothing was published', (commit) =>
      publishMonth(options, {
        ...progress,
        phase: (name: string) => {
          if (name === 'publishing') commit();
          progress.phase(name);
        },
      }),
    );
    progress.end();
    const written = await reportWritten(result, reportFile, dataDir);
    return {
      exitCode,
      json: publishJson(result, written?.file ?? null, options.dryRun),
      text: `${changesOf(result, options.dryRun)}${printedPublish({ exitCode, ...result }, flags.month, options.strict, written)}`,
    };
  } finally {
    progress.end();
  }
}

/** A dry run shows the comparison itself; of a published month the report beside it does. */
const changesOf = ({ comparison }: Pick<PublishResult, 'comparison'>, dryRun: boolean): string =>
  dryRun && comparison !== null ? `${printedComparison(comparison)}\n` : '';

/** How many revised, new and removed rows of each dataset a program is told. */
const TOLD = 20;

/** What guards found is among the problems too: whoever reads nothing else learns what stands in the way. */
function publishJson(
  { report, ...result }: Omit<PublishResult, 'exitCode'>,
  reportFile: string | null,
  dryRun: boolean,
): object {
  const { problems, findings, comparison } = result;
  const found = findings
    .filter(({ accepted }) => accepted === null)
    .map(({ dataset, severity, message, accept }) => ({
      severity: severity === 'refuse' ? 'refusal' : 'warning',
      file: dataset,
      sheet: null,
      cell: null,
      place: dataset,
      message: `${message}. If that is right: ${accept}`,
    }));
  // Once published, report.json beside the snapshot has it.
  const told = dryRun && comparison !== null ? comparisonJson(comparison, TOLD) : undefined;
  const changes = report === null ? null : changesJson(report);
  return { ...result, problems: [...problems, ...found], changes, comparison: told, report: reportFile };
}

/** The table that is printed, for programs. */
const changesJson = (report: Report) => ({
  comparedWith: report.comparedWith,
  headline: report.headline,
  datasets: essenceOf(report),
});

/** Meets every error once: its exit code, and a sentence instead of a stack. */
function failure(error: unknown): Outcome {
  const message = error instanceof Error ? error.message : String(error);
  const exitCode = exitCodeOf(error);
  const status =
    error instanceof InterruptedError
      ? 'interrupted'
      : Object.entries(EXIT).find(([, code]) => code === exitCode)?.[0];
  const code =
    ENGINE_CODES.find(([said]) => said.test(message))?.[1] ?? (error as NodeJS.ErrnoException | null)?.code;
  const remedy = error instanceof UsageError ? '; see --help' : (REMEDIES[code ?? ''] ?? '');
  const json = { status, snapshot: null, error: message, problems: [] };
  return { exitCode, json, text: `${message}${remedy}\n`, failed: true };
}

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError || error instanceof ConfigError) return EXIT.usage;
  if (error instanceof UnreadableError) return EXIT.unreadable;
  if (error instanceof InterruptedError) return error.exitCode;
  return error instanceof LockedError ? EXIT.locked : EXIT.unexpected;
}

/** What the engine says in words, and the system in a code. */
const ENGINE_CODES: readonly (readonly [RegExp, string])[] = [
  [/No space left/i, 'ENOSPC'],
  [/Read-only file system/i, 'EROFS'],
  [/Permission denied/i, 'EACCES'],
  [/File too large/i, 'EFBIG'],
  [/Disk quota exceeded/i, 'EDQUOT'],
  [/: Is a directory/i, 'EISDIR'],
];

const FULL = 'free some space, such as with prune, and run again; current is what it was';

const REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: `; the disk is full: ${FULL}`,
  EDQUOT: `; the quota is used up: ${FULL}`,
  EFBIG:
    '; a file may not grow that large here: raise the limit (ulimit -f) and run again; current is what it was',
  EROFS: '; DATA_DIR cannot be written: name another one',
  EACCES: '; check who owns the folder and its permissions',
  EPERM: '; check who owns the folder and its permissions',
  ENOTDIR: '; a file stands where a folder belongs: move it away, or name another DATA_DIR',
  EISDIR: '; a folder stands where a file belongs: move it away',
  EXDEV: '; snapshots must lie on the same disk as DATA_DIR itself: make it so, without links',
};

function monthOf(text: string): string {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(text))
    throw new InvalidArgumentError('Write it as YYYY-MM, such as 2026-11');
  return text;
}

function countOf(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('Write a whole number, such as 6');
  return Number(text);
}

const collected = (text: string, before: readonly string[]): string[] => [...before, text];

function carried(text: string, before: readonly DatasetName[]): DatasetName[] {
  if (!isDatasetName(text)) throw new InvalidArgumentError(`It is none of: ${DATASET_NAMES.join(', ')}`);
  return [...before, text];
}

/** Paths are meant from where the person stands; npm changes to the package's folder first. */
function fromHere(file: string): string {
  const here = process.env.npm_lifecycle_event === 'ingest' ? process.env.INIT_CWD : undefined;
  return path.resolve(here ?? '.', file);
}

process.exitCode = await main(process.argv.slice(2));
// Interrupted, what is still at work must not go on.
if (process.exitCode > 128) process.exit();
