// Runs one command with commander, prints its outcome, and turns an error into a sentence and an exit code.

import path from 'node:path';
import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config/config.ts';
import { settingsAdvice } from '../config/settingsAdvice.ts';
import { printable, printableJson } from '../text/printable.ts';
import { withNumbersInPlace } from '../text/rightToLeft.ts';
import { UsageError } from './usageError.ts';

/** The exit codes that all commands share. Scripts rely on them. */
export const EXIT = { done: 0, unexpected: 1, usage: 2 } as const;

/** The result of a command. */
export interface Outcome {
  /** The exit code; 0 when left out. */
  readonly exitCode?: number;
  /** The document for programs, which is printed on stdout with `--json`. */
  readonly json: unknown;
  /** The text for people. It is printed on stdout, or on stderr when the command has failed. */
  readonly text: string;
  /**
   * A further text for people, printed on stderr. It is not part of `text`, because `text` may be piped to a program, for
   * example when it is a new key.
   */
  readonly note?: string;
  readonly failed?: true;
}

/** The report of an error. */
export interface Failure {
  readonly exitCode: number;
  /** A word for programs that names the kind of error. */
  readonly status: string;
  /** A sentence with the problem and the remedy. */
  readonly message: string;
}

/** Runs the work of a command, after the whole command line was parsed. */
export type Act = (work: () => Promise<Outcome>) => Promise<void>;

/** A program with its commands. */
export interface CommandLine {
  readonly name: string;
  /**
   * Adds the description, commands and options. Actions import the modules that they need, so that `--help` is fast.
   */
  readonly define: (command: Command, act: Act) => void;
  /**
   * Turns an error of a command into a failure; null for an unexpected one. It never gets a `UsageError` or `ConfigError`.
   */
  readonly explain: (error: unknown) => Failure | null | Promise<Failure | null>;
  /** Further fields in the JSON document of a failure, besides `status` and `error`. */
  readonly failureJson?: object;
  /** Removes secrets from a message. */
  readonly redact?: (message: string) => string;
}

/** Writes text to stdout and stderr. */
export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether stdout is a terminal. */
  readonly isTerminal?: boolean;
}

/** Runs one command, and gives its exit code. Never throws. */
export async function runCommandLine(
  line: CommandLine,
  args: readonly string[],
  { out, err, isTerminal = false }: Output,
): Promise<number> {
  // Parsing shows whether `--json` is an option or the value of another one. Until then, `--json` anywhere counts, so that
  // errors of parsing can be printed as JSON too.
  let wantsJson = args.includes('--json');
  let outcome: Outcome | null = null;
  const command = new Command(line.name).exitOverride().configureOutput({ writeOut: out, writeErr() {} });
  line.define(command, async (work) => {
    outcome = await work();
  });
  refuseSecondValues(command);
  command.hook('preAction', (_, chosen) => {
    wantsJson = chosen.opts().json === true;
  });
  requireOptionsLast(command);
  outcome = await parseAndRun(command, args).then(
    () => outcome,
    async (error) => outcomeOf(await failureOf(line, error), line.failureJson),
  );
  // Without an outcome, help was requested and has been printed.
  if (outcome === null) return EXIT.done;
  const { exitCode = EXIT.done, json, text, note, failed } = outcome;
  if (wantsJson) out(`${printableJson(JSON.stringify(json, null, 2))}\n`);
  else {
    (failed === true ? err : out)(isTerminal ? withNumbersInPlace(text) : text);
    if (note !== undefined) err(`${note}\n`);
  }
  return exitCode;
}

/** Runs the command that this process was started for, then ends it. */
export async function runProcess(line: CommandLine): Promise<never> {
  let lost: Error | null = null;
  const onError = (error: NodeJS.ErrnoException) => {
    // A reader such as `head` may stop early. This is not an error, and the exit code of the command counts.
    if (error.code !== 'EPIPE') lost = error;
  };
  for (const stream of [process.stdout, process.stderr]) stream.on('error', onError);
  for (const advice of settingsAdvice(process.env)) process.stderr.write(`${printable(advice)}\n`);
  const exitCode = await runCommandLine(line, process.argv.slice(2), {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    isTerminal: process.stdout.isTTY,
  });
  // The process is ended by force, because a closing connection or an interrupted publish would keep it alive. Before
  // that, a slow reader must have read everything.
  await Promise.all([process.stdout, process.stderr].map(untilFlushed));
  if (lost === null) process.exit(exitCode);
  process.stderr.write(`the output could not be written: ${(lost as Error).message}\n`);
  process.exit(exitCode === EXIT.done ? EXIT.unexpected : exitCode);
}

/** Waits until a stream has written all of its bytes, or has failed. */
async function untilFlushed(stream: NodeJS.WriteStream): Promise<void> {
  // An empty write fails on a full disk, so it is left out where no bytes wait.
  if (stream.writableLength > 0) await new Promise((resolve) => stream.write('', resolve));
  await new Promise((resolve) => setImmediate(resolve));
}

/** Adds a command. It has the option `--json`, as all commands have. */
export const subcommand = (command: Command, name: string, description: string): Command =>
  withJson(command.command(name).description(description));

/** Adds the option `--json`, with which a command prints one JSON document. */
export const withJson = (command: Command): Command =>
  command.option('--json', 'print one JSON document on stdout');

/**
 * Makes options that take one value refuse a second one. Commander would silently use the last value, such as the wrong
 * month.
 */
function refuseSecondValues(command: Command): void {
  for (const option of command.options) {
    const takesOne = (option.required || option.optional) && !Array.isArray(option.defaultValue);
    if (!takesOne) continue;
    let first: string | null = null;
    command.on(`option:${option.name()}`, (text: string | null) => {
      const value = text ?? '';
      if (first !== null && first !== value)
        throw new UsageError(`--${option.name()} is given twice, as ${first} and as ${value}; keep one`);
      first = value;
    });
  }
  for (const sub of command.commands) refuseSecondValues(sub);
}

/**
 * Reports a missing option only when nothing else is wrong. Commander reports it first: after a misspelt `--mont`, it
 * says that `--month` is missing.
 */
function requireOptionsLast(command: Command): void {
  const required = command.options.filter((option) => option.mandatory);
  for (const option of required) option.makeOptionMandatory(false);
  command.hook('preAction', (_, chosen) => {
    if (chosen !== command) return;
    for (const option of required)
      if (command.getOptionValue(option.attributeName()) === undefined)
        throw new UsageError(`required option '${option.flags}' not specified`);
  });
  for (const sub of command.commands) requireOptionsLast(sub);
}

/**
 * The absolute path for a path that somebody typed. A typed path is relative to the folder in which it was typed, but npm
 * changes to the folder of the package before it runs `script`.
 *
 * @throws {UsageError} for an empty path, as from a variable of the shell without a value. An empty path would mean the
 * current folder.
 */
export function typedPath(script: string, typed: string): string {
  if (typed === '')
    throw new UsageError('a path is empty; name a file or folder, or write . for this folder');
  const { npm_lifecycle_event, INIT_CWD } = process.env;
  return path.resolve((npm_lifecycle_event === script ? INIT_CWD : undefined) ?? '.', typed);
}

/**
 * Parses the command line and runs the command.
 *
 * @throws {UsageError} for a mistake in the command line.
 * @throws what the command throws.
 */
async function parseAndRun(command: Command, args: readonly string[]): Promise<void> {
  try {
    await command.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return;
    const hasCommands = command.commands.length > 0;
    const isNameMissing = error.code === 'commander.help' || args.every((arg) => arg === '--json');
    if (hasCommands && isNameMissing) throw new UsageError(`name a command: ${namesOf(command)}`);
    throw new UsageError(error.message.replace(/^error: /, '').replace('\n(Did you mean', ' (did you mean'));
  }
}

const namesOf = (command: Command) => command.commands.map((sub) => sub.name()).join(', ');

async function failureOf(line: CommandLine, error: unknown): Promise<Failure> {
  const message = error instanceof Error ? error.message : String(error);
  const failure = usageFailureOf(error) ??
    (await line.explain(error)) ?? { exitCode: EXIT.unexpected, status: 'unexpected', message };
  return { ...failure, message: line.redact?.(failure.message) ?? failure.message };
}

/** The failure of a call with wrong words or settings; null for any other error. */
function usageFailureOf(error: unknown): Failure | null {
  if (!(error instanceof UsageError || error instanceof ConfigError)) return null;
  const message = printable(error.message);
  // Some messages of commander end in a full stop. It is removed, because `; see --help` follows.
  const advised =
    error instanceof UsageError && !error.listsAll ? `${message.replace(/\.$/, '')}; see --help` : message;
  return { exitCode: EXIT.usage, status: 'usage', message: advised };
}

const outcomeOf = ({ exitCode, status, message }: Failure, besides = {}): Outcome => ({
  exitCode,
  json: { status, error: message, ...besides },
  text: `${message}\n`,
  failed: true,
});
