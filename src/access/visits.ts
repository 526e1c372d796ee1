// Counts visits to the pages per client address in Redis, so that all servers share one count.

import { RedisStore } from 'rate-limit-redis';
import type { RedisClient } from './redis/connection.ts';
import { VISITS } from './redis/keyNames.ts';

/**
 * A store for express-rate-limit.
 *
 * RedisStore loads its scripts into Redis when it is created, and then runs them by their digests. If Redis were away
 * at that moment, the store would never work, and on a cluster only one node would have the scripts. So this store sends
 * no `SCRIPT LOAD` to Redis. It returns the script's text in place of the digest, and later runs that text.
 */
export const visitStore = (redis: RedisClient): RedisStore =>
  new RedisStore({
    prefix: VISITS,
    async sendCommand(name, ...values) {
      if (name === 'SCRIPT') return FORGET_LATER + (values[1] ?? '');
      const [script = '', count, ...rest] = values;
      return (await redis.eval(script, Number(count), ...rest)) as number[];
    },
  });

/**
 * Lua that deletes a count that would last longer than its window. Such a count began before Redis's clock was set back. It
 * would shut its address out until the clock has caught up. `ARGV[1]` is the length of the window in milliseconds. Of the
 * scripts of RedisStore, only the one that counts has it, so in the others this does nothing.
 */
const FORGET_LATER = `
if ARGV[1] and redis.call('PTTL', KEYS[1]) > tonumber(ARGV[1]) then redis.call('DEL', KEYS[1]) end
`;
