// Waits until a replica has what was written, so that a failover does not undo it.

import { Redis } from 'ioredis';
import type { RedisClient } from './connection.ts';

/** Commands behind it on the same connection wait as long, and requests give up after 250 ms. */
const WAIT_MS = 100;

/**
 * Settles when a replica has everything that this client wrote, or after 100 ms; at once where there is no replica. Never
 * throws: what was written is written. On a Redis Cluster it does not wait, because a client has a connection to each
 * master.
 */
export async function replicated(redis: RedisClient): Promise<void> {
  if (!(redis instanceof Redis)) return;
  try {
    const [, replicas = '0'] = /^connected_slaves:(\d+)/m.exec(await redis.info('replication')) ?? [];
    if (replicas !== '0') await redis.wait(1, WAIT_MS);
  } catch {
    // The write has succeeded, whatever becomes of the connection now.
  }
}
