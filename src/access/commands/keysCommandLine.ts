// The command line of `npm run keys`: its commands, options and help.

import { type Command, InvalidArgumentError, Option } from 'commander';
import { type CommandLine, type Outcome, subcommand } from '../../terminal/commandLine.ts';
import { parseShortText } from '../keys/shortText.ts';
import { ROLES } from '../people/people.ts';
import * as commands from './keysCommands.ts';
import { explain, type KeysSettings, withoutKeys, withRedis } from './withRedis.ts';

/**
 * The command line of `npm run keys`.
 *
 * @param settings reads the settings. It is called only when a command runs, so that help works with wrong settings.
 */
export const keysCommandLine = (settings: () => KeysSettings): CommandLine => ({
  name: 'keys',
  define(command, act) {
    define(command, (run) => act(() => withRedis(settings(), run)));
  },
  explain,
  redact: withoutKeys,
});

type ActWithRedis = (run: (context: commands.CommandContext) => Promise<Outcome>) => Promise<void>;

function define(command: Command, act: ActWithRedis): void {
  command
    .description('Invites people and takes care of their keys, in the Redis that the server uses.')
    .addHelpText(
      'after',
      '\nWithout REDIS_URL this is the private Redis of DATA_DIR, whether or not a server is running.\n' +
        'Durations are a whole number with s, m, h or d: 90s, 30m, 24h, 7d.\n' +
        'Exit codes: 0 done, 1 unexpected, 2 usage or unknown id.',
    );
  const sub: Sub = (name, description) => subcommand(command, name, description);
  defineForKeys(sub, act);
  defineForTeams(sub, act);
}

type Sub = (name: string, description: string) => Command;

function defineForKeys(sub: Sub, act: ActWithRedis): void {
  sub('invite', 'make a link that gives one person one key')
    .requiredOption('--label <text>', 'who or what the key is for (required)', label)
    .addOption(durationOption('--expires <duration>', 'how long the link works', '7d', futureDuration))
    .action(({ label, expires }) => act((context) => commands.invite(context, label, expires)));
  sub('issue', 'make a key and print it, once')
    .requiredOption('--label <text>', 'who or what the key is for (required)', label)
    .action((options) => act((context) => commands.issue(context, options.label)));
  sub('list', 'list the keys, oldest first').action(() => act(commands.list));
  sub('invites', 'list the invites, oldest first').action(() => act(commands.invites));
  sub('limits <id>', 'give a key limits of its own, or take them away')
    .option(
      '--per-minute <N>',
      "requests in any 60 seconds, or the word default: the server's setting",
      limit,
    )
    .option('--per-day <N>', "requests in any 24 hours, or the word default: the server's setting", limit)
    .action((id: string, { json: _, ...requested }) =>
      act((context) => commands.limits(context, id, requested)),
    );
  sub('revoke <id>', 'refuse a key from its next request on, or cancel an invite').action((id: string) =>
    act((context) => commands.revoke(context, id)),
  );
  sub('rotate <id>', 'make a new key with the same label and limits; the old one still works for a while')
    .addOption(durationOption('--grace <duration>', 'how long the old key still works', '24h', duration))
    .action((id: string, options) => act((context) => commands.rotate(context, id, options.grace)));
}

function defineForTeams(sub: Sub, act: ActWithRedis): void {
  sub('signin', "make a one-time link to the team's page")
    .option('--name <text>', 'who signs in, for the audit log (default: you)', personName)
    .addOption(
      new Option(
        '--role <role>',
        'viewer sees; manager invites, limits, rotates and revokes; owner also names roles',
      )
        .choices(ROLES)
        .default('owner'),
    )
    .action(({ name, role }) => act((context) => commands.signin(context, { name, role })));
  sub(
    'export',
    'print a backup of key records, limits, windows, invites, people and the audit log; it holds no key',
  )
    .option('--out <file>', 'write the backup to a file that only its owner may read')
    .action(({ out }: { out?: string }) => act((context) => commands.exportAll(context, out ?? null)));
  sub('import <file>', 'restore a backup into an empty Redis; the file - is stdin').action((file: string) =>
    act((context) => commands.importAll(context, file)),
  );
  sub('audit', 'show who did what to which key, the newest last')
    .option('--last <N>', 'how many entries', count, 50)
    .action((options) => act((context) => commands.auditLog(context, options.last)));
}

const parserOf =
  (kind: 'label' | 'name') =>
  (text: string): string => {
    const read = parseShortText(text, kind);
    if ('problem' in read) throw new InvalidArgumentError(read.problem);
    return read.text;
  };

const label = parserOf('label');
const personName = parserOf('name');

const durationOption = (
  flags: string,
  description: string,
  defaultText: string,
  parse: (text: string) => number,
) => new Option(flags, description).argParser(parse).default(parse(defaultText), defaultText);

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Ten years. A longer duration is probably a typing mistake. */
const MAX_MS = 3650 * 86_400_000;

/**
 * The milliseconds of a duration such as 90s, 30m, 24h or 7d.
 *
 * @throws {InvalidArgumentError} for any other text, and for more than ten years.
 */
export function duration(text: string): number {
  const [, count, unit = ''] = /^([0-9]{1,9})([smhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNIT_MS[unit] ?? 0);
  if (ms <= MAX_MS) return ms;
  throw new InvalidArgumentError('Write it as 90s, 30m, 24h or 7d, at most 3650d');
}

function futureDuration(text: string): number {
  const ms = duration(text);
  if (ms === 0) throw new InvalidArgumentError('It would have ended already');
  return ms;
}

const limit = (text: string) => (text === 'default' ? text : count(text));

function count(text: string): number {
  const isCount = /^[0-9]{1,15}$/.test(text) && Number(text) > 0;
  if (!isCount) throw new InvalidArgumentError('Write a positive whole number of at most 15 digits');
  return Number(text);
}
