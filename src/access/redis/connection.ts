// Connects to Redis: to one server, a master behind Sentinels, a cluster, or the private server of a data directory.

import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { Observe } from '../../observations.ts';
import { CLIENT_NAME, PrivateServer } from './privateServer.ts';
import type { RedisAddress } from './redisAddress.ts';
import { connectionRemedy, NOT_CONNECTED, redisReason } from './redisReason.ts';

/**
 * A client that reconnects by itself. While there is no connection, commands fail at once. It sends no command twice.
 */
export type RedisClient = Redis | Cluster;

/** A Redis that is connected, or will be. */
export interface OpenRedis {
  readonly client: RedisClient;
  /**
   * Settles when Redis has answered for the first time.
   *
   * @throws {RedisAway} when it has not answered within `deadlineMs`.
   * @throws {RedisMissing} when no redis-server is installed that could be started.
   */
  untilAnswered(deadlineMs: number): Promise<void>;
  /** Closes the connection, and stops the private Redis server when no other process is connected to it. */
  close(): Promise<void>;
}

export interface OpenOptions {
  /** The address of Redis; null for the private Redis server of `dataDir`. */
  readonly address: RedisAddress | null;
  readonly dataDir: string;
  /** Receives the events of Redis, such as `redis up` and `redis down`. */
  readonly observe?: Observe;
}

/** Redis does not answer. */
export class RedisAway extends Error {
  constructor() {
    super('Redis does not answer');
    this.name = 'RedisAway';
  }
}

/** Begins to connect, and returns at once. Redis may come up later, go away and come back. */
export function openRedis({ address, dataDir, observe = () => {} }: OpenOptions): OpenRedis {
  const search = masterSearch();
  const { client, failed, close }: Server =
    address === null ? new PrivateServer(dataDir, onSocket, observe) : sharedServer(address, search);
  const answered = new Promise<void>((resolve) => client.once('ready', () => resolve()));
  const remedyOf = (reason: string) => connectionRemedy(reason, address?.tls);
  const availability = observeAvailability(client, { observe, search, remedyOf });
  return {
    client,
    async untilAnswered(deadlineMs) {
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

/** A private Redis server, or one that somebody else runs. */
type Server = Pick<PrivateServer, 'failed' | 'close'> & { readonly client: RedisClient };

function sharedServer(address: RedisAddress, search: MasterSearch): Server {
  const client = clientOf(address, search);
  return { client, failed: new Promise<never>(() => {}), close: async () => disconnect(client) };
}

/**
 * Closes the connections of a client. A TLS connection that is closed during its handshake may emit two errors, for a
 * refused certificate and for the alert of Redis. ioredis listens for the first one only, and the second would end the
 * process.
 */
function disconnect(client: RedisClient): void {
  const connected: readonly Partial<Pick<Redis, 'stream'>>[] =
    client instanceof Cluster ? client.nodes() : [client];
  for (const { stream } of connected) stream?.on('error', () => {});
  client.disconnect();
}

/** Makes commands fail quickly. No command is sent twice, because one without an answer may have been executed. */
const QUICK_FAILURE = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  retryStrategy: () => 100,
  connectTimeout: 1000,
  // The connection to a host that vanished stays open and silent. These limits detect it, and still let a busy process
  // read answers that have arrived. Callers that need shorter limits have their own.
  commandTimeout: 2000,
  socketTimeout: 2000,
  maxLoadingRetryTime: 100,
  // `disconnect` between two attempts to connect waits for this long, and keeps the process alive meanwhile.
  disconnectTimeout: 500,
} satisfies RedisOptions;

/** Reconnects when a server refuses writes as a replica, because its address may lead to the new master by then. */
interface MasterSearch {
  /** Whether the client reconnects after this error. */
  begin(error: Error): boolean;
  /** Whether a search closed the last connection. Each such connection counts once: after that, the result is false. */
  hasClosed(): boolean;
}

/**
 * The least time between two reconnections. A replica refuses every request. Without this limit, each refusal would close
 * the connection that other requests use.
 */
const SEARCH_EVERY_MS = 1000;

function masterSearch(): MasterSearch {
  let lastSearchMs = Number.NEGATIVE_INFINITY;
  let isClosing = false;
  return {
    begin({ message }) {
      const nowMs = performance.now();
      if (!message.startsWith('READONLY') || nowMs - lastSearchMs < SEARCH_EVERY_MS) return false;
      lastSearchMs = nowMs;
      isClosing = true;
      return true;
    },
    hasClosed() {
      const hasClosed = isClosing;
      isClosing = false;
      return hasClosed;
    },
  };
}

/** A client for the socket of a private server. `PrivateServer` connects it when the server runs. */
const onSocket = (socket: string) =>
  new Redis({
    ...QUICK_FAILURE,
    path: socket,
    connectionName: CLIENT_NAME,
    lazyConnect: true,
    retryStrategy: () => 20,
  });

/** The limits within which the client of a cluster looks for the right node. */
const QUICK_CLUSTER = {
  enableOfflineQueue: false,
  retryDelayOnFailover: 50,
  retryDelayOnClusterDown: 50,
  maxRedirections: 2,
  slotsRefreshTimeout: 500,
  slotsRefreshInterval: 1000,
  clusterRetryStrategy: () => 100,
};

/** At every connect, the client asks the Sentinels which server is the master. */
const QUICK_SENTINEL = {
  role: 'master',
  sentinelRetryStrategy: () => 100,
  sentinelCommandTimeout: 1000,
} satisfies RedisOptions;

function clientOf(
  { nodes, master, cluster, tls, username, password, db }: RedisAddress,
  search: MasterSearch,
): RedisClient {
  // The client of a cluster stays connected when it reconnects to one node. `observeAvailability` must not see such a
  // reconnection in `search`, because it would take the next loss of the whole cluster for a search.
  const { begin: reconnectOnError } = cluster ? masterSearch() : search;
  const common = {
    reconnectOnError,
    ...(username !== null && { username }),
    ...(password !== null && { password }),
    ...(tls && { tls: {} }),
  };
  const hosts = nodes.flatMap((node) => ('host' in node ? [node] : []));
  if (master !== undefined) {
    // The first option is for the connection to the master, the second for those to the Sentinels.
    const overTls = tls && { enableTLSForSentinelMode: true, sentinelTLS: {} };
    const sentinel = { sentinels: hosts, name: master, ...overTls };
    return new Redis({ ...QUICK_FAILURE, ...QUICK_SENTINEL, ...common, ...sentinel, db });
  }
  if (!cluster) return new Redis({ ...QUICK_FAILURE, ...common, db, ...nodes[0] });
  const { retryStrategy: _, enableOfflineQueue: __, ...perNode } = QUICK_FAILURE;
  return new Cluster(hosts, {
    ...QUICK_CLUSTER,
    // Certificates contain host names, so TLS must see the name of a host, not its address.
    ...(tls && { dnsLookup: (host, callback) => callback(null, host) }),
    redisOptions: { ...perNode, ...common },
  });
}

/**
 * Reports when Redis goes away and when it comes back, until `stop` is called. In an outage, it reports each reason for
 * which Redis refuses connections, and no reason twice. The client also closes its connection to search for a new master.
 * That is not reported, unless the next connection fails.
 */
function observeAvailability(
  client: RedisClient,
  { observe, search, remedyOf }: AvailabilityOptions,
): { stop(): void } {
  let state: 'new' | 'there' | 'searching' | 'away' | 'closed' = 'new';
  /** The reasons that were reported in this outage. */
  const reported = new Set<string>();
  const goAway = () => {
    if (state === 'there' || state === 'searching') observe({ event: 'redis down' });
    state = 'away';
  };
  client.on('ready', () => {
    if (state !== 'searching') observe({ event: 'redis up' });
    state = 'there';
    reported.clear();
  });
  client.on('connect', async () => {
    if (reported.has(LOADING) || !(await isLoading(client)) || state === 'closed') return;
    reported.add(LOADING);
    observe({ event: 'redis loading' });
  });
  client.on('close', () => {
    if (state === 'there' && search.hasClosed()) state = 'searching';
    else if (state !== 'closed') goAway();
  });
  // Without a listener, an error would end the process. If the connection is lost, `close` is emitted too.
  client.on('error', (error: RedisError) => {
    // After a failed SELECT, the client would go on with database 0, which may belong to another service. So it reconnects.
    if (error.command?.name === 'select') client.disconnect(true);
    if (state === 'searching') goAway();
    // A failed system call means that no server listens at the address, which `redis down` reports already.
    const isNewReason = state === 'new' || (state === 'away' && error.syscall === undefined);
    const reason = redisReason(error);
    if (!isNewReason || reported.has(reason) || reason === NOT_CONNECTED) return;
    state = 'away';
    reported.add(reason);
    observe({ event: 'redis not reached', reason, remedy: remedyOf(reason) });
  });
  return {
    stop() {
      state = 'closed';
    },
  };
}

interface AvailabilityOptions {
  readonly observe: Observe;
  readonly search: MasterSearch;
  readonly remedyOf: (reason: string) => string | undefined;
}

/** A failed system call, or the refusal of a command by Redis. */
type RedisError = NodeJS.ErrnoException & { readonly command?: { readonly name: string } };

/** The entry of `reported` that stands for the event `redis loading`. */
const LOADING = 'LOADING';

/** Whether Redis still reads its data from its disk, and serves no commands until then. */
async function isLoading(client: RedisClient): Promise<boolean> {
  // When the user has no right to INFO, the result is false.
  const persistence = await client.info('persistence').catch(() => '');
  return /^loading:1/m.test(String(persistence));
}
