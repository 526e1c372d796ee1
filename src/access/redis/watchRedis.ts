// Checks every second whether Redis answers and accepts the commands of the gate. Probes only read the last result.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Observe } from '../../observations.ts';
import type { RedisClient } from './connection.ts';
import { dayLog, keyRecord, minuteLog, NO_HASH, usageOfDay } from './keyNames.ts';
import { scriptOf } from './luaScript.ts';

export interface RedisWatch {
  /** Whether Redis answered the last check, would accept writes, and is still connected. */
  isUp(): boolean;
  stop(): void;
}

/** A check that takes longer counts as unanswered. Requests give up after 250 ms (ruling 25). */
const ANSWER_MS = 1000;
const EVERY_MS = 1000;

/**
 * Tries the commands of the gate, and returns the reason why Redis would refuse one of them, or an empty text. Redis
 * may be out of memory, a replica or on a full disk, or may not give its user the right to a command.
 *
 * The commands use keys that do not exist, so most of them change nothing. RPUSH makes a list and LPOP removes it.
 * Neither is written to the append-only file or sent to replicas. SET is the first write, because after a write Redis
 * no longer tells a script that it is out of memory.
 *
 * The commands are in a script, because the client reconnects for every plain command that a replica refuses. The
 * script is run in the same way as the gate's, so that a user who may not run scripts is noticed as well.
 */
const runCommands = scriptOf(`pcall(redis.set_repl, redis.REPL_NONE)
local key = KEYS[2]
for _, command in ipairs({{'TIME'}, {'SET', key, '', 'XX'}, {'HMGET', key, 'state'}, {'HDEL', key, 'ahead'}, {'LINDEX', key, '0'},
  {'LLEN', key}, {'LTRIM', key, '0', '-1'}, {'LPOP', key}, {'PEXPIRE', key, '1'},
  {'INCRBY', key, 'no number'}, {'HSET', key, 'no', 'value', 'here'}, {'RPUSH', key, ''}, {'LPOP', key}}) do
  local reply = redis.pcall(unpack(command))
  local reason = type(reply) == 'table' and reply.err
  -- In the words of Redis 6, Redis 7 and Valkey 9.
  if reason and (string.find(reason, 'NOPERM') or string.find(reason, "can't run this command")
    or string.find(reason, 'ACL failure')) then
    return 'NOPERM the user of REDIS_URL may not run ' .. command[1]
  end
  if reason and not string.find(reason, 'not an integer') and not string.find(reason, 'wrong number') then
    return reason
  end
end
return ''`);

const KEYS = [keyRecord(NO_HASH), minuteLog(NO_HASH), dayLog(NO_HASH), usageOfDay(NO_HASH, 0)];

/** Begins to check Redis. The caller must call `stop`. */
export function watchRedis(redis: RedisClient, observe: Observe = () => {}): RedisWatch {
  let hasAnswered = false;
  /** The last reason that Redis gave for refusing commands; empty while it accepts them. */
  let refusal = '';
  let timer: NodeJS.Timeout | undefined;
  let checks = 0;
  /** Ends the timeout of the check that began last. */
  let waiting = new AbortController();

  async function check(): Promise<void> {
    clearTimeout(timer);
    checks += 1;
    const number = checks;
    waiting.abort();
    waiting = new AbortController();
    const reason = await refusalNow(redis, waiting);
    // The result is out of date: Redis came back and a later check has begun, or the watch has ended.
    if (number !== checks) return;
    hasAnswered = reason === '';
    if (reason !== null) {
      if (reason !== '' && refusal === '') observe({ event: 'redis refuses writes', reason });
      if (reason === '' && refusal !== '') observe({ event: 'redis takes writes' });
      refusal = reason;
    }
    timer = setTimeout(checkNow, EVERY_MS).unref();
  }
  const checkEviction = evictionWatch(redis, observe);
  const checkVersion = versionWatch(redis, observe);
  const checkNow = () => {
    void check();
    void checkEviction();
  };
  const begin = () => {
    checkNow();
    void checkVersion();
  };
  if (redis.status === 'ready') begin();
  redis.on('ready', begin);
  return {
    isUp: () => hasAnswered && redis.status === 'ready',
    stop() {
      checks += 1;
      clearTimeout(timer);
      waiting.abort();
      redis.off('ready', begin);
    },
  };
}

/** Why Redis refuses commands: an empty text while it accepts them, and null when it does not answer in time. */
async function refusalNow(redis: RedisClient, waiting: AbortController): Promise<string | null> {
  const late = sleep(ANSWER_MS, null, { ref: false, signal: waiting.signal }).catch(() => null);
  const answered = Promise.all([redis.ping(), runCommands(redis, [KEYS.length, ...KEYS])]).then(
    ([, reason]) => String(reason),
    ({ message }: Error) => (message.startsWith('NOPERM') ? message : null),
  );
  const refusal = await Promise.race([answered, late]);
  // Without this, the timer would outlive the check.
  waiting.abort();
  return refusal;
}

/**
 * Returns a function that warns of a Redis that evicts, once for each policy. If the record of a key is evicted, its client
 * is locked out. If the logs of a key are evicted, its limits fail.
 */
function evictionWatch(redis: RedisClient, observe: Observe): () => Promise<void> {
  let warnedPolicy = '';
  return async () => {
    const memory = await redis.info('memory').catch(() => null);
    // There is no warning when the user may not run INFO, or when Redis went away.
    if (memory === null) return;
    const field = (name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(String(memory))?.[1];
    const policy = field('maxmemory_policy') ?? SAFE;
    const evicting = Number(field('maxmemory')) > 0 && policy !== SAFE ? policy : '';
    if (evicting !== '' && evicting !== warnedPolicy) observe({ event: 'redis may evict', policy });
    warnedPolicy = evicting;
  };
}

/** The policy under which Redis evicts nothing. */
const SAFE = 'noeviction';

/** Returns a function that reports a Redis without some of the commands that we use, once for each version. */
function versionWatch(redis: RedisClient, observe: Observe): () => Promise<void> {
  let reported = '';
  return async () => {
    const server = await redis.info('server').catch(() => '');
    // Valkey gives the version of the Redis whose commands it supports.
    const [, version = '', major, minor] = /^redis_version:((\d+)\.(\d+)\S*)/m.exec(String(server)) ?? [];
    if (version === '' || version === reported || Number(major) * 100 + Number(minor) >= OLDEST_VERSION)
      return;
    reported = version;
    observe({ event: 'redis too old', version });
  };
}

/** Redis 6.2, which has GETDEL. Without it, no link signs anybody in. */
const OLDEST_VERSION = 602;
