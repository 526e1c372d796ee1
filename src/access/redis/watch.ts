// Asks Redis every second whether it answers and takes writes, so that probes cost nothing.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Observe } from '../../observations.ts';
import type { RedisClient } from './connection.ts';
import { NO_KEY } from './keyNames.ts';

export interface RedisWatch {
  /** Whether the last question was answered, a write would be taken, and the connection is still there. */
  isUp(): boolean;
  stop(): void;
}

/** A ping that takes longer counts as unanswered. Requests give up after 250 ms (ruling 25). */
const ANSWER_MS = 1000;
const EVERY_MS = 1000;

/**
 * Returns why a write would be refused (out of memory, a replica, a full disk), or an empty text. The key never exists,
 * so nothing is written. A script, because the client reconnects for every plain command that a replica refuses.
 */
const WRITE = `local refused = redis.pcall('SET', KEYS[1], '', 'XX')
return type(refused) == 'table' and refused.err or ''`;

export function watchRedis(redis: RedisClient, observe: Observe = () => {}): RedisWatch {
  let hasAnswered = false;
  /** The reason that Redis last gave for refusing writes; empty while it takes them. */
  let refusal = '';
  let timer: NodeJS.Timeout | undefined;
  let looks = 0;

  async function look(): Promise<void> {
    clearTimeout(timer);
    looks += 1;
    const number = looks;
    const late = sleep(ANSWER_MS, null, { ref: false });
    const answered = Promise.all([redis.ping(), redis.eval(WRITE, 1, NO_KEY)]).then(
      ([, reason]) => String(reason ?? ''),
      () => null,
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
  const lookNow = () => void look();
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
