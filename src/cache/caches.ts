// Everything that makes the road fast, in one table, beside the twins that do nothing: answers must not differ.

import { createBufferPool, noBufferPool } from './bufferPool.ts';
import { createLruCache, noLruCache } from './lruCache.ts';
import { createPrefetch, noPrefetch } from './prefetch.ts';
import { createResponseCache, noResponseCache } from './responseCache.ts';
import { createSemaphore, noSemaphore } from './semaphore.ts';
import { createSingleFlight, noSingleFlight } from './singleFlight.ts';

/** How each part is made. */
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

/** The same road without them: slower, with the same answers. */
export const NO_CACHES: Caches = {
  lruCache: noLruCache,
  singleFlight: noSingleFlight,
  semaphore: noSemaphore,
  responseCache: noResponseCache,
  prefetch: noPrefetch,
  bufferPool: noBufferPool,
};
