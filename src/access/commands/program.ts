// The command line of `npm run keys`: its commands, options and help.

import { Command, InvalidArgumentError, Option } from 'commander';
import { readLabel } from '../label.ts';
import {
  type Access,
  auditLog,
  invite,
  invites,
  issue,
  limits,
  list,
  type Outcome,
  revoke,
  rotate,
  signin,
} from './commands.ts';
import { durationMs } from './duration.ts';

/** `act` is told what to do once the command line is understood; `out` is where help goes. */
export function program(
  act: (deed: (access: Access) => Promise<Outcome>) => Promise<void>,
  out: (text: string) => void,
): Command {
  const command = new Command('keys')
    .description('Invites people and takes care of their keys, in the Redis that the server uses.')
    .exitOverride()
    .configureOutput({ writeOut: out, writeErr: () => {} })
    .addHelpText(
      'after',
      '\nWithout REDIS_URL this is the private Redis of DATA_DIR, whether or not a server is running.\n' +
        'Durations are a whole number with s, m, h or d: 90s, 30m, 24h, 7d.\n' +
        'Exit codes: 0 done, 1 unexpected, 2 usage or unknown id.',
    );
  const sub = (name: string, description: string) =>
    command.command(name).description(description).option('--json', 'print one JSON document on stdout');

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
    .action((options) => act((access) => auditLog(access, options.last)));
  return command;
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

const limit = (text: string) => (text === 'default' ? text : count(text));

function count(text: string): number {
  const isCount = /^[0-9]{1,15}$/.test(text) && Number(text) > 0;
  if (!isCount) throw new InvalidArgumentError('Write a positive whole number');
  return Number(text);
}
