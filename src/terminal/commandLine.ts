// The shell around commander: runs one command, prints its outcome, turns an error into an exit code and a sentence.

import path from 'node:path';
import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config.ts';
import { printable, printableJson } from '../printable.ts';
import { UsageError } from './usageError.ts';

/** The exit codes that all our commands share; scripts rely on them. */
export const EXIT = { done: 0, unexpected: 1, usage: 2 } as const;

/** The result of a command. */
export interface Outcome {
  /** Left out: 0, done. */
  readonly exitCode?: number;
  /** For programs: one document on stdout, with `--json`. */
  readonly json: unknown;
  /** For people: on stdout, or on stderr when the command `failed`. */
  readonly text: string;
  /** For people, on stderr beside a text that is piped on, such as a new key. */
  readonly note?: string;
  /** The command failed. */
  readonly failed?: true;
}

/** An error as a command reports it. */
export interface Failure {
  readonly exitCode: number;
  /** One word for programs. */
  readonly status: string;
  /** The problem and the remedy; one sentence. */
  readonly message: string;
}

/** Runs the work of an action, after the whole command line was parsed. */
export type Act = (work: () => Promise<Outcome>) => Promise<void>;

export interface CommandLine {
  readonly name: string;
  /** Adds description, commands and options. Actions import the modules that they need, so `--help` loads none of them. */
  readonly define: (command: Command, act: Act) => void;
  /** Turns an error of a command into a failure; null for an unexpected one. Wrong usage and settings are handled here. */
  readonly explain: (error: unknown) => Failure | null | Promise<Failure | null>;
  /** Further fields in the JSON document of a failure, besides `status` and `error`. */
  readonly failureJson?: object;
  /** Removes secrets from a message. */
  readonly redact?: (message: string) => string;
}

/** Where text goes. */
export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Runs one command and gives its exit code. Never throws. */
export async function runCommandLine(
  line: CommandLine,
  args: readonly string[],
  { out, err }: Output,
): Promise<number> {
  // A guess until the command line is parsed, so that errors of parsing are printed as JSON, too.
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
  outcome = await parsed(command, args).then(
    () => outcome,
    async (error) => outcomeOf(await failureOf(line, error), line.failureJson),
  );
  // Help was requested and printed.
  if (outcome === null) return EXIT.done;
  const { exitCode = EXIT.done, json, text, note, failed } = outcome;
  if (wantsJson) out(`${printableJson(JSON.stringify(json, null, 2))}\n`);
  else {
    (failed === true ? err : out)(text);
    if (note !== undefined) err(`${note}\n`);
  }
  return exitCode;
}

/** Runs the command that this process was started for, then ends it. */
export async function runProcess(line: CommandLine): Promise<never> {
  let lost: Error | null = null;
  const onError = (error: NodeJS.ErrnoException) => {
    // A reader such as `head` may stop early. The command goes on, and its exit code counts.
    if (error.code !== 'EPIPE') lost = error;
  };
  for (const stream of [process.stdout, process.stderr]) stream.on('error', onError);
  const exitCode = await runCommandLine(line, process.argv.slice(2), {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  });
  // A closing connection, or an interrupted publish, would keep the process alive. Its end would cut what a slow reader
  // has not read yet.
  await Promise.all(
    [process.stdout, process.stderr].map((stream) => new Promise((resolve) => stream.write('', resolve))),
  );
  if (lost === null) process.exit(exitCode);
  process.stderr.write(`the output could not be written: ${(lost as Error).message}\n`);
  process.exit(exitCode === EXIT.done ? EXIT.unexpected : exitCode);
}

/** Adds a command that takes `--json`, as all do. */
export const subcommand = (command: Command, name: string, description: string): Command =>
  withJson(command.command(name).description(description));

export const withJson = (command: Command): Command =>
  command.option('--json', 'print one JSON document on stdout');

/**
 * Makes options that take one value refuse a second one. Commander would take the last one, such as a month, without a
 * word.
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
 * Makes a typed path absolute. It is relative to the folder where it was typed, but npm changes to the package's folder
 * before it runs `script`.
 */
export function typedPath(script: string, typed: string): string {
  const { npm_lifecycle_event, INIT_CWD } = process.env;
  return path.resolve((npm_lifecycle_event === script ? INIT_CWD : undefined) ?? '.', typed);
}

/** @throws {UsageError} for a mistake in the command line; else what a command throws. */
async function parsed(command: Command, args: readonly string[]): Promise<void> {
  try {
    await command.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return;
    if (error.code === 'commander.help') throw new UsageError(`name a command: ${namesOf(command)}`);
    throw new UsageError(error.message.replace(/^error: /, '').replace('\n(Did you mean', ' (did you mean'));
  }
}

const namesOf = (command: Command) => command.commands.map((sub) => sub.name()).join(', ');

async function failureOf(line: CommandLine, error: unknown): Promise<Failure> {
  const message = error instanceof Error ? error.message : String(error);
  const failure: Failure =
    // Some of commander's messages end in a full stop, which must not be before `; see --help`.
    error instanceof UsageError
      ? {
          exitCode: EXIT.usage,
          status: 'usage',
          message: `${printable(message).replace(/\.$/, '')}; see --help`,
        }
      : error instanceof ConfigError
        ? { exitCode: EXIT.usage, status: 'usage', message: printable(message) }
        : ((await line.explain(error)) ?? { exitCode: EXIT.unexpected, status: 'unexpected', message });
  return { ...failure, message: line.redact?.(failure.message) ?? failure.message };
}

const outcomeOf = ({ exitCode, status, message }: Failure, besides = {}): Outcome => ({
  exitCode,
  json: { status, error: message, ...besides },
  text: `${message}\n`,
  failed: true,
});
