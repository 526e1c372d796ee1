// The plain bodies of the response cache: a body is taken from the cache, rendered at once, or drafted by a prefetch.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type BufferLease, unpooled } from './bufferPool.ts';
import { finishedDraft, type Render, type Rendering } from './rendering.ts';
import { MISSING, type Plain, type ResponseEntries, type ResponseEntry } from './responseEntries.ts';

/** Takes, renders and drafts the plain bodies of one response cache. The caller releases each lease. */
export class PlainBodies {
  readonly #entries: ResponseEntries;

  constructor(entries: ResponseEntries) {
    this.#entries = entries;
  }

  /** The body if it is cached or drafted, otherwise null. A draft is finished first. */
  take(key: string, entry: ResponseEntry): BufferLease | null {
    const { plain } = entry;
    if (plain.state === 'cached') return unpooled(plain.bytes);
    if (plain.state === 'missing') return null;
    entry.plain = MISSING;
    this.#entries.store(key, entry);
    return this.#cacheIfUseful(key, entry, plain.draft.finish());
  }

  async render(key: string, entry: ResponseEntry, render: Render): Promise<BufferLease> {
    const { begin, nextCursor, metaHeader = null } = await this.#rendering(key, entry, render);
    const renderedMeanwhile = this.take(key, entry);
    if (renderedMeanwhile !== null) return renderedMeanwhile;
    entry.nextCursor = nextCursor;
    entry.metaHeader = metaHeader;
    return this.#cacheIfUseful(key, entry, begin().finish());
  }

  /** Writes the body over many turns of the event loop. Null when a caller has finished it in the meantime. */
  async draft(key: string, entry: ResponseEntry, render: Render): Promise<BufferLease | null> {
    const { begin, nextCursor, metaHeader = null } = await this.#rendering(key, entry, render);
    if (entry.plain.state !== 'missing') return null;
    entry.nextCursor = nextCursor;
    entry.metaHeader = metaHeader;
    const draft = begin();
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
    const isSmall = body.bytes.length < MIN_DRAFTED_BYTES;
    return isSmall ? this.#cache(key, entry, body) : this.#cacheIfUseful(key, entry, body);
  }

  /** Stores a prefetched body for its first request, in the buffer that it was written to. */
  storePrefetched(key: string, entry: ResponseEntry, body: BufferLease): void {
    if (entry.plain.state === 'cached') return;
    entry.plain = { state: 'drafted', draft: finishedDraft(body) };
    this.#entries.store(key, entry);
  }

  #rendering(key: string, entry: ResponseEntry, render: Render): Promise<Rendering> {
    entry.renderings += 1;
    // The entry is stored before the body is rendered, so that concurrent callers share it.
    this.#entries.store(key, entry);
    return render();
  }

  /**
   * Caches a finished body, unless it is in a pooled buffer and was wanted only once. Most pages are requested only once,
   * so copying them out of their buffers would be wasted.
   */
  #cacheIfUseful(key: string, entry: ResponseEntry, body: BufferLease): BufferLease {
    return body.isPooled && entry.renderings <= 1 ? body : this.#cache(key, entry, body);
  }

  /** Caches a finished body. A body in a pooled buffer is copied. */
  #cache(key: string, entry: ResponseEntry, body: BufferLease): BufferLease {
    const bytes = body.detach();
    entry.plain = { state: 'cached', bytes };
    this.#entries.store(key, entry);
    return unpooled(bytes);
  }
}

/** A smaller prefetched body is copied out of its buffer. A larger one waits in its buffer. */
const MIN_DRAFTED_BYTES = 2 ** 16;
