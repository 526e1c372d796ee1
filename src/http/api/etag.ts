// Derives ETags from everything that a body depends on, without rendering it (ruling 19).

import { createHash } from 'node:crypto';
import type { LruCache } from '../../cache/lruCache.ts';

/**
 * The ETag of the body with that key, the same on every server. It is weak, because the body may be sent compressed.
 *
 * @param version of the code that renders the body.
 * @param known caches the ETags of recent keys, because a hash takes longer than the rest of a 304.
 */
export function etagOf(key: string, version: string, known: LruCache<string>): string {
  const cached = known.get(key);
  if (cached !== undefined) return cached;
  const digest = createHash('sha256').update(`${version} ${key}`).digest('base64url').slice(0, 22);
  const etag = `W/"${digest}"`;
  known.set(key, etag, ENTRY_BYTES + 2 * key.length);
  return etag;
}

/** The memory of an entry besides its key. */
const ENTRY_BYTES = 256;
