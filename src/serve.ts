// Builds the server of one process: Redis, snapshots, app. Listens, warms it up, and drains it on a signal.

import cluster from 'node:cluster';
import { openSync } from 'node:fs';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createGate } from './access/gate/gate.ts';
import { hashKey } from './access/keys/keys.ts';
import { keyUsage } from './access/keys/usage.ts';
import { type OpenRedis, openRedis, RedisAway } from './access/redis/connection.ts';
import { watchRedis } from './access/redis/watch.ts';
import { CACHES } from './cache/caches.ts';
import { type MeasuredCaches, measuredCaches } from './cache/measuredCaches.ts';
import { currentId } from './catalog/dataDirectory.ts';
import { MANIFESTS_CAPACITY_BYTES } from './catalog/manifestCache.ts';
import { followSnapshots, type Snapshots } from './catalog/snapshots.ts';
import type { Config } from './config.ts';
import type { ReadUsage } from './http/api/usage.ts';
import { createApp, createEndpoints } from './http/app.ts';
import { ADDRESSES_CAPACITY_BYTES } from './http/middleware/addressWindows.ts';
import { createGuard, type Guard } from './http/middleware/authenticate.ts';
import { createExplorer } from './http/pages/explorer.ts';
import { createPages } from './http/pages/pages.ts';
import { createServer, type HttpServer } from './http/server/server.ts';
import { logTo, openLog } from './log/log.ts';
import type { createMetrics } from './metrics/metrics.ts';
import { stateOf } from './metrics/state.ts';
import type { Observe } from './observations.ts';
import { compileLater } from './process/compileTimes.ts';
import { endProcess } from './process/endProcess.ts';
import { listen } from './process/listen.ts';
import { END, onSignal } from './process/processes.ts';
import { threadsAdvice } from './process/threads.ts';
import { jobRunner } from './query/jobRunner.ts';
import { ROW_TEXTS_CAPACITY_BYTES, rowTextsBytes } from './query/rowTexts.ts';
import { createSelector, SELECTOR_DEFAULTS } from './query/select.ts';
import { followStore, type StoreFollower } from './store/followStore.ts';
import { openStore } from './store/objectStore.ts';
import { WARM_UP_REQUESTS, type WarmUpOptions, warmUp } from './warmUp/warmUp.ts';

/** Returns the Redis client of the server once it listens. */
export async function serve(
  config: Config,
  observe: Observe,
  metrics: ReturnType<typeof createMetrics> | null,
): Promise<OpenRedis> {
  const { dataDir } = config;
  const redis = openRedis({ address: config.redis, dataDir, observe });
  const maxBytes = Math.floor(config.snapshotMemoryBytes / config.processes);
  const store = storeOf(config, observe);
  const snapshots = followSnapshots({
    dataDir,
    maxBytes,
    connections: SELECTOR_DEFAULTS.running,
    observe,
    ...(store && { source: store }),
  });
  const guard = createGuard(createGate(redis.client, config.rateLimits, observe), observe);
  const pages = [
    createExplorer(EXPLORER_DIRECTORY),
    createPages({ redis: redis.client, observe, settings: config }),
  ];
  const measured = measuredMemory(guard, snapshots);
  // Without metrics nobody reads the measurements.
  const caches = metrics === null ? CACHES : measured.caches;
  const watch = watchRedis(redis.client, observe);
  let isWarm = false;
  const readiness = {
    isRedisUp: watch.isUp,
    isWarm: () => isWarm,
    ...(store && { isStoreUp: store.isUp }),
  };
  metrics?.addState(stateOf({ caches: measured, snapshots, readiness, snapshotMemoryBytes: maxBytes }));
  const selector = createSelector(SELECTOR_DEFAULTS, caches, observe);
  const readUsage: ReadUsage = (key, nowMs) => keyUsage(redis.client, hashKey(key), nowMs);
  const runJob = jobRunner(new URL('./query/jobThreadMain.js', import.meta.url));
  const endpointDeps = { snapshots, selector, observe, caches, runJob, settings: config, readUsage };
  const endpoints = createEndpoints(endpointDeps);
  const appDeps = { ...endpointDeps, endpoints, guard, pages, readiness };
  const app = createApp(appDeps);
  const http = createServer(app, observe, guard);
  endOnSignal(http, redis, observe);
  await awaitSources({ dataDir, snapshots, redis, observe });
  await listen(http.server, config);
  const warmUpOptions = { app: { ...appDeps, classesOf: app }, clients: http.server };
  void warmUpOnceLoaded({ ...warmUpOptions, ...warmUpSources(redis, config) }).then(() => {
    isWarm = true;
  });
  return redis;
}

/** Warms the server up as soon as it has a snapshot. */
async function warmUpOnceLoaded(options: Omit<WarmUpOptions, 'requests'>): Promise<void> {
  await options.app.snapshots.loaded;
  const answered = await warmUp({ ...options, requests: WARM_UP_REQUESTS });
  if (answered === WARM_UP_REQUESTS) compileLater();
}

/** Measures the caches, and the other bounded memory of a server. */
function measuredMemory(guard: Guard, snapshots: Snapshots): MeasuredCaches {
  const measured = measuredCaches(CACHES);
  measured.add({ name: 'addresses', capacityBytes: ADDRESSES_CAPACITY_BYTES, bytes: guard.addressesBytes });
  measured.add({
    name: 'manifests',
    capacityBytes: MANIFESTS_CAPACITY_BYTES,
    bytes: snapshots.manifestsBytes,
  });
  measured.add({ name: 'row texts', capacityBytes: ROW_TEXTS_CAPACITY_BYTES, bytes: rowTextsBytes });
  return measured;
}

/** The warm-up has a gate and a log like those of clients, but it is not counted in metrics, and nobody reads its log. */
function warmUpSources(redis: OpenRedis, config: Config) {
  return {
    gate: createGate(redis.client, config.rateLimits),
    observe: logTo(openLog(config.logLevel, openSync(os.devNull, 'w')), config),
    deadlineMs: config.warmUpSeconds * 1000,
  };
}

/** Follows SNAPSHOT_STORE; null without one. */
function storeOf({ dataDir, snapshotStore, snapshotPollMs }: Config, observe: Observe): StoreFollower | null {
  if (snapshotStore === null) return null;
  const store = openStore(snapshotStore, process.env, { answerMs: STORE_ANSWER_MS });
  return followStore({ dataDir, store, observe, pollMs: snapshotPollMs });
}

/** How long a server waits for the store before it counts as away. */
const STORE_ANSWER_MS = 10_000;

/** Where the build writes the explorer, seen from dist/src. */
const EXPLORER_DIRECTORY = fileURLToPath(new URL('../explorer/', import.meta.url));

/** The first signal drains the server, a second one ends it at once. */
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
  if (cluster.isWorker) process.on('message', (message) => message === END && begin());
  onSignal(() => {
    if (!isEnding) return begin();
    http.cutAll();
    void endProcess(observe, AT_ONCE_MS);
  });
}

/** After a second signal, how long reads of files may still take to return. */
const AT_ONCE_MS = 100;

/** How long a drain waits for running requests. */
const DRAIN_MS = 10_000;

interface Sources {
  readonly dataDir: string;
  readonly snapshots: Snapshots;
  readonly redis: OpenRedis;
  readonly observe: Observe;
}

/** Waits a moment for a snapshot and for Redis, and reports what is missing. */
async function awaitSources({ dataDir, snapshots, redis, observe }: Sources): Promise<void> {
  const [hasSnapshot, hasRedis] = await Promise.all([loadedInTime(snapshots), answersInTime(redis)]);
  const lacksSnapshot = !hasSnapshot && (await namesNoSnapshot(dataDir));
  if (!isFirstProcess()) return;
  const advice = threadsAdvice();
  if (advice !== null) observe({ event: 'few threads', advice });
  if (lacksSnapshot) observe({ event: 'no snapshot', dataDir });
  if (!hasRedis) observe({ event: 'redis awaited' });
}

/** Whether a snapshot is loaded. While one is being loaded this waits, however long that takes. */
function loadedInTime(snapshots: Snapshots): Promise<boolean> {
  const inTime = snapshots.loaded.then(() => true);
  const late = sleep(WAIT_MS).then(() => snapshots.firstLook);
  return Promise.race([inTime, late.then(() => false)]);
}

async function answersInTime(redis: OpenRedis): Promise<boolean> {
  try {
    await redis.answers(WAIT_MS);
    return true;
  } catch (error) {
    if (error instanceof RedisAway) return false;
    throw error;
  }
}

/** How long the start waits for a missing snapshot and for Redis. */
const WAIT_MS = 2000;

/** Only one of several processes reports what all of them find. */
const isFirstProcess = (): boolean => cluster.isPrimary || cluster.worker?.id === 1;

/**
 * Whether no snapshot is current. A refused snapshot and a link that cannot be read do not count: they are reported where
 * they are read.
 */
const namesNoSnapshot = (dataDir: string): Promise<boolean> =>
  currentId(dataDir).then(
    (id) => id === null,
    () => false,
  );
