// The entries of the response cache. An entry has a plain and a gzipped body, each in a state of its own.

import { createLruCache } from './lruCache.ts';
import type { Draft } from './rendering.ts';

/** The bodies of one answer. */
export interface ResponseEntry {
  plain: Plain;
  gzipped: Gzipped;
  /** How many requests and prefetches have called `render`. After two, the body will probably be requested again. */
  renderings: number;
  /** The cursor of the next page; null on the last page, and until the body is rendered. */
  nextCursor: string | null;
  /** The value of the header `X-Meta`; null without it, and until the body is rendered. */
  metaHeader: string | null;
}

export type Plain =
  | { readonly state: 'missing' }
  /** A prefetch has begun to write the body. The first caller finishes it. */
  | { readonly state: 'drafted'; readonly draft: Draft }
  | { readonly state: 'cached'; readonly bytes: Buffer };

export type Gzipped =
  | { readonly state: 'missing' }
  /** Concurrent callers wait for the same compression. */
  | { readonly state: 'compressing'; readonly bytes: Promise<Buffer> }
  | { readonly state: 'cached'; readonly bytes: Buffer };

/** The state of a body that is neither cached nor being made. */
export const MISSING = { state: 'missing' } as const;

export interface ResponseEntries {
  /** The entry of a key. When there is none, this is a new entry, which is not stored yet. */
  of(key: string): ResponseEntry;
  /** Stores an entry. Must be called again whenever the memory of the entry has changed. */
  store(key: string, entry: ResponseEntry): void;
  readonly bytes: number;
}

/** Entries that take `capacityBytes` at most. The least recently used ones are dropped. */
export function createResponseEntries(capacityBytes: number): ResponseEntries {
  const entries = createLruCache<ResponseEntry>(capacityBytes);
  return {
    of: (key) => entries.get(key) ?? newEntry(),
    store: (key, entry) => entries.set(key, entry, bytesOf(key, entry)),
    get bytes() {
      return entries.bytes;
    },
  };
}

const newEntry = (): ResponseEntry => ({
  plain: MISSING,
  gzipped: MISSING,
  renderings: 0,
  nextCursor: null,
  metaHeader: null,
});

/** The memory of an entry besides its bodies and its key. */
const ENTRY_BYTES = 1024;

function bytesOf(key: string, { plain, gzipped, nextCursor, metaHeader }: ResponseEntry): number {
  const gzippedBytes = gzipped.state === 'cached' ? gzipped.bytes.length : 0;
  const characters = key.length + (nextCursor?.length ?? 0) + (metaHeader?.length ?? 0);
  return ENTRY_BYTES + 2 * characters + plainBytesOf(plain) + gzippedBytes;
}

function plainBytesOf(plain: Plain): number {
  if (plain.state === 'cached') return plain.bytes.length;
  // The whole buffer counts, because nobody else can use the part that is still empty.
  return plain.state === 'drafted' ? plain.draft.bufferBytes : 0;
}
