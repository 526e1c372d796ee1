// Reads the states that metrics show besides counts: caches, queues, the served snapshot, readiness.

import type { MeasuredCaches } from '../cache/measuredCaches.ts';
import type { Snapshots } from '../catalog/snapshots.ts';
import { ageSeconds, isReady, type Readiness } from '../http/probes.ts';
import type { ReadState } from './metrics.ts';

/** The parts of the server whose state the metrics show. */
export interface StateSources {
  readonly caches: MeasuredCaches;
  readonly snapshots: Snapshots;
  readonly readiness: Readiness;
  readonly snapshotMemoryBytes: number;
}

/** Reads the states into gauges. Hits and misses of caches become counters, so each scrape adds what is new. */
export function stateReader({ caches, snapshots, readiness, snapshotMemoryBytes }: StateSources): ReadState {
  const lastAccesses = new Map<string, { hits: number; misses: number }>();
  return async (tallies) => {
    for (const [name, { bytes, capacityBytes, hits, misses }] of caches.cacheFigures()) {
      const before = lastAccesses.get(name) ?? { hits: 0, misses: 0 };
      tallies.set('data_api_cache_bytes', [name], bytes);
      tallies.set('data_api_cache_capacity_bytes', [name], capacityBytes);
      tallies.add('data_api_cache_requests_total', [name, 'hit'], hits - before.hits);
      tallies.add('data_api_cache_requests_total', [name, 'miss'], misses - before.misses);
      lastAccesses.set(name, { hits, misses });
    }
    for (const [name, { running, waiting }] of caches.queueFigures()) {
      tallies.set('data_api_queue_running', [name], running);
      tallies.set('data_api_queue_waiting', [name], waiting);
    }
    const id = snapshots.currentWithoutLease()?.manifest.id ?? null;
    const publishedAt = await snapshots.currentPublishedAt();
    for (const gauge of ['data_api_snapshot_info', 'data_api_snapshot_age_seconds'] as const)
      tallies.clear(gauge);
    if (id !== null) tallies.set('data_api_snapshot_info', [id], 1);
    if (publishedAt !== null) tallies.set('data_api_snapshot_age_seconds', [], ageSeconds(publishedAt));
    tallies.set('data_api_snapshot_up_to_date', [], snapshots.isUpToDate() ? 1 : 0);
    tallies.set('data_api_snapshot_memory_bytes', [], snapshots.openBytes());
    tallies.set('data_api_snapshot_memory_capacity_bytes', [], snapshotMemoryBytes);
    tallies.set('data_api_redis_up', [], readiness.isRedisUp() ? 1 : 0);
    if (readiness.isStoreUp) tallies.set('data_api_store_up', [], readiness.isStoreUp() ? 1 : 0);
    tallies.set('data_api_ready', [], isReady(snapshots, readiness) ? 1 : 0);
  };
}
