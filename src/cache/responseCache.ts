// Caches rendered bodies, plain and gzipped. The key names everything that a body depends on.
//
// A request takes the first of these:
// 1. the cached body in the encoding that it is sent in;
// 2. the compression of the body that another request waits for;
// 3. the cached plain body, which it compresses;
// 4. the draft of the body that a prefetch has begun, which it finishes;
// 5. a new rendering.
//
// A plain body in a pooled buffer is cached when a second request or prefetch has asked for a rendering of it. Most pages
// are requested only once, so copying them out of their buffers would be wasted.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type BufferLease, unpooledLease } from './bufferPool.ts';
import { type ContentEncoding, compress, shouldCompress } from './compression.ts';
import { createLruCache, type LruCache, NO_READS, type ReadCounts } from './lruCache.ts';
import { type Draft, finishedDraft, type Render, type Rendering } from './rendering.ts';

/** A body as it is sent. */
export interface Body {
  /** `identity` also for a client that accepts gzip, if the body is too small to gain from compression. */
  readonly encoding: ContentEncoding;
  readonly bytes: Buffer;
  /** Must be called when `bytes` is no longer read. */
  release(): void;
  readonly nextCursor: string | null;
  /** The value of the header `X-Meta`; null for an answer without it. */
  readonly metaHeader: string | null;
}

/** A body that had to be rendered is a miss. Prefetches are not counted. */
export interface ResponseCache extends ReadCounts {
  /**
   * The body of a key. It comes from the cache, from a draft that a prefetch has begun, or from `render`.
   *
   * Each concurrent caller calls `render`, because each may give up separately, and counts as a miss. The first rendering
   * that settles is written for all of them. `render` should share its expensive work between callers by a single flight.
   *
   * @throws what `render` throws. A failure is not cached.
   */
  getOrRender(key: string, encoding: ContentEncoding, render: Render): Promise<Body>;
  /**
   * Renders and caches a body that will probably be requested. It writes in steps, between which requests are served.
   */
  prefetch(key: string, encoding: ContentEncoding, render: Render): Promise<void>;
  readonly bytes: number;
}

/** A cache whose plain and gzipped bodies together take `capacityBytes` at most. */
export const createResponseCache = (capacityBytes: number): ResponseCache =>
  new LruResponseCache(createLruCache(capacityBytes));

/** The stand-in that does nothing: every request renders and compresses its body. */
export const noResponseCache = (): ResponseCache => ({
  bytes: 0,
  ...NO_READS,
  async getOrRender(_key, encoding, render) {
    const { startDraft, nextCursor, metaHeader = null } = await render();
    const { bytes, release } = startDraft().finish();
    const texts = { nextCursor, metaHeader };
    if (!shouldCompress(bytes, encoding)) return bodyOf(texts, 'identity', bytes, release);
    const gzipped = await compress(bytes);
    release();
    return bodyOf(texts, 'gzip', gzipped);
  },
  async prefetch() {},
});

/** What the cache knows of one answer. */
interface Entry {
  readonly key: string;
  plain: Plain;
  gzipped: Gzipped;
  /** How many requests and prefetches have called `render`. */
  renderings: number;
  /** The cursor of the next page; null on the last page, and until the body is rendered. */
  nextCursor: string | null;
  /** The value of the header `X-Meta`; null without it, and until the body is rendered. */
  metaHeader: string | null;
}

type Plain =
  | { readonly state: 'missing' }
  /** A prefetch has begun to write the body. The first caller finishes it. */
  | { readonly state: 'drafted'; readonly draft: Draft }
  | { readonly state: 'cached'; readonly bytes: Buffer };

type Gzipped =
  | { readonly state: 'missing' }
  /** Concurrent callers wait for the same compression. */
  | { readonly state: 'compressing'; readonly bytes: Promise<Buffer> }
  | { readonly state: 'cached'; readonly bytes: Buffer };

const MISSING = { state: 'missing' } as const;

class LruResponseCache implements ResponseCache {
  readonly #entries: LruCache<Entry>;
  #reads = 0;
  misses = 0;

  constructor(entries: LruCache<Entry>) {
    this.#entries = entries;
  }

  get bytes() {
    return this.#entries.bytes;
  }

  get hits() {
    return this.#reads - this.misses;
  }

  async getOrRender(key: string, encoding: ContentEncoding, render: Render): Promise<Body> {
    this.#reads += 1;
    const entry = this.#entries.get(key) ?? newEntry(key);
    const { plain, gzipped } = entry;
    if (encoding === 'gzip' && gzipped.state === 'cached') return bodyOf(entry, 'gzip', gzipped.bytes);
    if (encoding === 'gzip' && gzipped.state === 'compressing')
      return bodyOf(entry, 'gzip', await gzipped.bytes);
    if (plain.state === 'cached' && !shouldCompress(plain.bytes, encoding))
      return bodyOf(entry, 'identity', plain.bytes);
    const taken = this.#take(entry);
    if (taken === null) this.misses += 1;
    const body = taken ?? (await this.#rendered(entry, render));
    return shouldCompress(body.bytes, encoding)
      ? bodyOf(entry, 'gzip', await this.#gzipped(entry, body))
      : bodyOf(entry, 'identity', body.bytes, body.release);
  }

  async prefetch(key: string, encoding: ContentEncoding, render: Render): Promise<void> {
    const entry = this.#entries.get(key) ?? newEntry(key);
    const { plain, gzipped } = entry;
    if (encoding === 'gzip' && gzipped.state === 'cached') return;
    if (plain.state === 'cached' && !shouldCompress(plain.bytes, encoding)) return;
    const body = this.#take(entry) ?? (await this.#drafted(entry, render));
    if (body === null) return;
    if (shouldCompress(body.bytes, encoding)) await this.#gzipped(entry, body);
    else if (entry.plain.state !== 'cached') {
      // The body waits for its first request in the buffer that it was written to.
      entry.plain = { state: 'drafted', draft: finishedDraft(body) };
      this.#store(entry);
    }
  }

  /** The plain body if it is cached or drafted, otherwise null. A draft is finished first. */
  #take(entry: Entry): BufferLease | null {
    const { plain } = entry;
    if (plain.state === 'cached') return unpooledLease(plain.bytes);
    if (plain.state === 'missing') return null;
    entry.plain = MISSING;
    this.#store(entry);
    return this.#cachedIfUseful(entry, plain.draft.finish());
  }

  async #rendered(entry: Entry, render: Render): Promise<BufferLease> {
    const rendering = await this.#rendering(entry, render);
    return this.#take(entry) ?? this.#cachedIfUseful(entry, begin(entry, rendering).finish());
  }

  /** Writes the body over many turns of the event loop. Null when a caller has finished it in the meantime. */
  async #drafted(entry: Entry, render: Render): Promise<BufferLease | null> {
    const rendering = await this.#rendering(entry, render);
    if (entry.plain.state !== 'missing') return null;
    const draft = begin(entry, rendering);
    const drafted: Plain = { state: 'drafted', draft };
    entry.plain = drafted;
    try {
      while (!draft.writeSome()) {
        await nextTurn();
        if (entry.plain !== drafted) return null;
      }
    } finally {
      // A draft that failed may have ended in the middle of a row. It is discarded, and the next request starts over.
      if (entry.plain === drafted) entry.plain = MISSING;
    }
    const body = draft.finish();
    // A small body is copied, because it would occupy a whole buffer until it is requested.
    return body.bytes.length < MIN_DRAFTED_BYTES
      ? this.#cached(entry, body)
      : this.#cachedIfUseful(entry, body);
  }

  #rendering(entry: Entry, render: Render): Promise<Rendering> {
    entry.renderings += 1;
    // The entry is stored before the body is rendered, so that concurrent callers share it.
    this.#store(entry);
    return render();
  }

  #cachedIfUseful(entry: Entry, body: BufferLease): BufferLease {
    return body.isPooled && entry.renderings <= 1 ? body : this.#cached(entry, body);
  }

  /** Caches a finished plain body. A body in a pooled buffer is copied. */
  #cached(entry: Entry, body: BufferLease): BufferLease {
    const bytes = body.detach();
    entry.plain = { state: 'cached', bytes };
    this.#store(entry);
    return unpooledLease(bytes);
  }

  /** The gzipped body, compressed from `plain` once for all concurrent callers. Releases `plain`. */
  async #gzipped(entry: Entry, plain: BufferLease): Promise<Buffer> {
    if (entry.gzipped.state === 'missing')
      entry.gzipped = { state: 'compressing', bytes: this.#compress(entry, plain.bytes) };
    const bytes = await entry.gzipped.bytes;
    plain.release();
    return bytes;
  }

  async #compress(entry: Entry, plain: Buffer): Promise<Buffer> {
    try {
      const bytes = await compress(plain);
      entry.gzipped = { state: 'cached', bytes };
      this.#store(entry);
      return bytes;
    } catch (cause) {
      entry.gzipped = MISSING;
      throw cause;
    }
  }

  /** Stores an entry. It must be called again whenever the memory of the entry has changed. */
  #store(entry: Entry): void {
    this.#entries.set(entry.key, entry, bytesOf(entry));
  }
}

/** A smaller prefetched body is copied out of its buffer. A larger one waits in its buffer. */
const MIN_DRAFTED_BYTES = 2 ** 16;

const newEntry = (key: string): Entry => ({
  key,
  plain: MISSING,
  gzipped: MISSING,
  renderings: 0,
  nextCursor: null,
  metaHeader: null,
});

/** Begins to write the body of an entry. */
function begin(entry: Entry, rendering: Rendering): Draft {
  entry.nextCursor = rendering.nextCursor;
  entry.metaHeader = rendering.metaHeader ?? null;
  return rendering.startDraft();
}

/** The memory of an entry besides its bodies and its key. */
const ENTRY_BYTES = 1024;

function bytesOf({ key, plain, gzipped, nextCursor, metaHeader }: Entry): number {
  const gzippedBytes = gzipped.state === 'cached' ? gzipped.bytes.length : 0;
  const characters = key.length + (nextCursor?.length ?? 0) + (metaHeader?.length ?? 0);
  return ENTRY_BYTES + 2 * characters + plainBytesOf(plain) + gzippedBytes;
}

function plainBytesOf(plain: Plain): number {
  if (plain.state === 'cached') return plain.bytes.length;
  // The whole buffer counts, because nobody else can use the part that is still empty.
  return plain.state === 'drafted' ? plain.draft.bufferBytes : 0;
}

const bodyOf = (
  { nextCursor, metaHeader }: Pick<Body, 'nextCursor' | 'metaHeader'>,
  encoding: ContentEncoding,
  bytes: Buffer,
  release = () => {},
): Body => ({ encoding, bytes, release, nextCursor, metaHeader });
