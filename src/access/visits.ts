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
      if (name === 'SCRIPT') return values[1] ?? '';
      const [script = '', count, ...rest] = values;
      return (await redis.eval(script, Number(count), ...rest)) as number[];
    },
  });
