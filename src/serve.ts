// Builds the server of one process from its parts. Makes it listen, warms it up, and drains it after a signal.

import cluster from 'node:cluster';
import { openSync } from 'node:fs';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createGate } from './access/gate/gate.ts';
import { keyUsage } from './access/keys/dailyUsage.ts';
import { type OpenRedis, openRedis, RedisAway } from './access/redis/connection.ts';
import { watchRedis } from './access/redis/watchRedis.ts';
import { hashOf } from './access/secret.ts';
import { CACHES, type Caches } from './cache/caches.ts';
import { measuredCaches } from './cache/measuredCaches.ts';
import { currentId } from './catalog/dataDirectory.ts';
import { MANIFESTS_CAPACITY_BYTES } from './catalog/retainedSnapshots.ts';
import { followSnapshots, type Snapshots } from './catalog/snapshots.ts';
import type { Config } from './config/config.ts';
import { type AppDeps, createApp, createEndpoints, type EndpointDeps, type Endpoints } from './http/app.ts';
import { ADDRESSES_CAPACITY_BYTES } from './http/middleware/addressWindows.ts';
import { createAuthenticator } from './http/middleware/authenticator.ts';
import { createPages } from './http/pages/pages.ts';
import { createExplorer } from './http/pages/serveExplorer.ts';
import type { Readiness } from './http/probes.ts';
import { createServer, type HttpServer } from './http/server/server.ts';
import { logTo, openLog } from './log/log.ts';
import type { createMetrics } from './metrics/metrics.ts';
import { stateReader } from './metrics/state.ts';
import type { Observe } from './observations.ts';
import { compileLater } from './process/compileTimes.ts';
import { endProcess } from './process/endProcess.ts';
import { listen } from './process/listen.ts';
import { threadsAdvice } from './process/threads.ts';
import { END_MESSAGE, onSignal } from './process/workerProcesses.ts';
import { jobRunner } from './query/computations/jobThread.ts';
import { ROW_TEXTS_CAPACITY_BYTES, rowTextsBytes } from './query/rendering/rowTexts.ts';
import { createSelector, SELECTOR_DEFAULTS } from './query/selection/selector.ts';
import { followStore, type StoreFollower } from './store/followStore.ts';
import { ObjectStore } from './store/objectStore.ts';
import { WARM_UP_REQUESTS, type WarmUpOptions, warmUp } from './warmUp/warmUp.ts';

/** Starts the server of this process, and gives its Redis client. Settles when the server listens. */
export async function serve(
  config: Config,
  observe: Observe,
  metrics: ReturnType<typeof createMetrics> | null,
): Promise<OpenRedis> {
  const redis = openRedis({ address: config.redis, dataDir: config.dataDir, observe });
  const store = storeOf(config, observe);
  const snapshots = snapshotsOf(config, store, observe);
  const authenticator = createAuthenticator(createGate(redis.client, config.rateLimits, observe), observe);
  let isWarm = false;
  const readiness: Readiness = { ...readinessOf(redis, store, observe), isWarm: () => isWarm };
  const caches = cachesOf(config, { snapshots, authenticator, readiness }, metrics);
  const appDeps = appDepsOf(config, { redis, snapshots, authenticator, readiness, caches, observe });
  const app = createApp(appDeps);
  const http = createServer(app, observe, authenticator);
  endOnSignal(http, redis, observe);
  await awaitSources({ dataDir: config.dataDir, snapshots, redis, observe });
  await listen(http.server, config);
  const warmUpOptions = { app: { ...appDeps, classesOf: app }, clients: http.server };
  void warmUpOnceLoaded({ ...warmUpOptions, ...warmUpParts(redis, config) }).then(() => {
    isWarm = true;
  });
  return redis;
}

/** Follows SNAPSHOT_STORE; null without one. */
function storeOf({ dataDir, snapshotStore, snapshotPollMs }: Config, observe: Observe): StoreFollower | null {
  if (snapshotStore === null) return null;
  const store = new ObjectStore(snapshotStore, process.env, { answerTimeoutMs: STORE_ANSWER_MS });
  return followStore({ dataDir, store, observe, pollMs: snapshotPollMs });
}

/** How long a server waits for an answer of the store before it counts the store as away. */
const STORE_ANSWER_MS = 10_000;

/** Follows the snapshots of the data directory. A snapshot that is missing there is fetched from the store. */
const snapshotsOf = (config: Config, store: StoreFollower | null, observe: Observe): Snapshots =>
  followSnapshots({
    dataDir: config.dataDir,
    maxBytes: snapshotBytesOf(config),
    processes: config.processes,
    connections: SELECTOR_DEFAULTS.permits,
    observe,
    ...(store && { source: store }),
  });

/** The memory that this process may use for snapshots. */
const snapshotBytesOf = ({ snapshotMemoryBytes, processes }: Config): number =>
  Math.floor(snapshotMemoryBytes / processes);

/** The functions that tell `/readyz` whether Redis and the store answer. */
const readinessOf = (
  redis: OpenRedis,
  store: StoreFollower | null,
  observe: Observe,
): Omit<Readiness, 'isWarm'> => ({
  isRedisUp: watchRedis(redis.client, observe).isUp,
  ...(store && { isStoreUp: store.isUp }),
});

/**
 * The caches of the server. With metrics, the caches and all other limited memory are measured, and `metrics` reads these
 * figures and the state of the server at each scrape.
 */
function cachesOf(
  config: Config,
  {
    snapshots,
    authenticator,
    readiness,
  }: Pick<AppDeps, 'snapshots' | 'authenticator'> & { readonly readiness: Readiness },
  metrics: ReturnType<typeof createMetrics> | null,
): Caches {
  if (metrics === null) return CACHES;
  const measured = measuredCaches(CACHES);
  measured.add({
    name: 'addresses',
    capacityBytes: ADDRESSES_CAPACITY_BYTES,
    bytes: authenticator.addressesBytes,
  });
  measured.add({
    name: 'manifests',
    capacityBytes: MANIFESTS_CAPACITY_BYTES,
    bytes: snapshots.manifestsBytes,
  });
  measured.add({ name: 'row texts', capacityBytes: ROW_TEXTS_CAPACITY_BYTES, bytes: rowTextsBytes });
  const snapshotMemoryBytes = snapshotBytesOf(config);
  metrics.addState(stateReader({ caches: measured, snapshots, readiness, snapshotMemoryBytes }));
  return measured.caches;
}

interface ServerParts extends Pick<AppDeps, 'snapshots' | 'authenticator' | 'observe'> {
  readonly redis: OpenRedis;
  readonly readiness: Readiness;
  readonly caches: Caches;
}

/** The endpoints and pages of the app, with the parts that they use. */
function appDepsOf(
  config: Config,
  { redis, ...parts }: ServerParts,
): AppDeps & { readonly endpoints: Endpoints } {
  const { observe, caches } = parts;
  const endpointDeps: EndpointDeps = {
    ...parts,
    selector: createSelector(SELECTOR_DEFAULTS, caches, observe),
    runJob: jobRunner(new URL('./query/computations/jobThreadMain.js', import.meta.url)),
    settings: config,
    readUsage: (key, nowMs) => keyUsage(redis.client, hashOf(key), nowMs),
  };
  const pages = [
    createExplorer(EXPLORER_DIRECTORY),
    createPages({ redis: redis.client, observe, settings: config }),
  ];
  return { ...parts, ...endpointDeps, endpoints: createEndpoints(endpointDeps), pages };
}

/** Where the build writes the explorer, seen from dist/src. */
const EXPLORER_DIRECTORY = fileURLToPath(new URL('../explorer/', import.meta.url));

/** Warms up the server as soon as it has a snapshot. */
async function warmUpOnceLoaded(options: Omit<WarmUpOptions, 'requests'>): Promise<void> {
  await options.app.snapshots.loaded;
  const answered = await warmUp({ ...options, requests: WARM_UP_REQUESTS });
  if (answered === WARM_UP_REQUESTS) compileLater();
}

/**
 * The gate and the log for the requests of the warm-up, and its deadline. The gate and the log do the same work as for
 * requests of clients. But no metrics count this work, and the log lines go to /dev/null.
 */
function warmUpParts(redis: OpenRedis, config: Config) {
  return {
    gate: createGate(redis.client, config.rateLimits),
    observe: logTo(openLog(config.logLevel, openSync(os.devNull, 'w')), config),
    deadlineMs: config.warmUpSeconds * 1000,
  };
}

/** Makes the first signal drain the server, and a second one end it at once. */
function endOnSignal(http: HttpServer, redis: OpenRedis, observe: Observe): void {
  let isEnding = false;
  const begin = () => {
    if (isEnding) return;
    isEnding = true;
    void http
      .drain(DRAIN_MS)
      .then(() => redis.close())
      .finally(() => endProcess(observe));
  };
  if (cluster.isWorker) process.on('message', (message) => message === END_MESSAGE && begin());
  onSignal(() => {
    if (!isEnding) return begin();
    http.cutAll();
    void endProcess(observe, AT_ONCE_MS);
  });
}

/** How long running reads of files may take to return after a second signal. */
const AT_ONCE_MS = 100;

/** How long a drain waits for running requests before it cuts their connections. */
const DRAIN_MS = 10_000;

interface StartSources {
  readonly dataDir: string;
  readonly snapshots: Snapshots;
  readonly redis: OpenRedis;
  readonly observe: Observe;
}

/** Waits a moment for a snapshot and for Redis. Reports which of them is missing, and whether there are too few threads. */
async function awaitSources({ dataDir, snapshots, redis, observe }: StartSources): Promise<void> {
  const [hasSnapshot, hasRedis] = await Promise.all([loadedInTime(snapshots), answersInTime(redis)]);
  const lacksSnapshot = !hasSnapshot && (await namesNoSnapshot(dataDir));
  if (!isFirstProcess()) return;
  const advice = threadsAdvice();
  if (advice !== null) observe({ event: 'few threads', advice });
  if (lacksSnapshot) observe({ event: 'no snapshot', dataDir });
  if (!hasRedis) observe({ event: 'redis awaited' });
}

/**
 * Whether a snapshot is loaded within `WAIT_MS`, or by the end of the first poll of the data directory, if that ends later.
 */
function loadedInTime(snapshots: Snapshots): Promise<boolean> {
  const loaded = snapshots.loaded.then(() => true);
  const late = sleep(WAIT_MS).then(() => snapshots.firstPoll);
  return Promise.race([loaded, late.then(() => false)]);
}

async function answersInTime(redis: OpenRedis): Promise<boolean> {
  try {
    await redis.untilAnswered(WAIT_MS);
    return true;
  } catch (error) {
    if (error instanceof RedisAway) return false;
    throw error;
  }
}

/** How long the start waits for a missing snapshot and for Redis. */
const WAIT_MS = 2000;

/** Whether this process reports what is missing. All processes would report the same, so only the first one does. */
const isFirstProcess = (): boolean => cluster.isPrimary || cluster.worker?.id === 1;

/**
 * Whether there is no link to a current snapshot. False for a refused snapshot and for an unreadable link, because both are
 * reported elsewhere.
 */
const namesNoSnapshot = (dataDir: string): Promise<boolean> =>
  currentId(dataDir).then(
    (id) => id === null,
    () => false,
  );
