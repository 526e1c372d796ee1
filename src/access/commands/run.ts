// Runs one keys command: opens Redis for it, and says how it ended.

import os from 'node:os';
import { CommanderError } from 'commander';
import { openRedis, type RedisAddress, RedisAway, RedisMissing } from '../redis/connection.ts';
import { type Access, type Outcome, type Settings, UsageError } from './commands.ts';
import { program } from './program.ts';

/** The exit codes people's scripts rely on. */
const EXIT = { done: 0, unexpected: 1, usage: 2 } as const;

export interface KeysSettings extends Settings {
  /** Null: the private Redis of `dataDir`. */
  readonly redis: RedisAddress | null;
  readonly dataDir: string;
}

/** Where it is said. */
export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Gives the exit code. `settings` are read when a command needs them: help does without. */
export async function runKeys(
  args: readonly string[],
  settings: () => KeysSettings,
  { out, err }: Output,
): Promise<number> {
  const wantsJson = args.includes('--json');
  try {
    const outcome = await run(args, settings, out);
    if (outcome === null) return EXIT.done;
    out(wantsJson ? `${JSON.stringify(outcome.json, null, 2)}\n` : outcome.text);
    if (!wantsJson && outcome.note !== undefined) err(`${outcome.note}\n`);
    return EXIT.done;
  } catch (error) {
    const { status, message } = failure(error);
    if (wantsJson) out(`${JSON.stringify({ status, error: message }, null, 2)}\n`);
    else err(`${message}\n`);
    return EXIT[status];
  }
}

/** `null` when there was nothing to do but to show help. */
async function run(
  args: readonly string[],
  settings: () => KeysSettings,
  out: Output['out'],
): Promise<Outcome | null> {
  let outcome: Outcome | null = null;
  const command = program(async (deed) => {
    outcome = await withRedis(settings(), deed);
  }, out);
  try {
    await command.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return null;
    if (error.code === 'commander.help')
      throw new UsageError(`name a command: ${command.commands.map((sub) => sub.name()).join(', ')}`);
    throw new UsageError(error.message.replace(/^error: /, '').replace('\n(Did you mean', ' (did you mean'));
  }
  return outcome;
}

/** Starting the private Redis takes longer than reaching one that is there. */
const [STARTED_MS, REACHED_MS] = [15_000, 2000];

async function withRedis(
  { redis: address, dataDir, ...settings }: KeysSettings,
  act: (access: Access) => Promise<Outcome>,
): Promise<Outcome> {
  let reason = '';
  const listening = {
    info() {},
    error(fields: object) {
      if ('reason' in fields) reason = `: ${fields.reason}`;
    },
  };
  const opened = openRedis({ address, dataDir, log: listening });
  try {
    await opened.answers(address === null ? STARTED_MS : REACHED_MS);
    return await act({ redis: opened.client, settings, by: user() });
  } catch (error) {
    if (error instanceof RedisAway) throw new Error(unreachable(address, dataDir, reason));
    throw error;
  } finally {
    await opened.close();
  }
}

function unreachable(address: RedisAddress | null, dataDir: string, reason: string): string {
  if (address === null)
    return `the private Redis of ${dataDir} does not answer${reason}; its log is redis/redis.log there`;
  const nodes = address.nodes.map((node) => ('path' in node ? node.path : `${node.host}:${node.port}`));
  return `Redis at ${nodes.join(', ')} does not answer${reason}; start it, or correct REDIS_URL`;
}

/** A user id without a name, as in many containers, is no reason to fail. */
function user(): string {
  try {
    return os.userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
}

/** Meets every error once: its exit code, and a sentence instead of a stack. */
function failure(error: unknown): { readonly status: 'usage' | 'unexpected'; readonly message: string } {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof UsageError) return { status: 'usage', message: `${withoutKeys(message)}; see --help` };
  if (error instanceof Error && error.name === 'ConfigError') return { status: 'usage', message };
  if (error instanceof RedisMissing) return { status: 'unexpected', message };
  const remedy = REMEDIES.find(([said]) => said.test(message))?.[1] ?? '';
  return { status: 'unexpected', message: withoutKeys(message) + remedy };
}

/** Somebody may have typed a key where none belongs; it need not go into a log besides. */
const withoutKeys = (text: string) => text.replace(/sk_live_\w*/gi, 'sk_live_…');

const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/^MOVED |^CROSSSLOT /, '; REDIS_URL leads to a cluster: write redis+cluster:// before its nodes'],
  [/^OOM /, '; Redis is full: give it more memory'],
  [/^READONLY /, '; this Redis is a replica: name the master in REDIS_URL'],
  [/^NOPERM /, '; this user of Redis may not do that: give it more rights, or name another in REDIS_URL'],
  [
    /Command timed out|Connection is closed|isn't writeable/,
    '; Redis went away: see what `list` shows, and run again',
  ],
];
