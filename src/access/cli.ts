// `npm run keys`: invite people, issue, list, limit, revoke and rotate keys, sign in, read the audit log.

import os from 'node:os';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { type Config, ConfigError, readConfig } from '../config.ts';
import * as audit from './audit.ts';
import { durationMs } from './duration.ts';
import { claimLink, invitesOf } from './invites.ts';
import { holdsKey } from './keyForm.ts';
import { keysOf, type OwnLimits } from './keys.ts';
import { readLabel } from './label.ts';
import { printedAudit, printedInvites, printedKeys, thousands, time } from './print.ts';
import { openRedis, RedisAway, type RedisClient, RedisMissing } from './redis.ts';
import { sessionsOf, signinLink } from './sessions.ts';

/** The exit codes people's scripts rely on. */
const EXIT = { done: 0, unexpected: 1, usage: 2 } as const;

/** What a command gives back. */
interface Outcome {
  /** One document for programs. */
  readonly json: unknown;
  /** For people, on stdout: of a key or a link nothing else, so that it can be piped on. */
  readonly text: string;
  /** What to know about it, on stderr. */
  readonly note?: string;
}

/** The command line is at fault: exit code 2. */
class UsageError extends Error {}

async function main(args: readonly string[]): Promise<number> {
  const wantsJson = args.includes('--json');
  try {
    const outcome = await run(args);
    if (outcome === null) return EXIT.done;
    process.stdout.write(wantsJson ? `${JSON.stringify(outcome.json, null, 2)}\n` : outcome.text);
    if (!wantsJson && outcome.note !== undefined) process.stderr.write(`${outcome.note}\n`);
    return EXIT.done;
  } catch (error) {
    const { status, message } = failure(error);
    if (wantsJson) process.stdout.write(`${JSON.stringify({ status, error: message }, null, 2)}\n`);
    else process.stderr.write(`${message}\n`);
    return EXIT[status];
  }
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
      throw new UsageError(`name a command: ${command.commands.map((sub) => sub.name()).join(', ')}`);
    throw new UsageError(error.message.replace(/^error: /, '').replace('\n(Did you mean', ' (did you mean'));
  }
  return outcome;
}

function program(give: (outcome: Outcome) => void): Command {
  const command = new Command('keys')
    .description('Invites people and takes care of their keys, in the Redis that the server uses.')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .addHelpText(
      'after',
      '\nWithout REDIS_URL this is the private Redis of DATA_DIR, whether or not a server is running.\n' +
        'Durations are a whole number with s, m, h or d: 90s, 30m, 24h, 7d.\n' +
        'Exit codes: 0 done, 1 unexpected, 2 usage or unknown id.',
    );
  const sub = (name: string, description: string) =>
    command.command(name).description(description).option('--json', 'print one JSON document on stdout');
  const act = (deed: (access: Access) => Promise<Outcome>) => withRedis(deed).then(give);

  sub('invite', 'make a link that gives one person one key')
    .requiredOption('--label <text>', 'who or what the key is for', label)
    .addOption(lasting('--expires <duration>', 'how long the link holds', '7d', duration))
    .action((options) => act((access) => invite(access, options.label, options.expires)));
  sub('issue', 'make a key and print it, once')
    .requiredOption('--label <text>', 'who or what the key is for', label)
    .action((options) => act((access) => issue(access, options.label)));
  sub('list', 'list the keys, oldest first').action(() => act(list));
  sub('invites', 'list the invites, oldest first').action(() => act(invites));
  sub('limits <id>', 'give a key limits of its own, or take them away')
    .option('--per-minute <N>', 'requests in any 60 seconds, or: default', limit)
    .option('--per-day <N>', 'requests in any 24 hours, or: default', limit)
    .action((id: string, { json: _, ...asked }) => act((access) => limits(access, id, asked)));
  sub('revoke <id>', 'refuse a key from its next request on, or make an invite void').action((id: string) =>
    act((access) => revoke(access, id)),
  );
  sub('rotate <id>', 'make a new key with the same label and limits; the old one goes on for a while')
    .addOption(lasting('--grace <duration>', 'how long the old key goes on', '24h', grace))
    .action((id: string, options) => act((access) => rotate(access, id, options.grace)));
  sub('signin', "make a one-time link to the team's page").action(() => act(signin));
  sub('audit', 'show who did what to which key, the newest last')
    .option('--last <N>', 'how many', count, 50)
    .action((options) => act((access) => log(access, options.last)));
  return command;
}

interface Access {
  readonly redis: RedisClient;
  readonly config: Config;
  /** For the audit log. */
  readonly by: string;
}

async function invite({ redis, config, by }: Access, label: string, expiresMs: number): Promise<Outcome> {
  const { token, id, expires } = await invitesOf(redis).create({ label, expiresMs, by });
  const url = claimLink(config.publicUrl, token);
  return {
    json: { url, id, label, expires: iso(expires) },
    text: `${url}\n`,
    note: `Invite ${id} for ${label}: gives one key, once, until ${time(expires)} UTC.`,
  };
}

async function issue({ redis, by }: Access, label: string): Promise<Outcome> {
  const issued = await keysOf(redis).issue({ label, by });
  return {
    json: issued,
    text: `${issued.key}\n`,
    note: `Key ${issued.id} for ${label}. It cannot be shown again.`,
  };
}

async function list({ redis, config }: Access): Promise<Outcome> {
  const keys = await keysOf(redis).list();
  const json = keys.map(({ created, expires, used, ...key }) => ({
    ...key,
    created: iso(created),
    expires: iso(expires),
    used: iso(used),
  }));
  return { json: { keys: json }, text: printedKeys(keys, config.rateLimits) };
}

async function invites({ redis }: Access): Promise<Outcome> {
  const found = await invitesOf(redis).list();
  const json = found.map(({ created, expires, claimed, ...invite }) => ({
    ...invite,
    created: iso(created),
    expires: iso(expires),
    claimed: iso(claimed),
  }));
  return { json: { invites: json }, text: printedInvites(found) };
}

async function limits({ redis, config, by }: Access, id: string, asked: AskedLimits): Promise<Outcome> {
  const changes = Object.fromEntries(
    Object.entries(asked).map(([name, value]) => [name, value === 'default' ? null : value]),
  );
  if (Object.keys(changes).length === 0) throw new UsageError('give --per-minute, --per-day or both');
  const keys = keysOf(redis);
  if ((await keys.limit(id, changes, by)) === 'unknown') throw unknownId('key', id);
  const { label = '', perMinute = null, perDay = null } = (await keys.find(id)) ?? {};
  const { rateLimits } = config;
  const said = (own: number | null, setting: number) =>
    own === null ? `${thousands(setting)} (the server's setting)` : thousands(own);
  const [minute, day] = [said(perMinute, rateLimits.perMinute), said(perDay, rateLimits.perDay)];
  return {
    json: { id, label, perMinute, perDay },
    text: `Key ${id} for ${label}: ${minute} a minute, ${day} a day, from its next request on.\n`,
  };
}

async function revoke({ redis, by }: Access, id: string): Promise<Outcome> {
  const json = { id, state: 'revoked' };
  const ofKey = await keysOf(redis).revoke(id, by);
  if (ofKey === 'revoked') return { json, text: `Key ${id} is revoked: its next request is refused.\n` };
  if (ofKey === 'already') return { json, text: `Key ${id} was revoked already.\n` };
  const ofInvite = await invitesOf(redis).revoke(id, by);
  if (ofInvite === 'revoked') return { json, text: `Invite ${id} is revoked: its link gives no key.\n` };
  if (ofInvite === 'already') return { json, text: `Invite ${id} was revoked already.\n` };
  if (ofInvite === 'used')
    throw new UsageError(`invite ${id} has been used: revoke the key it became, which \`invites\` names`);
  throw unknownId('key or invite', id);
}

async function rotate({ redis, by }: Access, id: string, graceMs: number): Promise<Outcome> {
  const rotation = await keysOf(redis).rotate(id, { graceMs, by });
  if (rotation.outcome === 'unknown') throw unknownId('key', id);
  if (rotation.outcome !== 'rotated')
    throw new UsageError(`key ${id} is ${rotation.outcome}: issue a new one, or invite its holder`);
  const { key, id: newId, label, oldExpires } = rotation;
  return {
    json: { key, id: newId, label },
    text: `${key}\n`,
    note: `Key ${newId} for ${label}. It cannot be shown again. The old key ${id} ends at ${time(oldExpires)} UTC.`,
  };
}

async function signin({ redis, config, by }: Access): Promise<Outcome> {
  const { token, expires } = await sessionsOf(redis).createLink(by);
  const url = signinLink(config.publicUrl, token);
  return {
    json: { url, expires: iso(expires) },
    text: `${url}\n`,
    note: `Signs in once, until ${time(expires)} UTC.`,
  };
}

async function log({ redis }: Access, last: number): Promise<Outcome> {
  const entries = (await audit.read(redis, { count: last })).toReversed();
  const json = entries.map(({ entry, at, by, act, keyId = null, inviteId = null, details }) => ({
    entry,
    at: iso(at),
    by,
    act,
    keyId,
    inviteId,
    details,
  }));
  return { json: { entries: json }, text: printedAudit(entries) };
}

const iso = (epochMs: number | null) => (epochMs === null ? null : new Date(epochMs).toISOString());

const SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

/** Starting the private Redis takes longer than reaching one that is there. */
const [STARTED_MS, REACHED_MS] = [15_000, 2000];

async function withRedis(act: (access: Access) => Promise<Outcome>): Promise<Outcome> {
  const config = readConfig(process.env);
  let reason = '';
  const listening = {
    info() {},
    error(fields: object) {
      if ('reason' in fields) reason = `: ${fields.reason}`;
    },
  };
  const opened = openRedis({ address: config.redis, dataDir: config.dataDir, log: listening });
  // A Redis that was started for this command ends with it, however it ends.
  for (const [signal, exitCode] of SIGNALS)
    process.once(signal, () => void opened.close().finally(() => process.exit(exitCode)));
  try {
    await opened.answers(config.redis === null ? STARTED_MS : REACHED_MS);
    return await act({ redis: opened.client, config, by: user() });
  } catch (error) {
    if (error instanceof RedisAway) throw new Error(unreachable(config, reason));
    throw error;
  } finally {
    await opened.close();
  }
}

function unreachable({ redis, dataDir }: Config, reason: string): string {
  if (redis === null)
    return `the private Redis of ${dataDir} does not answer${reason}; its log is redis/redis.log there`;
  const nodes = redis.nodes.map((node) => ('path' in node ? node.path : `${node.host}:${node.port}`));
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
  if (error instanceof ConfigError) return { status: 'usage', message };
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

function unknownId(what: string, id: string): UsageError {
  if (holdsKey(id))
    return new UsageError(
      'that is a key, and this takes its id: `list` shows both the id and the last four characters; ' +
        'a key typed into a command line may be read by others, so rotate it',
    );
  return new UsageError(`no ${what} ${JSON.stringify(id)}: \`list\` shows the ids`);
}

function label(text: string): string {
  const read = readLabel(text);
  if ('problem' in read) throw new InvalidArgumentError(read.problem);
  return read.label;
}

const lasting = (flags: string, description: string, otherwise: string, parse: (text: string) => number) =>
  new Option(flags, description).argParser(parse).default(parse(otherwise), otherwise);

function grace(text: string): number {
  const ms = durationMs(text);
  if (ms === null) throw new InvalidArgumentError('Write it as 90s, 30m, 24h or 7d');
  return ms;
}

function duration(text: string): number {
  const ms = grace(text);
  if (ms === 0) throw new InvalidArgumentError('It would have ended already');
  return ms;
}

/** What was left out is not there. */
type AskedLimits = { readonly [Name in keyof OwnLimits]?: number | 'default' };

const limit = (text: string) => (text === 'default' ? text : count(text));

function count(text: string): number {
  const isCount = /^[0-9]{1,15}$/.test(text) && Number(text) > 0;
  if (!isCount) throw new InvalidArgumentError('Write a positive whole number');
  return Number(text);
}

const exitCode = await main(process.argv.slice(2));
// What ends a connection goes on for two seconds; only what was printed is worth waiting for.
process.stdout.write('', () => process.exit(exitCode));
