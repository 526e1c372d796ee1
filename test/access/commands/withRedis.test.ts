// Commands turn errors of Redis into messages with a remedy.

import { expect, it } from '@jest/globals';
import { collectOutageReason, explain, unreachableRemedy } from '../../../src/access/commands/withRedis.ts';
import type { Observation } from '../../../src/observations.ts';

const refused: Observation = { event: 'redis not reached', reason: 'connect ECONNREFUSED' };
const closed: Observation = { event: 'redis not reached', reason: 'read ECONNRESET' };
const untrusted: Observation = {
  event: 'redis not reached',
  reason: 'Redis asks for a certificate of the client',
};
const notStarted: Observation = { event: 'redis not started', reason: 'damaged' };

it.each([
  ['MOVED 866 127.0.0.1:7001', 'write redis+cluster:// before its nodes'],
  ["CROSSSLOT Keys in request don't hash to the same slot", 'write redis+cluster:// before its nodes'],
  ["OOM command not allowed when used memory > 'maxmemory'.", 'Redis is full: give it more memory'],
  ['MISCONF Errors writing to the AOF file: No space left on device', 'free some space there'],
  ['MISCONF Errors writing to the AOF file: Read-only file system', 'see its log, and mend the disk'],
  ['NOREPLICAS Not enough good replicas to write.', 'start them, and run again'],
  ['CLUSTERDOWN The cluster is down', 'see that all of its masters answer'],
  ["READONLY You can't write against a read only replica.", 'name the master in REDIS_URL'],
  ["NOPERM User ada has no permissions to run the 'hset' command", 'give it more rights'],
  ["ERR The user executing the script can't run this command or subcommand script: x", 'give it more rights'],
  ["ERR ACL failure in script: User ada has no permissions to run the 'hget' command", 'give it more rights'],
])('the message %j is followed by its remedy', (text, remedy) => {
  const { exitCode, status, message } = explain(new Error(text));
  expect([exitCode, status]).toEqual([1, 'unexpected']);
  expect(message.startsWith(`${text}; `)).toBe(true);
  expect(message).toContain(remedy);
});

it.each([
  ['Command timed out', 'Redis did not answer in time'],
  ['Connection is closed.', 'the connection to Redis is closed'],
  ["Stream isn't writeable and enableOfflineQueue options is false", 'there is no connection to Redis'],
  [
    'Reached the max retries per request limit (which is 0). Refer to "maxRetriesPerRequest" option for details.',
    'the connection to Redis was lost',
  ],
])('the words %j of the client library are said plainly, with a remedy', (message, plain) => {
  expect(explain(new Error(message)).message).toBe(
    `${plain}; Redis went away: see what \`list\` shows, and run again`,
  );
});

it('any other message is left as it is', () => {
  for (const message of ['ERR unknown command', 'a client said MOVED ', ''])
    expect(explain(new Error(message)).message).toBe(message);
  expect(explain('a text').message).toBe('a text');
});

it.each([
  [': it is loading its data', true, 'wait until it has, and run again'],
  [': BUSY Redis is busy running a script.', true, 'wait until the script ends'],
  ['', true, 'raise its maxclients'],
  [': read ECONNRESET', true, 'raise its maxclients'],
  [': connect ECONNREFUSED 127.0.0.1:1', false, 'start it, or correct REDIS_URL'],
])('a Redis that does not answer%s has its remedy', (reason, isConnected, remedy) => {
  expect(unreachableRemedy({ reason, isConnected, isTls: false })).toContain(remedy);
});

it.each<[string, readonly Observation[], string]>([
  ['nothing', [], ''],
  ['an error of a connection', [refused, closed], ': connect ECONNREFUSED'],
  ['that it loads its data', [refused, { event: 'redis loading' }], ': it is loading its data'],
  ['that it did not start, over errors of connections', [refused, notStarted, closed], ': damaged'],
  [
    'that it did not start, over loading again and again',
    [notStarted, { event: 'redis loading' }],
    ': damaged',
  ],
  [
    'a reason with a remedy, over the first one',
    [refused, untrusted, closed],
    ': Redis asks for a certificate of the client',
  ],
])('of what was observed, the reason for no answer names %s', (_, observed, expected) => {
  const { observe, text } = collectOutageReason();
  for (const one of observed) observe(one);
  expect(text()).toBe(expected);
});
