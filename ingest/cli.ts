// `npm run ingest`: inspect a file, publish a month, list and verify snapshots.

import { rmSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { DATASET_NAMES, type DatasetName, isDatasetName } from '../src/catalog/datasets.ts';
import { readManifest } from '../src/catalog/verify.ts';
import { ConfigError, readConfig } from '../src/config.ts';
import { inspect } from './inspect.ts';
import { LockedError, lock } from './lock.ts';
import { publishMonth } from './month.ts';
import { bytes, printedPublish, printedTable, table, thousands } from './print.ts';
import { progressOn } from './progress.ts';
import { TEMPORARY } from './publish.ts';
import { UnreadableError } from './readers/raw.ts';
import { currentId, history, snapshotDirectory, snapshotIds } from './snapshots.ts';
import { verify } from './verify.ts';

/** The exit codes people's scripts rely on. */
const EXIT = { done: 0, unexpected: 1, usage: 2, unreadable: 3, wrong: 4, refused: 5, locked: 6 } as const;

/** What a command gives back: its exit code, one document for programs, and text for people. */
interface Outcome {
  readonly exitCode: number;
  readonly json: unknown;
  readonly text: string;
  /** The command could not do its work at all: its text goes to stderr. */
  readonly failed?: true;
}

/** The command line is at fault: exit code 2. */
class UsageError extends Error {}

async function main(args: readonly string[]): Promise<number> {
  const wantsJson = args.includes('--json');
  const outcome = await run(args).catch(failure);
  if (outcome === null) return EXIT.done;
  const { exitCode, json, text, failed } = outcome;
  if (wantsJson) process.stdout.write(`${JSON.stringify(json, null, 2)}\n`);
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
      throw new UsageError('name a command: inspect, publish, list or verify');
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
  const sub = (name: string, description: string) =>
    command.command(name).description(description).option('--json', 'print one JSON document on stdout');
  sub('inspect <file>', 'show sheets, header, layout, types and the first rows of a file').action(
    async (file: string) => give(await inspectFile(file)),
  );
  sub('publish <dir>', 'read, check and publish a folder of sources as the snapshot of a month')
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
    .action(async (directory: string, options) => give(await publishFolder(dataDir(), directory, options)));
  sub('list', 'list the snapshots, the current one marked').action(async () => give(await list(dataDir())));
  sub('verify [id]', 'check every file of a snapshot (the current one) against its manifest').action(
    async (id?: string) => give(await verifyOne(dataDir(), id)),
  );
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
}

async function publishFolder(dataDir: string, directory: string, flags: PublishFlags): Promise<Outcome> {
  for (const folder of [directory, ...(flags.recipe === undefined ? [] : [flags.recipe])]) {
    const found = await stat(fromHere(folder)).catch(() => null);
    if (!found?.isDirectory()) throw new UsageError(`${folder} is not a folder`);
  }
  await mkdir(dataDir, { recursive: true });
  const held = await lock(path.join(dataDir, 'ingest.lock'));
  const progress = progressOn(process.stderr);
  let publishing = false;
  const interrupted = (signal: NodeJS.Signals) => {
    // The last step is short and must not be cut in words either: let it end.
    if (publishing) return;
    progress.end();
    rmSync(path.join(dataDir, TEMPORARY), { recursive: true, force: true });
    process.stderr.write('interrupted; nothing was published\n');
    process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  process.on('SIGINT', interrupted).on('SIGTERM', interrupted);
  try {
    const options = {
      dataDir,
      directory: fromHere(directory),
      month: flags.month,
      recipe: flags.recipe === undefined ? null : fromHere(flags.recipe),
      carry: flags.carry,
      dryRun: flags.dryRun === true,
      strict: flags.strict === true,
      at: new Date(),
    };
    const watched = {
      ...progress,
      phase: (name: string) => {
        publishing = name === 'publishing';
        progress.phase(name);
      },
    };
    const { exitCode, ...result } = await publishMonth(options, watched);
    progress.end();
    return {
      exitCode,
      json: result,
      text: printedPublish({ exitCode, ...result }, flags.month, options.strict),
    };
  } finally {
    progress.end();
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
    held.release();
  }
}

async function list(dataDir: string): Promise<Outcome> {
  const current = await currentId(dataDir);
  const events = await history(dataDir);
  const snapshots = [];
  for (const id of await snapshotIds(dataDir)) {
    const manifest = await readManifest(snapshotDirectory(dataDir, id)).catch(() => null);
    const files = Object.values(manifest?.datasets ?? {});
    const published = events.findLast((entry) => entry.id === id && entry.event === 'published')?.at ?? null;
    snapshots.push({
      id,
      current: id === current,
      published,
      rows: manifest === null ? null : files.reduce((sum, file) => sum + file.rows, 0),
      bytes: manifest === null ? null : files.reduce((sum, file) => sum + file.bytes, 0),
    });
  }
  const rows = snapshots.map((s) => [
    s.current ? `${s.id} *` : s.id,
    s.published?.slice(0, 16).replace('T', ' ') ?? '',
    s.rows === null ? 'manifest damaged' : thousands(s.rows),
    s.bytes === null ? '' : bytes(s.bytes),
  ]);
  const text =
    rows.length === 0
      ? 'no snapshots yet\n'
      : table([['snapshot', 'published', 'rows', 'size'], ...rows], '');
  return { exitCode: EXIT.done, json: { current, snapshots }, text };
}

async function verifyOne(dataDir: string, asked: string | undefined): Promise<Outcome> {
  const id = asked ?? (await currentId(dataDir));
  if (id === null) throw new UsageError('there is no current snapshot to verify');
  const known = await snapshotIds(dataDir);
  if (!known.includes(id))
    throw new UsageError(`no snapshot ${id}; there are: ${known.join(', ') || 'none'}`);
  const damages = await verify(dataDir, id);
  const lines = damages.map(
    ({ file, column, message }) =>
      `${id}/${file}${column === null ? '' : `, column ${column}`}: ${message}\n`,
  );
  const text =
    damages.length === 0
      ? `${id} is whole: every checksum and every row agrees with its manifest\n`
      : lines.join('');
  const json = { status: damages.length === 0 ? 'whole' : 'damaged', snapshot: id, damages };
  return { exitCode: damages.length === 0 ? EXIT.done : EXIT.wrong, json, text };
}

/** Meets every error once: its exit code, and a sentence instead of a stack. */
function failure(error: unknown): Outcome {
  const message = error instanceof Error ? error.message : String(error);
  const exitCode = exitCodeOf(error);
  const status = Object.entries(EXIT).find(([, code]) => code === exitCode)?.[0];
  const code =
    ENGINE_CODES.find(([said]) => said.test(message))?.[1] ?? (error as NodeJS.ErrnoException | null)?.code;
  const remedy = error instanceof UsageError ? '; see --help' : (REMEDIES[code ?? ''] ?? '');
  const json = { status, snapshot: null, error: message, problems: [] };
  return { exitCode, json, text: `${message}${remedy}\n`, failed: true };
}

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError || error instanceof ConfigError) return EXIT.usage;
  if (error instanceof UnreadableError) return EXIT.unreadable;
  return error instanceof LockedError ? EXIT.locked : EXIT.unexpected;
}

/** What the engine says in words, and the system in a code. */
const ENGINE_CODES: readonly (readonly [RegExp, string])[] = [
  [/No space left/i, 'ENOSPC'],
  [/Read-only file system/i, 'EROFS'],
  [/Permission denied/i, 'EACCES'],
];

const REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: '; the disk is full: free some space and run again, nothing was published',
  EROFS: '; DATA_DIR cannot be written: name another one',
  ENOTDIR: '; DATA_DIR must be a folder: name another one',
  EACCES: '; check who owns the folder and its permissions',
};

function monthOf(text: string): string {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(text))
    throw new InvalidArgumentError('Write it as YYYY-MM, such as 2026-11');
  return text;
}

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
