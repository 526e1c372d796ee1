// Reads many records with few calls to Redis, which saves round trips and parsing.

import type { RedisClient } from './connection.ts';

/**
 * How many records one call reads. Such a call keeps Redis busy for at most half a millisecond, and our event loop for a
 * few milliseconds.
 */
const BATCH_ITEMS = 100;
/** How many calls are under way at the same time. A request of the API may have to wait behind them. */
const CALLS_AT_ONCE = 4;

/** Calls `read` for each batch of items, a few batches at a time. Gives the results in the order of the items. */
export async function readInBatches<Item, Result>(
  redis: RedisClient,
  items: readonly Item[],
  read: (redis: RedisClient, batch: readonly Item[]) => Promise<readonly Result[]>,
  batchItems = BATCH_ITEMS,
): Promise<Result[]> {
  // On a cluster, records lie on different nodes, and one script cannot read several of them.
  const [size, callsAtOnce] = redis.isCluster ? [1, 200] : [batchItems, CALLS_AT_ONCE];
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += size * callsAtOnce) {
    const batches = Array.from({ length: callsAtOnce }, (_, i) => {
      const from = start + i * size;
      return items.slice(from, from + size);
    }).filter((batch) => batch.length > 0);
    for (const found of await Promise.all(batches.map((batch) => read(redis, batch)))) results.push(...found);
  }
  return results;
}
