// Watches whether Redis answers, for probes: a ping every second, so that asking costs nothing.

import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisClient } from './connection.ts';

export interface RedisWatch {
  /** Whether the last ping was answered and the connection is still there. */
  isUp(): boolean;
  stop(): void;
}

/** A ping that takes longer counts as unanswered. Requests give up after 250 ms (ruling 25). */
const ANSWER_MS = 1000;
const EVERY_MS = 1000;

export function watchRedis(redis: RedisClient): RedisWatch {
  let hasAnswered = false;
  let timer: NodeJS.Timeout | undefined;
  let looks = 0;

  async function look(): Promise<void> {
    clearTimeout(timer);
    looks += 1;
    const number = looks;
    const late = sleep(ANSWER_MS, false, { ref: false });
    const answered = redis.ping().then(
      () => true,
      () => false,
    );
    const isAnswered = await Promise.race([answered, late]);
    // Redis came back meanwhile, and a later look goes on; or the watch has ended.
    if (number !== looks) return;
    hasAnswered = isAnswered;
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
