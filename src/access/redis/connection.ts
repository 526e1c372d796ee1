// Opens Redis: one server, a cluster, or the private redis-server of a data directory.

import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { Log } from '../../catalog/currentSnapshot.ts';
import type { RedisAddress } from './address.ts';
import { CLIENT_NAME, keepPrivateRedis } from './privateServer.ts';

export { RedisMissing } from './privateServer.ts';

/** Connected or on the way to it. Without a connection a command fails at once; none is sent twice. */
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
  /** Ends the connection, and the private Redis when nobody else is connected to it. */
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Null: the private Redis of `dataDir`. */
  readonly address: RedisAddress | null;
  readonly dataDir: string;
  /** Where it is said that Redis came or went; left out, nowhere. */
  readonly log?: Log;
}

/** Redis does not answer. */
export class RedisAway extends Error {
  constructor() {
    super('Redis does not answer');
    this.name = 'RedisAway';
  }
}

/** Returns at once: Redis may come later, go, and come again. */
export function openRedis({ address, dataDir, log = SILENT }: OpenOptions): OpenRedis {
  const kept = address === null ? keepPrivateRedis(dataDir, onSocket, log) : null;
  const client = kept?.client ?? clientOf(address ?? NOWHERE);
  const answered = new Promise<void>((resolve) => client.once('ready', () => resolve()));
  const told = tellOf(client, log);
  return {
    client,
    async answers(deadlineMs) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new RedisAway()), deadlineMs);
      });
      const outcomes = kept ? [answered, late, kept.failed] : [answered, late];
      await Promise.race(outcomes).finally(() => clearTimeout(timer));
    },
    async close() {
      told.stop();
      if (kept) await kept.close();
      else client.disconnect();
    },
  };
}

const SILENT: Log = { info() {}, error() {} };

const NOWHERE: RedisAddress = {
  nodes: [],
  cluster: false,
  tls: false,
  username: null,
  password: null,
  db: 0,
};

/** What is sent may have been done though no answer came, so nothing is sent again; nobody waits long. */
const QUICK_FAILURE = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  retryStrategy: () => 100,
  connectTimeout: 1000,
  // A host that vanished says nothing, and its connection stays open. Long enough for a busy process to read what
  // has come; who asks for less sets a deadline of its own.
  commandTimeout: 2000,
  socketTimeout: 2000,
  maxLoadingRetryTime: 100,
  // A master that became a replica: its address may lead to the new master.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
} satisfies RedisOptions;

/** Not connected yet: whoever keeps the server connects when there is one. */
const onSocket = (socket: string) =>
  new Redis({
    ...QUICK_FAILURE,
    path: socket,
    connectionName: CLIENT_NAME,
    lazyConnect: true,
    retryStrategy: () => 20,
  });

/** A cluster's client looks for the right node by itself, within these bounds. */
const QUICK_CLUSTER = {
  enableOfflineQueue: false,
  retryDelayOnFailover: 50,
  retryDelayOnClusterDown: 50,
  maxRedirections: 2,
  slotsRefreshTimeout: 500,
  slotsRefreshInterval: 1000,
  clusterRetryStrategy: () => 100,
};

function clientOf({ nodes, cluster, tls, username, password, db }: RedisAddress): RedisClient {
  const login = {
    ...(username !== null && { username }),
    ...(password !== null && { password }),
    ...(tls && { tls: {} }),
  };
  if (!cluster) return new Redis({ ...QUICK_FAILURE, ...login, db, ...nodes[0] });
  const { retryStrategy: _, enableOfflineQueue: __, ...perNode } = QUICK_FAILURE;
  const hosts = nodes.flatMap((node) => ('host' in node ? [node] : []));
  return new Cluster(hosts, {
    ...QUICK_CLUSTER,
    // Certificates name hosts; looked up here, they would be compared with addresses.
    ...(tls && { dnsLookup: (host, callback) => callback(null, host) }),
    redisOptions: { ...perNode, ...login },
  });
}

/** Says once that Redis went, and once that it came; nothing any more once it is closed on purpose. */
function tellOf(client: RedisClient, log: Log): { stop(): void } {
  let state: 'new' | 'there' | 'away' | 'closed' = 'new';
  client.on('ready', () => {
    state = 'there';
    log.info({}, 'Redis answers');
  });
  client.on('close', () => {
    if (state === 'there') log.error({}, 'Redis is away: answering 503 until it is back');
    if (state !== 'closed') state = 'away';
  });
  // Without a listener an error would end the process; that it matters shows in `close`.
  client.on('error', (error: Error) => {
    if (state === 'new') log.error({ reason: error.message }, 'Redis cannot be reached yet');
    state = state === 'new' ? 'away' : state;
  });
  return {
    stop() {
      state = 'closed';
    },
  };
}
