// The command line of `npm run ingest`: its commands, options and help.

import { type Command, InvalidArgumentError, Option } from 'commander';
import { MONTH } from '../../src/catalog/calendar.ts';
import { DATASET_NAMES, type DatasetName, isDatasetName } from '../../src/catalog/datasets.ts';
import { readConfig } from '../../src/config/config.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { type Act, type CommandLine, subcommand, typedPath } from '../../src/terminal/commandLine.ts';
import { UsageError } from '../../src/terminal/usageError.ts';
import { FAR_YEARS } from '../checks/acceptedYears.ts';
import { guardHelp } from '../guards/guardDescriptions.ts';
import { CURRENT_DAMAGED } from '../store/currentDamage.ts';

// Each action imports its command only when it runs, so that help and usage errors do not wait for DuckDB.
export const ingestCommandLine: CommandLine = {
  name: 'ingest',
  define,
  // Every JSON document of `publish` has these fields, so failures have them too.
  failureJson: { snapshot: null, problems: [] },
  explain: async (error) => (await import('./failure.ts')).failureOf(error),
};

function define(command: Command, act: Act): void {
  command
    .description('Turns spreadsheets into the versioned Parquet snapshots that the API and notebooks read.')
    .addHelpText(
      'after',
      `\nExit codes: 0 done or unchanged, 1 unexpected, 2 usage, 3 a file cannot be read,\n4 its content is wrong, 5 refused by a guard, 6 another ingest is running,\n130, 143 and 129 interrupted by Ctrl-C, SIGTERM and a closed terminal.`,
    );
  const addCommand: AddCommand = (name, description, example) =>
    subcommand(command, name, description).addHelpText('after', `\nExample: npm run ingest -- ${example}`);
  // The help lists the commands in this order.
  defineInspect(addCommand, act);
  definePublish(addCommand, act);
  defineTemplate(addCommand, act);
  defineWatch(addCommand, act);
  defineCopies(addCommand, act);
  defineSnapshots(addCommand, act);
}

/** Adds a command whose help ends with an example. */
type AddCommand = (name: string, description: string, example: string) => Command;

const dataDir = () => readConfig(process.env).dataDir;

function defineInspect(addCommand: AddCommand, act: Act): void {
  addCommand(
    'inspect <file>',
    'show sheets, header, layout, types and the first rows of a file',
    'inspect data/sources/2026-11/ggr.xlsx',
  ).action((file: string) =>
    act(async () => (await import('./inspectFile.ts')).inspectFile(typedPath('ingest', file), file)),
  );
}

function definePublish(addCommand: AddCommand, act: Act): void {
  const command = addCommand(
    'publish <dir>',
    'read, check and publish a folder of sources as the snapshot of a month',
    'publish data/sources/2026-11 --month 2026-11 --dry-run',
  )
    .requiredOption('--month <YYYY-MM>', 'the month that the data is for (required)', parseMonth)
    .option('--recipe <dir>', 'a folder with recipe.json and one SELECT per dataset')
    .addOption(
      repeatable('--carry <dataset>', 'keep the current rows of a dataset that has no source').argParser(
        parseCarried,
      ),
    );
  for (const option of readingOptionDefinitions()) command.addOption(option);
  command
    .option('--dry-run', 'do everything but publish')
    .option('--strict', 'treat warnings as errors')
    .addOption(
      repeatable(
        '--accept <rule[:dataset[:country]]>',
        'accept what a guard refuses, everywhere or in one dataset or country; each with its --reason',
      ),
    )
    .addOption(repeatable('--reason <text>', 'why it is right; recorded in the manifest'))
    .option('--explain', 'explain the columns of the summary')
    .option(
      '--report <file>',
      'also write the report to this file, even for a dry run or a refused month; .json for programs',
    )
    .addHelpText('after', `\n${guardHelp(SETTINGS, OTHER_RULES)}`)
    .action((directory: string, options) =>
      act(async () => {
        // The engine opens on another thread while this one loads the modules of the command.
        const engine = (await import('../staging/database/stagingEngine.ts')).openEngineWithoutSpill();
        return (await import('./publish/publishFolder.ts')).publishFolder(directory, options, { engine });
      }),
    );
}

/** The options for the notation of the sources, such as that of numbers and empty cells. */
const readingOptionDefinitions = (): readonly Option[] => [
  repeatable('--numbers <[file=]de|en>', 'numbers in text are written 1.234,5 (de) or 1,234.5 (en)'),
  repeatable('--missing <[file=]texts>', 'texts that stand for an empty cell, such as "n/a,–"'),
  repeatable(
    '--fill-down <[file=]dimensions>',
    'empty cells of these dimensions repeat the cell above, such as country,category',
  ),
  repeatable(
    '--scale <[file=]metric=factor>',
    'multiply a metric, such as ggr=1e6; ggr=1 confirms the numbers as they are',
  ),
];

/** The rules of refusals that no guard makes, each with what it refuses. */
const OTHER_RULES = [
  [FAR_YEARS, 'a year 50 years or more from all others: far-years[:dataset[:1930 or 1900-1930]]'],
  [CURRENT_DAMAGED, 'any month, because a damaged current snapshot cannot be compared'],
] as const;

function defineTemplate(addCommand: AddCommand, act: Act): void {
  addCommand(
    'template <dataset>',
    'write a workbook to fill in for a dataset: headings, drop-down lists of the current values, notes',
    'template ggr --month 2026-12 --filled --out ggr.xlsx',
  )
    .requiredOption('--month <YYYY-MM>', 'the month it is for (required)', parseMonth)
    .requiredOption('--out <file>', 'where to write it (required)')
    .option('--filled', 'with the rows of the current snapshot')
    .action((dataset: string, { month, out, filled }) =>
      act(async () =>
        (await import('./template.ts')).writeTemplate({
          dataset: parseDataset(dataset),
          month,
          filled: filled === true,
          file: typedPath('ingest', out),
          dataDir: dataDir(),
        }),
      ),
    );
}

function defineWatch(addCommand: AddCommand, act: Act): void {
  addCommand(
    'watch <dir>',
    'publish every folder YYYY-MM of a directory as soon as it has a file READY',
    'watch /srv/inbox --once',
  )
    .option('--once', 'look once and end; for a timer')
    .option('--every <seconds>', 'how long to wait between two looks', parseCount, 10)
    .action((directory: string, flags) =>
      act(async () => (await import('./watch.ts')).watch(directory, flags)),
    );
}

function defineCopies(addCommand: AddCommand, act: Act): void {
  addCommand(
    'list',
    'list the snapshots with their sizes; marks the current and the previous one, and those whose files have a wrong size',
    'list',
  )
    .option('--store', 'list those of SNAPSHOT_STORE instead')
    .action(({ store }) =>
      act(async () => (store ? (await copies()).listStored() : (await snapshots()).listSnapshots(dataDir()))),
    );
  addCommand(
    'push [id]',
    'copy a snapshot to SNAPSHOT_STORE: the named one, or the current one',
    'push 2026-11.1',
  ).action((id?: string) => act(async () => (await copies()).push(id)));
  addCommand(
    'pull <id>',
    'copy a snapshot from SNAPSHOT_STORE; rollback then makes it current',
    'pull 2026-11.1',
  ).action((id: string) => act(async () => (await copies()).pull(id)));
}

function defineSnapshots(addCommand: AddCommand, act: Act): void {
  addCommand('diff <a> <b>', 'show what differs from snapshot a to snapshot b', 'diff 2026-10.1 2026-11.1')
    .option('--limit <N>', 'how many totals, revisions and rows of each dataset are shown', parseCount, 10)
    .action((a: string, b: string, { limit }) =>
      act(async () => {
        const config = readConfig(process.env);
        return (await import('./diff.ts')).diff(config, [a, b], limit);
      }),
    );
  addCommand(
    'verify [id]',
    'check every file and row of a snapshot against its manifest: the named one, or the current one',
    'verify 2026-11.1',
  ).action((id?: string) => act(async () => (await snapshots()).verifySnapshot(dataDir(), id)));
  addCommand(
    'rollback [id]',
    'make a snapshot current again: the named one, or the one published just before the current one',
    'rollback 2026-10.1',
  ).action((id?: string) => act(async () => (await snapshots()).rollbackTo(dataDir(), id, new Date())));
  addCommand(
    'prune',
    'remove old snapshots, never the current one nor the one published before it',
    'prune --keep 6 --dry-run',
  )
    .requiredOption('--keep <N>', 'how many of the newest to keep (required)', parseCount)
    .option('--dry-run', 'only say what would be removed')
    .action(({ keep, dryRun }) =>
      act(async () => (await snapshots()).pruneSnapshots(dataDir(), keep, dryRun === true, new Date())),
    );
}

const snapshots = () => import('./snapshotCommands.ts');
const copies = () => import('./storeCommands.ts');

function parseMonth(text: string): string {
  if (!MONTH.test(text)) throw new InvalidArgumentError('Write it as YYYY-MM, such as 2026-11');
  return text;
}

function parseCount(text: string): number {
  if (!/^\d{1,6}$/.test(text))
    throw new InvalidArgumentError('Write a whole number of at most six digits, such as 6');
  return Number(text);
}

/** An option that may be given several times. Its values are collected in a list. */
const repeatable = (flags: string, description: string): Option =>
  new Option(flags, `${description} (may be repeated)`).argParser(appendValue).default([], 'none');

const appendValue = (text: string, before: readonly string[]): string[] => [...before, text];

function parseDataset(text: string): DatasetName {
  if (!isDatasetName(text))
    throw new UsageError(`${text} is not a dataset; write one of: ${DATASET_NAMES.join(', ')}`);
  return text;
}

function parseCarried(text: string, before: readonly DatasetName[]): DatasetName[] {
  if (!isDatasetName(text)) throw new InvalidArgumentError(`It must be one of: ${DATASET_NAMES.join(', ')}`);
  return [...before, text];
}
