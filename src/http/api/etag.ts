// ETags: derived from everything that an answer's body depends on, without rendering it (ruling 19).

import { createHash } from 'node:crypto';
import type { LruCache } from '../../cache/lruCache.ts';

/**
 * The ETag of the body with that key, the same on every server. Weak, because the same body may be sent compressed.
 *
 * @param version of the code that renders the body.
 * @param known remembers the ETags of recent keys: a hash costs more than everything else that a 304 needs.
 */
export function etagOf(key: string, version: string, known: LruCache<string>): string {
  const cached = known.get(key);
  if (cached !== undefined) return cached;
  const digest = createHash('sha256').update(`${version} ${key}`).digest('base64url').slice(0, 22);
  const etag = `W/"${digest}"`;
  known.set(key, etag, ENTRY_BYTES + 2 * key.length);
  return etag;
}

/** What an entry takes besides its key. */
const ENTRY_BYTES = 256;
