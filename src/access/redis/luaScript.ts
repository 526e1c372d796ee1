// Runs Lua scripts in Redis. The text of a script is sent only to a Redis that does not have the script yet.

import { createHash } from 'node:crypto';
import type { RedisClient } from './connection.ts';

/**
 * Runs a script. Its arguments are the number of its keys, the keys, and all other arguments. Texts in the reply are
 * buffers.
 */
export type Script = (redis: RedisClient, scriptArguments: readonly (string | number)[]) => Promise<unknown>;

/**
 * Makes a script from its text. The script is run by its digest. A Redis that lacks it, such as a restarted one, gets the
 * text.
 */
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
