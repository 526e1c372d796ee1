// Waits until a replica has the last writes, so that a failover does not undo them.

import { Redis } from 'ioredis';
import type { RedisClient } from './connection.ts';

/** How long to wait for a replica. Requests on the same connection wait behind it, and they give up after 250 ms. */
const WAIT_MS = 100;

/**
 * Settles when a replica has all writes of this client, or after 100 ms. Without a replica it settles at once. On a Redis
 * Cluster it waits for a replica of each master. It never throws, because the master already has the writes.
 */
export async function waitForReplica(redis: RedisClient): Promise<void> {
  await Promise.all(mastersOf(redis).map(waitForReplicaOf));
}

/** The connections to masters. One that is not ready is left out, because it would queue the command. */
const mastersOf = (redis: RedisClient): readonly Redis[] =>
  redis instanceof Redis ? [redis] : redis.nodes('master').filter(({ status }) => status === 'ready');

async function waitForReplicaOf(master: Redis): Promise<void> {
  try {
    const [, replicas = '0'] = /^connected_slaves:(\d+)/m.exec(await master.info('replication')) ?? [];
    if (replicas !== '0') await master.wait(1, WAIT_MS);
  } catch {
    // The write has succeeded, whatever becomes of the connection now.
  }
}
