// Caches that count their hits and report what they hold, for metrics.

import { POOL_CAPACITY_BYTES } from './bufferPool.ts';
import type { Caches } from './caches.ts';
import type { LruCache } from './lruCache.ts';
import type { ResponseCache } from './responseCache.ts';

export interface CacheFigures {
  readonly bytes: number;
  readonly capacityBytes: number;
  readonly hits: number;
  readonly misses: number;
}

export interface QueueFigures {
  readonly running: number;
  readonly waiting: number;
}

export interface BoundedMemory {
  readonly name: string;
  readonly capacityBytes: number;
  bytes(): number;
}

export interface MeasuredCaches {
  /** The constructors. Everything that they make is measured. */
  readonly caches: Caches;
  /** Adds bounded memory that was not made by `caches`. */
  add(memory: BoundedMemory): void;
  /** The figures by name. Those of caches with the same name are added up. */
  cacheFigures(): ReadonlyMap<string, CacheFigures>;
  queueFigures(): ReadonlyMap<string, QueueFigures>;
}

/** The accesses of a cache, which it counts itself. */
interface Accesses {
  hits: number;
  misses: number;
}

export function measuredCaches(plain: Caches): MeasuredCaches {
  const measured: { readonly name: string; figures(): CacheFigures }[] = [];
  const queues: { readonly name: string; figures(): QueueFigures }[] = [];

  /** Registers a cache, and returns its counter. */
  function count(name: string, capacityBytes: number, bytes: () => number): Accesses {
    const accesses: Accesses = { hits: 0, misses: 0 };
    measured.push({ name, figures: () => ({ ...accesses, bytes: bytes(), capacityBytes }) });
    return accesses;
  }

  const caches: Caches = {
    ...plain,
    lruCache<Value>(capacityBytes: number, name: string) {
      const cache = plain.lruCache<Value>(capacityBytes, name);
      return countingLruCache(
        cache,
        count(name, capacityBytes, () => cache.bytes),
      );
    },
    responseCache(capacityBytes, name) {
      const cache = plain.responseCache(capacityBytes, name);
      return countingResponseCache(
        cache,
        count(name, capacityBytes, () => cache.bytes),
      );
    },
    bufferPool(name, bufferBytes) {
      const pool = plain.bufferPool(name, bufferBytes);
      count(`${name} buffers`, POOL_CAPACITY_BYTES, () => pool.idleBytes);
      return pool;
    },
    semaphore(options, name) {
      const semaphore = plain.semaphore(options, name);
      queues.push({
        name,
        figures: () => ({ running: semaphore.running, waiting: semaphore.waiting }),
      });
      return semaphore;
    },
  };

  return {
    caches,
    add({ name, capacityBytes, bytes }) {
      count(name, capacityBytes, bytes);
    },
    cacheFigures: () => byName(measured),
    queueFigures: () => byName(queues),
  };
}

function countingLruCache<Value>(cache: LruCache<Value>, accesses: Accesses): LruCache<Value> {
  return {
    get(key) {
      const value = cache.get(key);
      if (value === undefined) accesses.misses += 1;
      else accesses.hits += 1;
      return value;
    },
    set: cache.set,
    get bytes() {
      return cache.bytes;
    },
  };
}

function countingResponseCache(cache: ResponseCache, accesses: Accesses): ResponseCache {
  return {
    async getOrRender(key, encoding, render) {
      let isRendered = false;
      const body = await cache.getOrRender(key, encoding, () => {
        isRendered = true;
        return render();
      });
      if (isRendered) accesses.misses += 1;
      else accesses.hits += 1;
      return body;
    },
    prefetch: cache.prefetch,
    get bytes() {
      return cache.bytes;
    },
  };
}

/** The figures by name. Those with the same name are added up. */
function byName<Figures extends object>(
  parts: readonly { readonly name: string; figures(): Figures }[],
): ReadonlyMap<string, Figures> {
  const sums = new Map<string, Figures>();
  for (const { name, figures } of parts) {
    const known = sums.get(name);
    sums.set(name, known === undefined ? figures() : added(known, figures()));
  }
  return sums;
}

const added = <Figures extends object>(a: Figures, b: Figures): Figures =>
  Object.fromEntries(
    Object.entries(a).map(([name, value]) => [name, value + Number(b[name as keyof Figures])]),
  ) as Figures;
