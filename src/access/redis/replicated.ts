// Waits until a replica has the latest writes, so that a failover does not undo them.

import { Redis } from 'ioredis';
import type { RedisClient } from './connection.ts';

/** Short, because commands behind it on the same connection wait too, and requests give up after 250 ms. */
const WAIT_MS = 100;

/**
 * Settles when a replica has everything that this client wrote, or after 100 ms; at once where there is no replica. On a
 * Redis Cluster it waits for a replica of each master. It never throws, because the master has the writes in any case.
 */
export async function replicated(redis: RedisClient): Promise<void> {
  await Promise.all(mastersOf(redis).map(replicatedBy));
}

/** The connections that writes go through. One that is not ready is left out, because it would hold a command back. */
const mastersOf = (redis: RedisClient): readonly Redis[] =>
  redis instanceof Redis ? [redis] : redis.nodes('master').filter(({ status }) => status === 'ready');

async function replicatedBy(master: Redis): Promise<void> {
  try {
    const [, replicas = '0'] = /^connected_slaves:(\d+)/m.exec(await master.info('replication')) ?? [];
    if (replicas !== '0') await master.wait(1, WAIT_MS);
  } catch {
    // The write has succeeded, whatever becomes of the connection now.
  }
}
