// The built server over the published sample, for tests that only read: `const { url, key } = await sharedServer()`.

import { keysOf } from '../../src/access/keys/keys.ts';
import { openRedis } from '../../src/access/redis/connection.ts';
import { parseRedisAddress } from '../../src/access/redis/redisAddress.ts';
import { service } from './services.ts';

export interface SharedServer {
  /** The address, without a slash at the end. */
  readonly url: string;
  /** A new key, with limits that no test reaches. */
  readonly key: string;
  /** The server's REDIS_URL. Tests need it to run commands, and to make keys with limits of their own. */
  readonly redisUrl: string;
}

/** One process serves all test files. A test that publishes, changes settings or ends the server must start its own. */
export async function sharedServer(): Promise<SharedServer> {
  const { url, redisUrl } = await service('server');
  const redis = openRedis({ address: parseRedisAddress(redisUrl) ?? null, dataDir: '' });
  try {
    await redis.untilAnswered(60_000);
    const { key } = await keysOf(redis.client).issue({ label: 'test', by: 'test' });
    return { url, redisUrl, key };
  } finally {
    await redis.close();
  }
}
