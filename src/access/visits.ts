// Counts visits to the pages per client address in Redis, so that all servers share one count.

import { RedisStore } from 'rate-limit-redis';
import type { RedisClient } from './redis/connection.ts';
import { VISITS } from './redis/keyNames.ts';

/**
 * A store for express-rate-limit.
 *
 * RedisStore loads its scripts into Redis when it is created, and then runs them by their digests. If Redis were away
 * at that moment, the store would never work, and on a cluster only one node would have the scripts. So this store
 * answers the loading itself with the text of the script, and sends this text each time in place of a digest.
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
 * Lua that deletes a count that would last longer than its window. This count began before Redis's clock was set back. It would
 * shut its address out until the clock has caught up. Only the script that counts has an argument, which is the length of the
 * window.
 */
const FORGET_LATER = `
if ARGV[1] and redis.call('PTTL', KEYS[1]) > tonumber(ARGV[1]) then redis.call('DEL', KEYS[1]) end
`;
