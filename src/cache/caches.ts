// The table of the caches and limits that make requests fast, and of their stand-ins, which give the same answers.

import { type BufferPool, createBufferPool, noBufferPool } from './bufferPool.ts';
import { createLruCache, type LruCache, noLruCache } from './lruCache.ts';
import { createPrefetch, noPrefetch } from './prefetch.ts';
import { createRecentTexts, noRecentTexts } from './recentTexts.ts';
import { createResponseCache, noResponseCache, type ResponseCache } from './responseCache.ts';
import { createSemaphore, noSemaphore, type Semaphore, type SemaphoreOptions } from './semaphore.ts';
import { createSingleFlight, noSingleFlight } from './singleFlight.ts';

/** The constructors. `name` says what is cached. `measuredCaches.ts` reports figures under this name. */
export interface Caches {
  readonly lruCache: <Value>(capacityBytes: number, name: string) => LruCache<Value>;
  readonly singleFlight: typeof createSingleFlight;
  readonly semaphore: (options: SemaphoreOptions, name: string) => Semaphore;
  readonly responseCache: (capacityBytes: number, name: string) => ResponseCache;
  readonly prefetch: typeof createPrefetch;
  readonly recentTexts: typeof createRecentTexts;
  /** @param bufferBytes the size of a new buffer. */
  readonly bufferPool: (name: string, bufferBytes?: number) => BufferPool;
}

/** The caches and limits of the server. */
export const CACHES: Caches = {
  lruCache: createLruCache,
  singleFlight: createSingleFlight,
  semaphore: createSemaphore,
  responseCache: createResponseCache,
  prefetch: createPrefetch,
  recentTexts: createRecentTexts,
  bufferPool: (_name, bufferBytes) => createBufferPool(bufferBytes),
};

/** The stand-ins, which do nothing. With them requests are slower, but have the same answers. */
export const NO_CACHES: Caches = {
  lruCache: noLruCache,
  singleFlight: noSingleFlight,
  semaphore: noSemaphore,
  responseCache: noResponseCache,
  prefetch: noPrefetch,
  recentTexts: noRecentTexts,
  bufferPool: (_name, bufferBytes) => noBufferPool(bufferBytes),
};
