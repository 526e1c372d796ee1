// Everything that makes requests fast, in one table, and a second table of do-nothing twins with the same answers.

import { createBufferPool, noBufferPool } from './bufferPool.ts';
import { createLruCache, noLruCache } from './lruCache.ts';
import { createPrefetch, noPrefetch } from './prefetch.ts';
import { createResponseCache, noResponseCache } from './responseCache.ts';
import { createSemaphore, noSemaphore } from './semaphore.ts';
import { createSingleFlight, noSingleFlight } from './singleFlight.ts';

/** The constructor of each part. */
export interface Caches {
  readonly lruCache: typeof createLruCache;
  readonly singleFlight: typeof createSingleFlight;
  readonly semaphore: typeof createSemaphore;
  readonly responseCache: typeof createResponseCache;
  readonly prefetch: typeof createPrefetch;
  readonly bufferPool: typeof createBufferPool;
}

export const CACHES: Caches = {
  lruCache: createLruCache,
  singleFlight: createSingleFlight,
  semaphore: createSemaphore,
  responseCache: createResponseCache,
  prefetch: createPrefetch,
  bufferPool: createBufferPool,
};

/** The do-nothing twins: requests are slower, and their answers the same. */
export const NO_CACHES: Caches = {
  lruCache: noLruCache,
  singleFlight: noSingleFlight,
  semaphore: noSemaphore,
  responseCache: noResponseCache,
  prefetch: noPrefetch,
  bufferPool: noBufferPool,
};
