// Compresses the bodies of the response cache, once for all concurrent callers.

import type { BufferLease } from './bufferPool.ts';
import { compress } from './compression.ts';
import { MISSING, type ResponseEntries, type ResponseEntry } from './responseEntries.ts';

export interface GzippedBodies {
  /** Compresses the plain body of an entry, caches the result, and releases `plain`. */
  compress(key: string, entry: ResponseEntry, plain: BufferLease): Promise<Buffer>;
}

/** Compresses into the entries of one response cache. */
export function createGzippedBodies(entries: ResponseEntries): GzippedBodies {
  async function compressInto(key: string, entry: ResponseEntry, plain: Buffer): Promise<Buffer> {
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

  return {
    async compress(key, entry, plain) {
      if (entry.gzipped.state !== 'compressing')
        entry.gzipped = { state: 'compressing', bytes: compressInto(key, entry, plain.bytes) };
      const bytes = await entry.gzipped.bytes;
      plain.release();
      return bytes;
    },
  };
}
