// Caches rendered bodies, plain and gzipped, by a key that names everything a body depends on.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type BufferLease, unpooled } from './bufferPool.ts';
import { createLruCache } from './lruCache.ts';

export type Encoding = 'identity' | 'gzip';

/** A body as it is sent. */
export interface Body {
  /** `identity` where the client takes gzip too, but the body is too small to gain from it. */
  readonly encoding: Encoding;
  readonly bytes: Buffer;
  /** To be called once `bytes` is no longer read. */
  release(): void;
  /** The query string of what follows, as `render` said it. */
  readonly followUp: string | null;
}

/** A body that is still being written. */
export interface Draft {
  /** The memory that it holds until it is finished. */
  readonly bufferBytes: number;
  /** Writes for about a tenth of a millisecond; true when everything is written. */
  writeSome(): boolean;
  /** Writes the rest and ends the draft. Must be called at most once. */
  finish(): BufferLease;
}

/** A body that can be written. */
export interface Rendering {
  /** Called for at most one of the callers who rendered it at the same time. */
  begin(): Draft;
  /** The query string of what follows this body; null when nothing does. */
  readonly followUp: string | null;
}

export interface ResponseCache {
  /**
   * The body of that key: cached, begun by a prefetch, or rendered now.
   *
   * Callers who miss at the same time each call `render`, since each may give up by itself; its expensive part
   * belongs in a single flight. The first that settles writes the body for all.
   *
   * @throws whatever `render` throws. A failure is not cached.
   */
  getOrRender(key: string, encoding: Encoding, render: () => Promise<Rendering>): Promise<Body>;
  /** Renders a body that will probably be asked for, in steps, and caches it. */
  prefetch(key: string, encoding: Encoding, render: () => Promise<Rendering>): Promise<void>;
}

/** A draft of bytes that are complete already. */
export const finishedDraft = (body: BufferLease): Draft => ({
  bufferBytes: body.bytes.buffer.byteLength,
  writeSome: () => true,
  finish: () => body,
});

/**
 * Two states of an entry, each with its own life: the plain body and its gzipped form.
 *
 * A large plain body is cached only when its key is asked for a second time: most pages of a walk are asked for once,
 * and copying them out of their pooled buffer would be wasted.
 */
interface Entry {
  plain: Plain;
  gzipped: Gzipped;
  followUp: string | null;
}

type Plain =
  | { readonly state: 'missing' }
  /** A prefetch writes it; whoever asks first finishes it. */
  | { readonly state: 'drafted'; readonly draft: Draft }
  | { readonly state: 'cached'; readonly bytes: Buffer };

type Gzipped =
  | { readonly state: 'missing' }
  /** Everybody who asks meanwhile waits for the same compression. */
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
    const isAskedAgain = entries.get(key) !== undefined;
    // Stored before it is rendered, so that callers who come meanwhile share the entry.
    store(key, entry);
    const { begin, followUp } = await render();
    const made = takePlain(key, entry);
    if (made !== null) return made;
    entry.followUp = followUp;
    return settle(key, entry, begin().finish(), isAskedAgain);
  }

  /** Caches a finished body that is worth it; the caller releases what comes back. */
  function settle(key: string, entry: Entry, body: BufferLease, isAskedAgain: boolean): BufferLease {
    if (body.isPooled && !isAskedAgain) return body;
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
    return settle(key, entry, plain.draft.finish(), false);
  }

  /** Writes the plain body in many turns of the event loop. Null when a caller has finished it meanwhile. */
  async function draftPlain(
    key: string,
    entry: Entry,
    render: () => Promise<Rendering>,
  ): Promise<BufferLease | null> {
    const isAskedAgain = entries.get(key) !== undefined;
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
      // A draft that fails in the middle of a row is discarded; whoever asks next starts over.
      if (entry.plain === drafted) entry.plain = MISSING;
    }
    return settle(key, entry, draft.finish(), isAskedAgain);
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

/** Caches nothing: every body is rendered, and compressed, for the one who asks. */
export const noResponseCache = (): ResponseCache => ({
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

/** A smaller body fits one packet with or without compression. */
const MIN_COMPRESSED_BYTES = 1400;
/** Saves nine tenths of what the slowest level saves, in a quarter of its time. */
const GZIP_LEVEL = 4;

const gzipAsync = promisify(gzip) as (body: Buffer, options: { level: number }) => Promise<Buffer>;

/** What an entry takes besides its bodies and its key. */
const ENTRY_BYTES = 1024;

function entryBytes(key: string, { plain, gzipped, followUp }: Entry): number {
  const plainBytes =
    plain.state === 'cached'
      ? plain.bytes.length
      : // The whole buffer counts: nobody else can use the rest of it meanwhile.
        plain.state === 'drafted'
        ? plain.draft.bufferBytes
        : 0;
  const gzippedBytes = gzipped.state === 'cached' ? gzipped.bytes.length : 0;
  return ENTRY_BYTES + 2 * key.length + 2 * (followUp?.length ?? 0) + plainBytes + gzippedBytes;
}
