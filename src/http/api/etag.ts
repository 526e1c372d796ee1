// Derives ETags from everything that a body depends on, without rendering it (ruling 19).

import { sha256 } from '../../sha256.ts';

/**
 * The ETag of the body with that key, the same on every server. It is weak, because the body may be sent compressed.
 *
 * @param version of the code that renders the body.
 */
export const etagOf = (key: string, version: string): string =>
  `W/"${sha256(`${version} ${key}`, 'base64url').slice(0, 22)}"`;
