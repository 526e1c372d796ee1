// A Lua script of Redis, which is sent in full only to a Redis that does not have it yet.

import { createHash } from 'node:crypto';
import type { RedisClient } from './connection.ts';

/** Runs the script with its number of keys, its keys and its arguments. Texts in the reply are buffers. */
export type Script = (redis: RedisClient, scriptArguments: readonly (string | number)[]) => Promise<unknown>;

/** Runs the script by its digest. A Redis that does not have it, such as a restarted one, is sent its text. */
export function scriptOf(text: string): Script {
  const digest = createHash('sha1').update(text).digest('hex');
  return async (redis, scriptArguments) => {
    try {
      return await redis.callBuffer('EVALSHA', digest, ...scriptArguments);
    } catch (error) {
      if (!(error as Error).message.startsWith('NOSCRIPT')) throw error;
      return redis.callBuffer('EVAL', text, ...scriptArguments);
    }
  };
}
