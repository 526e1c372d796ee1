// Caches rendered bodies, plain and gzipped. The key names everything that a body depends on.

import type { BufferLease } from './bufferPool.ts';
import { compress, type Encoding, isCompressed } from './compression.ts';
import { type Accesses, NO_ACCESSES } from './lruCache.ts';
import { PlainBodies } from './plainBodies.ts';
import type { Render } from './rendering.ts';
import {
  createResponseEntries,
  MISSING,
  type ResponseEntries,
  type ResponseEntry,
} from './responseEntries.ts';

/** A body as it is sent. */
export interface Body {
  /** `identity` also for a client that accepts gzip, if the body is too small to gain from compression. */
  readonly encoding: Encoding;
  readonly bytes: Buffer;
  /** Must be called when `bytes` is no longer read. */
  release(): void;
  readonly nextCursor: string | null;
  /** The value of the header `X-Meta`; null for an answer without it. */
  readonly metaHeader: string | null;
}

/** A body that had to be rendered is a miss. Prefetches are not counted. */
export interface ResponseCache extends Accesses {
  /**
   * The body of a key. It comes from the cache, from a draft that a prefetch has begun, or from `render`.
   *
   * Each concurrent caller calls `render`, because each may give up separately, and counts as a miss. The first rendering
   * that settles is written for all of them. `render` should share its expensive work between callers by a single flight.
   *
   * @throws what `render` throws. A failure is not cached.
   */
  getOrRender(key: string, encoding: Encoding, render: Render): Promise<Body>;
  /**
   * Renders and caches a body that will probably be requested. It writes in steps, between which requests are served.
   */
  prefetch(key: string, encoding: Encoding, render: Render): Promise<void>;
  readonly bytes: number;
}

/** A cache whose plain and gzipped bodies together take `capacityBytes` at most. */
export function createResponseCache(capacityBytes: number): ResponseCache {
  const entries = createResponseEntries(capacityBytes);
  const plainBodies = new PlainBodies(entries);
  let [reads, misses] = [0, 0];
  return {
    get bytes() {
      return entries.bytes;
    },
    get hits() {
      return reads - misses;
    },
    get misses() {
      return misses;
    },
    async getOrRender(key, encoding, render) {
      reads += 1;
      const entry = entries.of(key);
      const { plain, gzipped } = entry;
      if (encoding === 'gzip' && gzipped.state === 'cached') return bodyOf('gzip', gzipped.bytes, entry);
      if (encoding === 'gzip' && gzipped.state === 'compressing')
        return bodyOf('gzip', await gzipped.bytes, entry);
      if (plain.state === 'cached' && !isCompressed(plain.bytes, encoding))
        return bodyOf('identity', plain.bytes, entry);
      const taken = plainBodies.take(key, entry);
      if (taken === null) misses += 1;
      const body = taken ?? (await plainBodies.render(key, entry, render));
      if (isCompressed(body.bytes, encoding))
        return bodyOf('gzip', await gzippedOf(entries, key, entry, body), entry);
      const { nextCursor, metaHeader } = entry;
      return { encoding: 'identity', bytes: body.bytes, release: body.release, nextCursor, metaHeader };
    },
    async prefetch(key, encoding, render) {
      const entry = entries.of(key);
      const { plain, gzipped } = entry;
      if (encoding === 'gzip' && gzipped.state === 'cached') return;
      if (plain.state === 'cached' && !isCompressed(plain.bytes, encoding)) return;
      const body = plainBodies.take(key, entry) ?? (await plainBodies.draft(key, entry, render));
      if (body === null) return;
      if (isCompressed(body.bytes, encoding)) await gzippedOf(entries, key, entry, body);
      else plainBodies.storePrefetched(key, entry, body);
    },
  };
}

/** The gzipped body of an entry, compressed from `plain` once for all concurrent callers. Releases `plain`. */
async function gzippedOf(
  entries: ResponseEntries,
  key: string,
  entry: ResponseEntry,
  plain: BufferLease,
): Promise<Buffer> {
  if (entry.gzipped.state === 'missing')
    entry.gzipped = { state: 'compressing', bytes: compressInto(entries, key, entry, plain.bytes) };
  const bytes = await entry.gzipped.bytes;
  plain.release();
  return bytes;
}

async function compressInto(
  entries: ResponseEntries,
  key: string,
  entry: ResponseEntry,
  plain: Buffer,
): Promise<Buffer> {
  try {
    const bytes = await compress(plain);
    entry.gzipped = { state: 'cached', bytes };
    entries.store(key, entry);
    return bytes;
  } catch (cause) {
    entry.gzipped = MISSING;
    throw cause;
  }
}

/** The stand-in that does nothing: every request renders and compresses its body. */
export const noResponseCache = (): ResponseCache => ({
  bytes: 0,
  ...NO_ACCESSES,
  async getOrRender(_key, encoding, render) {
    const { begin, nextCursor, metaHeader = null } = await render();
    const { bytes, release } = begin().finish();
    if (!isCompressed(bytes, encoding))
      return { encoding: 'identity', bytes, release, nextCursor, metaHeader };
    const gzipped = await compress(bytes);
    release();
    return { encoding: 'gzip', bytes: gzipped, release() {}, nextCursor, metaHeader };
  },
  async prefetch() {},
});

const bodyOf = (encoding: Encoding, bytes: Buffer, { nextCursor, metaHeader }: ResponseEntry): Body => ({
  encoding,
  bytes,
  release() {},
  nextCursor,
  metaHeader,
});
