// Caches rendered bodies, plain and gzipped. The key names everything that a body depends on.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type BufferLease, unpooled } from './bufferPool.ts';
import { createLruCache } from './lruCache.ts';

export type Encoding = 'identity' | 'gzip';

/** A body as it is sent. */
export interface Body {
  /** `identity` also for clients that accept gzip, when the body is too small to gain from it. */
  readonly encoding: Encoding;
  readonly bytes: Buffer;
  /** Must be called when `bytes` is no longer read. */
  release(): void;
  /** The query string of the next page, from `render`. */
  readonly followUp: string | null;
}

/** A body that is still being written. */
export interface Draft {
  /** The memory that it occupies until `finish`. */
  readonly bufferBytes: number;
  /** Writes for about a tenth of a millisecond; true when everything is written. */
  writeSome(): boolean;
  /** Writes the rest and ends the draft. Must be called at most once. */
  finish(): BufferLease;
}

/** The result of `render`: a body that is not written yet. */
export interface Rendering {
  /** Begins the body. Of several concurrent renderings, at most one is begun. */
  begin(): Draft;
  /** The query string of the next page; null on the last one. */
  readonly followUp: string | null;
}

export interface ResponseCache {
  /**
   * The body of a key: cached, begun by a prefetch, or rendered now.
   *
   * Concurrent callers each call `render`, because each may give up separately; the expensive part of `render` belongs in
   * a single flight. The first rendering that settles is written for all.
   *
   * @throws what `render` throws. A failure is not cached.
   */
  getOrRender(key: string, encoding: Encoding, render: () => Promise<Rendering>): Promise<Body>;
  /** Renders a body that will probably be requested, in steps, and caches it. */
  prefetch(key: string, encoding: Encoding, render: () => Promise<Rendering>): Promise<void>;
  /** The memory of all entries. */
  readonly bytes: number;
}

/** A draft of a complete body. */
export const finishedDraft = (body: BufferLease): Draft => ({
  bufferBytes: body.bytes.buffer.byteLength,
  writeSome: () => true,
  finish: () => body,
});

/**
 * The plain body and its gzipped form have separate states.
 *
 * A plain body in a pooled buffer is cached only at the second request for its key: most pages are requested once, and
 * copying them out of the buffer would be wasted.
 */
interface Entry {
  plain: Plain;
  gzipped: Gzipped;
  followUp: string | null;
}

type Plain =
  | { readonly state: 'missing' }
  /** A prefetch is writing it. The first caller finishes it. */
  | { readonly state: 'drafted'; readonly draft: Draft }
  | { readonly state: 'cached'; readonly bytes: Buffer };

type Gzipped =
  | { readonly state: 'missing' }
  /** Concurrent callers wait for the same compression. */
  | { readonly state: 'compressing'; readonly bytes: Promise<Buffer> }
  | { readonly state: 'cached'; readonly bytes: Buffer };

const MISSING = { state: 'missing' } as const;

export function createResponseCache(capacityBytes: number): ResponseCache {
  const entries = createLruCache<Entry>(capacityBytes);

  const entryOf = (key: string): Entry =>
    entries.get(key) ?? { plain: MISSING, gzipped: MISSING, followUp: null };
  const store = (key: string, entry: Entry) => entries.set(key, entry, entryBytes(key, entry));

  /** Renders the plain body; the caller releases it. */
  async function renderPlain(
    key: string,
    entry: Entry,
    render: () => Promise<Rendering>,
  ): Promise<BufferLease> {
    const isRepeated = entries.get(key) !== undefined;
    // Stored before it is rendered, so that concurrent callers share the entry.
    store(key, entry);
    const { begin, followUp } = await render();
    const made = takePlain(key, entry);
    if (made !== null) return made;
    entry.followUp = followUp;
    return cacheFinished(key, entry, begin().finish(), isRepeated);
  }

  /** Caches a finished body unless it is in a pooled buffer and requested for the first time; the caller releases the result. */
  function cacheFinished(key: string, entry: Entry, body: BufferLease, isRepeated: boolean): BufferLease {
    if (body.isPooled && !isRepeated) return body;
    const bytes = body.detach();
    entry.plain = { state: 'cached', bytes };
    store(key, entry);
    return unpooled(bytes);
  }

  /** The plain body if it is cached or drafted; the caller releases it. */
  function takePlain(key: string, entry: Entry): BufferLease | null {
    const { plain } = entry;
    if (plain.state === 'cached') return unpooled(plain.bytes);
    if (plain.state === 'missing') return null;
    entry.plain = MISSING;
    store(key, entry);
    return cacheFinished(key, entry, plain.draft.finish(), false);
  }

  /** Writes the plain body over many turns of the event loop. Null when a caller has finished it in the meantime. */
  async function draftPlain(
    key: string,
    entry: Entry,
    render: () => Promise<Rendering>,
  ): Promise<BufferLease | null> {
    const isRepeated = entries.get(key) !== undefined;
    store(key, entry);
    const { begin, followUp } = await render();
    if (entry.plain.state !== 'missing') return null;
    entry.followUp = followUp;
    const draft = begin();
    const drafted: Plain = { state: 'drafted', draft };
    entry.plain = drafted;
    try {
      while (!draft.writeSome()) {
        await nextTurn();
        if (entry.plain !== drafted) return null;
      }
    } finally {
      // A draft that failed in the middle of a row is discarded, and the next request starts over.
      if (entry.plain === drafted) entry.plain = MISSING;
    }
    const body = draft.finish();
    // A small page would block a whole buffer until it is requested.
    return cacheFinished(key, entry, body, isRepeated || body.bytes.length < MIN_DRAFTED_BYTES);
  }

  async function compress(key: string, entry: Entry, plain: BufferLease): Promise<Buffer> {
    if (entry.gzipped.state !== 'compressing') {
      entry.gzipped = { state: 'compressing', bytes: compressed(key, entry, plain.bytes) };
    }
    const bytes = await entry.gzipped.bytes;
    plain.release();
    return bytes;
  }

  async function compressed(key: string, entry: Entry, plain: Buffer): Promise<Buffer> {
    try {
      const bytes = await gzipAsync(plain, { level: GZIP_LEVEL });
      entry.gzipped = { state: 'cached', bytes };
      store(key, entry);
      return bytes;
    } catch (cause) {
      entry.gzipped = MISSING;
      throw cause;
    }
  }

  return {
    get bytes() {
      return entries.bytes;
    },
    async getOrRender(key, encoding, render) {
      const entry = entryOf(key);
      const { plain, gzipped } = entry;
      if (encoding === 'gzip' && gzipped.state === 'cached') return bodyOf('gzip', gzipped.bytes, entry);
      if (encoding === 'gzip' && gzipped.state === 'compressing')
        return bodyOf('gzip', await gzipped.bytes, entry);
      if (plain.state === 'cached' && !isCompressed(plain.bytes, encoding))
        return bodyOf('identity', plain.bytes, entry);
      const body = takePlain(key, entry) ?? (await renderPlain(key, entry, render));
      if (isCompressed(body.bytes, encoding)) return bodyOf('gzip', await compress(key, entry, body), entry);
      return { encoding: 'identity', bytes: body.bytes, release: body.release, followUp: entry.followUp };
    },
    async prefetch(key, encoding, render) {
      const entry = entryOf(key);
      const { plain, gzipped } = entry;
      if (encoding === 'gzip' && gzipped.state === 'cached') return;
      if (plain.state === 'cached' && !isCompressed(plain.bytes, encoding)) return;
      const body = takePlain(key, entry) ?? (await draftPlain(key, entry, render));
      if (body === null) return;
      if (isCompressed(body.bytes, encoding)) await compress(key, entry, body);
      else if (entry.plain.state !== 'cached') {
        entry.plain = { state: 'drafted', draft: finishedDraft(body) };
        store(key, entry);
      }
    },
  };
}

/** Caches nothing: every request renders and compresses its body. */
export const noResponseCache = (): ResponseCache => ({
  bytes: 0,
  async getOrRender(_key, encoding, render) {
    const { begin, followUp } = await render();
    const { bytes, release } = begin().finish();
    if (!isCompressed(bytes, encoding)) return { encoding: 'identity', bytes, release, followUp };
    const zipped = await gzipAsync(bytes, { level: GZIP_LEVEL });
    release();
    return { encoding: 'gzip', bytes: zipped, release() {}, followUp };
  },
  async prefetch() {},
});

const bodyOf = (encoding: Encoding, bytes: Buffer, { followUp }: Entry): Body => ({
  encoding,
  bytes,
  release() {},
  followUp,
});

const isCompressed = (plain: Buffer, encoding: Encoding) =>
  encoding === 'gzip' && plain.length >= MIN_COMPRESSED_BYTES;

/** A prefetched body that is smaller is copied out of its buffer, a larger one waits in it. */
const MIN_DRAFTED_BYTES = 2 ** 16;

/** A smaller body fits one packet with or without compression. */
const MIN_COMPRESSED_BYTES = 1400;
/** Saves nine tenths of what the slowest level saves, in a quarter of its time. */
export const GZIP_LEVEL = 4;

const gzipAsync = promisify(gzip) as (body: Buffer, options: { level: number }) => Promise<Buffer>;

/** The memory of an entry besides its bodies and its key. */
const ENTRY_BYTES = 1024;

function entryBytes(key: string, { plain, gzipped, followUp }: Entry): number {
  const plainBytes =
    plain.state === 'cached'
      ? plain.bytes.length
      : // The whole buffer counts, because nothing else can use the rest of it.
        plain.state === 'drafted'
        ? plain.draft.bufferBytes
        : 0;
  const gzippedBytes = gzipped.state === 'cached' ? gzipped.bytes.length : 0;
  return ENTRY_BYTES + 2 * key.length + 2 * (followUp?.length ?? 0) + plainBytes + gzippedBytes;
}
