// Asks Redis every second whether it answers and takes the gate's commands, so that probes cost nothing.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Observe } from '../../observations.ts';
import type { RedisClient } from './connection.ts';
import { dayLog, keyRecord, minuteLog, NO_HASH, usageOfDay } from './keyNames.ts';
import { scriptOf } from './script.ts';

export interface RedisWatch {
  /** Whether the last question was answered, a write would be taken, and the connection is still there. */
  isUp(): boolean;
  stop(): void;
}

/** A ping that takes longer counts as unanswered. Requests give up after 250 ms (ruling 25). */
const ANSWER_MS = 1000;
const EVERY_MS = 1000;

/**
 * Returns why Redis would refuse a command of the gate, or an empty text: it is out of memory, a replica, on a full disk, or
 * does not give its user the right. The keys do not exist, so most commands change nothing. RPUSH makes one and LPOP
 * removes it, where both are allowed; neither is written to the append-only file or sent to replicas.
 *
 * SET comes first of the writes, because Redis does not tell a script that has written that it is out of memory.
 *
 * A script, because the client reconnects for every plain command that a replica refuses. It runs as the gate's script
 * does, so that a user who may not run scripts is found, too.
 */
const runCommands = scriptOf(`pcall(redis.set_repl, redis.REPL_NONE)
local key = KEYS[2]
for _, command in ipairs({{'TIME'}, {'SET', key, '', 'XX'}, {'HMGET', key, 'state'}, {'HDEL', key, 'ahead'}, {'LINDEX', key, '0'},
  {'LLEN', key}, {'LTRIM', key, '0', '-1'}, {'LPOP', key}, {'PEXPIRE', key, '1'},
  {'INCRBY', key, 'no number'}, {'HSET', key, 'no', 'value', 'here'}, {'RPUSH', key, ''}, {'LPOP', key}}) do
  local reply = redis.pcall(unpack(command))
  local reason = type(reply) == 'table' and reply.err
  if reason and (string.find(reason, 'NOPERM') or string.find(reason, "can't run this command")) then
    return 'NOPERM the user of REDIS_URL may not run ' .. command[1]
  end
  if reason and not string.find(reason, 'not an integer') and not string.find(reason, 'wrong number') then
    return reason
  end
end
return ''`);

const KEYS = [keyRecord(NO_HASH), minuteLog(NO_HASH), dayLog(NO_HASH), usageOfDay(NO_HASH, 0)];

export function watchRedis(redis: RedisClient, observe: Observe = () => {}): RedisWatch {
  let hasAnswered = false;
  /** The reason that Redis last gave for refusing commands; empty while it takes them. */
  let refusal = '';
  let timer: NodeJS.Timeout | undefined;
  let looks = 0;

  async function look(): Promise<void> {
    clearTimeout(timer);
    looks += 1;
    const number = looks;
    const late = sleep(ANSWER_MS, null, { ref: false });
    const answered = Promise.all([redis.ping(), runCommands(redis, [KEYS.length, ...KEYS])]).then(
      ([, reason]) => String(reason ?? ''),
      ({ message }: Error) => (message.startsWith('NOPERM') ? message : null),
    );
    const reason = await Promise.race([answered, late]);
    // Redis came back meanwhile, and a later look goes on; or the watch has ended.
    if (number !== looks) return;
    hasAnswered = reason === '';
    if (reason !== null) {
      if (reason !== '' && refusal === '') observe({ event: 'redis refuses writes', reason });
      if (reason === '' && refusal !== '') observe({ event: 'redis takes writes' });
      refusal = reason;
    }
    timer = setTimeout(look, EVERY_MS).unref();
  }
  const lookNow = () => {
    void look();
    void observeEviction(redis, observe);
  };
  if (redis.status === 'ready') lookNow();
  redis.on('ready', lookNow);
  return {
    isUp: () => hasAnswered && redis.status === 'ready',
    stop() {
      looks += 1;
      clearTimeout(timer);
      redis.off('ready', lookNow);
    },
  };
}

/** Observes a Redis that evicts: it forgets keys, which locks clients out, and logs, which opens windows early. */
async function observeEviction(redis: RedisClient, observe: Observe): Promise<void> {
  // A user who may not run INFO, or a Redis that went away, is no reason for a warning.
  const memory = String(await redis.info('memory').catch(() => ''));
  const field = (name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(memory)?.[1];
  const policy = field('maxmemory_policy') ?? 'noeviction';
  if (policy !== 'noeviction' && Number(field('maxmemory')) > 0)
    observe({ event: 'redis may evict', policy });
}
