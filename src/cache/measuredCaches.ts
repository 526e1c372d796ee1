// Measures caches for metrics: their memory, their hits and misses, and the length of queues.

import { POOL_CAPACITY_BYTES } from './bufferPool.ts';
import type { Caches } from './caches.ts';
import { NO_READS, type ReadCounts } from './lruCache.ts';

export interface CacheFigures extends ReadCounts {
  readonly bytes: number;
  readonly capacityBytes: number;
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

export type MeasuredCaches = ReturnType<typeof measuredCaches>;

/** Wraps the constructors of `plain`, so that each cache and queue that they make is registered. */
export function measuredCaches(plain: Caches) {
  const measured: { readonly name: string; figures(): CacheFigures }[] = [];
  const queues: { readonly name: string; figures(): QueueFigures }[] = [];

  function measure<Cache extends ReadCounts & { readonly bytes: number }>(
    cache: Cache,
    name: string,
    capacityBytes: number,
  ): Cache {
    const figures = () => ({ bytes: cache.bytes, capacityBytes, hits: cache.hits, misses: cache.misses });
    measured.push({ name, figures });
    return cache;
  }

  /** Registers bounded memory that was not made by `caches`. Its reads are not counted. */
  function add({ name, capacityBytes, bytes }: BoundedMemory): void {
    measured.push({ name, figures: () => ({ bytes: bytes(), capacityBytes, ...NO_READS }) });
  }

  const caches: Caches = {
    ...plain,
    lruCache: <Value>(capacityBytes: number, name: string) =>
      measure(plain.lruCache<Value>(capacityBytes, name), name, capacityBytes),
    responseCache: (capacityBytes, name) =>
      measure(plain.responseCache(capacityBytes, name), name, capacityBytes),
    bufferPool(name, bufferBytes) {
      const pool = plain.bufferPool(name, bufferBytes);
      add({
        name: `${name} buffers`,
        capacityBytes: POOL_CAPACITY_BYTES,
        bytes: () => pool.idleBytes,
      });
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
    /** The constructors. Everything that they make is measured. */
    caches,
    add,
    /** The figures by name. Those of caches with the same name are added up. */
    cacheFigures: () => byName(measured),
    queueFigures: () => byName(queues),
  };
}

function byName<Figures extends object>(
  measuredParts: readonly { readonly name: string; figures(): Figures }[],
): ReadonlyMap<string, Figures> {
  const sums = new Map<string, Figures>();
  for (const { name, figures } of measuredParts) {
    const known = sums.get(name);
    sums.set(name, known === undefined ? figures() : sumOf(known, figures()));
  }
  return sums;
}

const sumOf = <Figures extends object>(a: Figures, b: Figures): Figures =>
  Object.fromEntries(
    Object.entries(a).map(([name, value]) => [name, value + Number(b[name as keyof Figures])]),
  ) as Figures;
