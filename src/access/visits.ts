// Counts visits to the pages per client address in Redis, so that all servers share one count.

import { createHash } from 'node:crypto';
import { RedisStore } from 'rate-limit-redis';
import type { RedisClient } from './redis/connection.ts';
import { VISITS } from './redis/keyNames.ts';

/**
 * A store for express-rate-limit.
 *
 * RedisStore loads its scripts when it is created. Without Redis that would fail for good, and on a cluster it would
 * reach only one node. Here SCRIPT LOAD only stores the script; a node that lacks it gets it in full with the call.
 */
export function visitStore(redis: RedisClient): RedisStore {
  const scripts = new Map<string, string>();
  return new RedisStore({
    prefix: VISITS,
    async sendCommand(name, ...values) {
      const [sha = '', ...rest] = values;
      if (name === 'SCRIPT') return remember(scripts, values[1] ?? '');
      if (name !== 'EVALSHA') throw new Error(`${name} is not needed to count`);
      try {
        return (await redis.evalsha(sha, Number(rest[0]), ...rest.slice(1))) as number[];
      } catch (error) {
        const script = scripts.get(sha);
        if (script === undefined || !(error as Error).message.startsWith('NOSCRIPT')) throw error;
        return (await redis.eval(script, Number(rest[0]), ...rest.slice(1))) as number[];
      }
    },
  });
}

function remember(scripts: Map<string, string>, script: string): string {
  const sha = createHash('sha1').update(script).digest('hex');
  scripts.set(sha, script);
  return sha;
}
