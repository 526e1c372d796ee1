// Opens Redis for a command of `npm run keys`, and adds remedies to the errors of Redis.

import type { Observe } from '../../observations.ts';
import { EXIT, type Failure } from '../../terminal/commandLine.ts';
import { operatorName } from '../../terminal/operatorName.ts';
import type { OpenOptions } from '../redis/connection.ts';
import { describeRedisAddress, type RedisAddress } from '../redis/redisAddress.ts';
import { CLOSED_AT_ONCE, connectionRemedy, redisReason } from '../redis/redisReason.ts';
import type { CommandContext, CommandSettings } from './keysCommands.ts';

export interface KeysSettings extends CommandSettings {
  /** The address of Redis; null for the private Redis of `dataDir`. */
  readonly redis: RedisAddress | null;
  readonly dataDir: string;
}

/** How long to wait for Redis. The private Redis may have to be started first, so it has more time than any other. */
const [PRIVATE_DEADLINE_MS, DEADLINE_MS] = [15_000, 2000];

/**
 * Runs a command with Redis open, and closes Redis whatever happens.
 *
 * @throws {Error} when Redis does not answer in time. The message names the address of Redis and the remedy.
 */
export async function withRedis<Result>(
  { redis: address, dataDir, ...settings }: KeysSettings,
  run: (context: CommandContext) => Promise<Result>,
): Promise<Result> {
  const outage = collectOutageReason();
  const { openRedis, RedisAway } = await import('../redis/connection.ts');
  const observe: Observe = (observation) => {
    outage.observe(observation);
    if (observation.event === 'redis lost data')
      process.stderr.write(`The private Redis has lost data: ${observation.reason}\n`);
  };
  const opened = openRedis({ address, dataDir, observe });
  let isConnected = false;
  opened.client.on('connect', () => {
    isConnected = true;
  });
  try {
    await opened.untilAnswered(address === null ? PRIVATE_DEADLINE_MS : DEADLINE_MS);
    return await run({ redis: opened.client, settings, by: operatorName() });
  } catch (error) {
    if (!(error instanceof RedisAway)) throw error;
    throw new Error(unreachableMessage({ address, dataDir, reason: outage.text(), isConnected }));
  } finally {
    await opened.close();
  }
}

const LOADING = ': it is loading its data';

/**
 * Collects the reasons why Redis does not answer. `text` gives the most informative one as the end of a message, such as
 * `: connect ECONNREFUSED`. It is empty without a reason.
 */
export function collectOutageReason(): { readonly observe: Observe; readonly text: () => string } {
  let reason = '';
  let isStartFailed = false;
  return {
    text: () => reason,
    observe(observation) {
      // A server with damaged data loads the data again at each start, so after a failed start this event says nothing new.
      if (observation.event === 'redis loading' && !isStartFailed) reason = LOADING;
      if (!('reason' in observation)) return;
      // The reason of `redis not started`, or a reason with a remedy, stays until another such reason follows. The client
      // goes on to connect, and each attempt fails with a less informative error.
      if (observation.event === 'redis not started') isStartFailed = true;
      const saysMore = observation.event === 'redis not started' || connectionRemedy(observation.reason);
      if (saysMore || reason === '') reason = `: ${observation.reason}`;
    },
  };
}

interface Unreachable extends Pick<OpenOptions, 'address' | 'dataDir'> {
  /** A colon and the reason that the Redis client gave; empty without a reason. */
  readonly reason: string;
  /** Whether something at the address has accepted a connection. */
  readonly isConnected: boolean;
}

function unreachableMessage({ address, dataDir, reason, isConnected }: Unreachable): string {
  if (address === null)
    return `the private Redis of ${dataDir} does not answer${reason}; its log is redis/redis.log there`;
  const remedy = unreachableRemedy({ reason, isConnected, isTls: address.tls });
  return `Redis at ${describeRedisAddress(address)} does not answer${reason}; ${remedy}`;
}

/** The remedy for a Redis at `REDIS_URL` that does not answer. */
export function unreachableRemedy({
  reason,
  isConnected,
  isTls,
}: Pick<Unreachable, 'reason' | 'isConnected'> & { readonly isTls: boolean }): string {
  if (reason.includes('BUSY ')) return 'wait until the script ends, or end it with SCRIPT KILL';
  const ofConnection = connectionRemedy(reason, isTls);
  if (ofConnection !== undefined) return ofConnection;
  if (reason === LOADING) return 'wait until it has, and run again';
  return isConnected && reason === '' ? CLOSED_AT_ONCE : 'start it, or correct REDIS_URL';
}

/** The failure for an unexpected error of a command. The message of an error of Redis ends with a remedy. */
export function explain(error: unknown): Failure {
  const message = error instanceof Error ? redisReason(error) : String(error);
  const remedy = REMEDIES.find(([beginning]) => beginning.test(message))?.[1] ?? '';
  return { exitCode: EXIT.unexpected, status: 'unexpected', message: message + remedy };
}

/** Remedies by the text of an error. Errors of Redis have their kind at the beginning of the message. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/^MOVED |^CROSSSLOT /, '; REDIS_URL leads to a cluster: write redis+cluster:// before its nodes'],
  [/^OOM /, '; Redis is full: give it more memory'],
  [
    /^MISCONF .*No space left/,
    '; Redis takes no changes until it can write to its disk again: free some space there',
  ],
  [
    /^MISCONF /,
    '; Redis takes no changes until it can write to its disk again: see its log, and mend the disk',
  ],
  [/^NOREPLICAS /, '; this Redis takes changes only while replicas follow it: start them, and run again'],
  [/^CLUSTERDOWN /, '; a part of the cluster is away: see that all of its masters answer, and run again'],
  [/^READONLY /, '; this Redis is a replica: name the master in REDIS_URL'],
  [
    /^NOPERM |can't run this command|ACL failure in script/,
    '; this user of Redis may not do that: give it more rights, or name another in REDIS_URL',
  ],
  [
    /^Redis did not answer in time|^there is no connection to Redis|^the connection to Redis /,
    '; Redis went away: see what `list` shows, and run again',
  ],
];

/** Removes keys from a message, because somebody may have typed a key in the wrong place. */
export const withoutKeys = (text: string): string => text.replace(/sk_live_\w*/gi, 'sk_live_…');
