// Reads many records in few calls: enough of them in one call to spare most of the round trips and of the parsing.

import type { RedisClient } from './connection.ts';

/**
 * How many records one call reads: few enough that Redis is busy for half a millisecond at most, and that no turn of the
 * event loop takes longer than a few.
 */
const BATCH_ITEMS = 100;
/** How many calls are under way at once. A request of the API waits behind them. */
const CALLS_AT_ONCE = 4;

/** The results of `read`, which is called for a batch after another, a few of them at once, in the order of the items. */
export async function inBatches<Item, Result>(
  redis: RedisClient,
  items: readonly Item[],
  read: (redis: RedisClient, batch: readonly Item[]) => Promise<readonly Result[]>,
  batchItems = BATCH_ITEMS,
): Promise<Result[]> {
  // The records of a batch lie on different nodes of a cluster, which no script may use together.
  const [size, callsAtOnce] = redis.isCluster ? [1, 200] : [batchItems, CALLS_AT_ONCE];
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += size * callsAtOnce) {
    const batches = Array.from({ length: callsAtOnce }, (_, i) => {
      const from = at + i * size;
      return items.slice(from, from + size);
    }).filter((batch) => batch.length > 0);
    for (const found of await Promise.all(batches.map((batch) => read(redis, batch)))) results.push(...found);
  }
  return results;
}
