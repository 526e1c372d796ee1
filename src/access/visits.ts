// Counts visits to the pages per client address in Redis, so that all servers share one count.

import { RedisStore } from 'rate-limit-redis';
import type { RedisClient } from './redis/connection.ts';
import { VISITS } from './redis/keyNames.ts';

/**
 * A store for express-rate-limit.
 *
 * RedisStore loads its scripts when it is created, and runs them by their digests. Without Redis that would fail for
 * good, and on a cluster it would reach only one node. So this store loads nothing: instead of a digest it uses the
 * script's text, which is sent in full.
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
 * Forgets a count that would last longer than its window. It was begun before Redis's clock was set back, and would shut
 * its address out until the clock is where it was. Only the script that counts has an argument, the window's length.
 */
const FORGET_LATER = `
if ARGV[1] and redis.call('PTTL', KEYS[1]) > tonumber(ARGV[1]) then redis.call('DEL', KEYS[1]) end
`;
