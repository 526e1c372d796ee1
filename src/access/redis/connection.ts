// Opens Redis: one server, the master that Sentinels name, a cluster, or the private redis-server of a data directory.

import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { Observe } from '../../observations.ts';
import type { RedisAddress } from './address.ts';
import { CLIENT_NAME, type PrivateRedis, runPrivateServer } from './privateServer.ts';

export { RedisMissing } from './privateServer.ts';

/** Connected, or reconnecting. Without a connection a command fails at once; no command is sent twice. */
export type RedisClient = Redis | Cluster;

export interface OpenRedis {
  readonly client: RedisClient;
  /**
   * Settles when Redis answers for the first time.
   *
   * @throws {RedisAway} when it has not by the deadline.
   * @throws {RedisMissing} when there is no redis-server on this machine that could be started.
   */
  answers(deadlineMs: number): Promise<void>;
  /** Closes the connection, and stops the private Redis server when no other process is connected to it. */
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Null: the private Redis server of `dataDir`. */
  readonly address: RedisAddress | null;
  readonly dataDir: string;
  /** Receives when Redis comes and goes. */
  readonly observe?: Observe;
}

/** Redis does not answer. */
export class RedisAway extends Error {
  constructor() {
    super('Redis does not answer');
    this.name = 'RedisAway';
  }
}

/** Returns at once. Redis may come up later, go away, and come back. */
export function openRedis({ address, dataDir, observe = () => {} }: OpenOptions): OpenRedis {
  const { client, failed, close }: Server =
    address === null ? runPrivateServer(dataDir, onSocket, observe) : sharedServer(address);
  const answered = new Promise<void>((resolve) => client.once('ready', () => resolve()));
  const availability = observeAvailability(client, observe);
  return {
    client,
    async answers(deadlineMs) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new RedisAway()), deadlineMs);
      });
      await Promise.race([answered, late, failed]).finally(() => clearTimeout(timer));
    },
    async close() {
      availability.stop();
      await close();
    },
  };
}

/** A private Redis, or one that somebody else runs. */
type Server = Omit<PrivateRedis, 'client'> & { readonly client: RedisClient };

function sharedServer(address: RedisAddress): Server {
  const client = clientOf(address);
  return { client, failed: new Promise<never>(() => {}), close: async () => client.disconnect() };
}

/** No command is sent twice, because one without an answer may have been executed. Every failure is quick. */
const QUICK_FAILURE = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  retryStrategy: () => 100,
  connectTimeout: 1000,
  // A host that vanishes leaves its connections open and silent. These limits are long enough for a busy process to
  // read answers that have arrived; callers that need shorter ones have their own.
  commandTimeout: 2000,
  socketTimeout: 2000,
  maxLoadingRetryTime: 100,
  // The master became a replica: its address may lead to the new master.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
} satisfies RedisOptions;

/** Not connected yet: the private server's owner connects once the server runs. */
const onSocket = (socket: string) =>
  new Redis({
    ...QUICK_FAILURE,
    path: socket,
    connectionName: CLIENT_NAME,
    lazyConnect: true,
    retryStrategy: () => 20,
  });

/** A cluster's client finds the right node by itself, within these bounds. */
const QUICK_CLUSTER = {
  enableOfflineQueue: false,
  retryDelayOnFailover: 50,
  retryDelayOnClusterDown: 50,
  maxRedirections: 2,
  slotsRefreshTimeout: 500,
  slotsRefreshInterval: 1000,
  clusterRetryStrategy: () => 100,
};

/** Sentinels know the master: the client asks them at every reconnect. */
const QUICK_SENTINEL = {
  role: 'master',
  sentinelRetryStrategy: () => 100,
  sentinelCommandTimeout: 1000,
} satisfies RedisOptions;

function clientOf({ nodes, master, cluster, tls, username, password, db }: RedisAddress): RedisClient {
  const login = {
    ...(username !== null && { username }),
    ...(password !== null && { password }),
    ...(tls && { tls: {} }),
  };
  const hosts = nodes.flatMap((node) => ('host' in node ? [node] : []));
  if (master !== undefined) {
    const sentinel = { sentinels: hosts, name: master, ...(tls && { enableTLSForSentinelMode: true }) };
    return new Redis({ ...QUICK_FAILURE, ...QUICK_SENTINEL, ...login, ...sentinel, db });
  }
  if (!cluster) return new Redis({ ...QUICK_FAILURE, ...login, db, ...nodes[0] });
  const { retryStrategy: _, enableOfflineQueue: __, ...perNode } = QUICK_FAILURE;
  return new Cluster(hosts, {
    ...QUICK_CLUSTER,
    // Certificates name hosts, so hosts must not be resolved to addresses before the TLS check.
    ...(tls && { dnsLookup: (host, callback) => callback(null, host) }),
    redisOptions: { ...perNode, ...login },
  });
}

/** Observes each time that Redis goes away or comes back, until `stop` is called. */
function observeAvailability(client: RedisClient, observe: Observe): { stop(): void } {
  let state: 'new' | 'there' | 'away' | 'closed' = 'new';
  client.on('ready', () => {
    state = 'there';
    observe({ event: 'redis up' });
  });
  client.on('close', () => {
    if (state === 'there') observe({ event: 'redis down' });
    if (state !== 'closed') state = 'away';
  });
  // Without a listener an error would end the process. `close` follows where it matters.
  client.on('error', (error: Error) => {
    if (state !== 'new') return;
    state = 'away';
    observe({ event: 'redis not reached', reason: error.message });
  });
  return {
    stop() {
      state = 'closed';
    },
  };
}
