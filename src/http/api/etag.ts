// Makes the ETag of a body from everything that the body depends on, without rendering it (ruling 19).

import { sha256 } from '../../sha256.ts';

/**
 * The ETag of a body. It is the same on every server, and weak, because the body may be sent compressed.
 *
 * @param key names everything that the body depends on.
 * @param version the version of the code that renders the body.
 */
export const etagOf = (key: string, version: string): string =>
  `W/"${sha256(`${version} ${key}`, 'base64url').slice(0, 22)}"`;
