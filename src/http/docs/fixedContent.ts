// Serves content that never changes while the process runs. Its bytes, gzip and ETag are made for the first request.

import { gzipSync } from 'node:zlib';
import type { RequestHandler } from 'express';
import { etagOf } from '../api/identity.ts';
import { encodingOf } from '../api/negotiate.ts';
import { crossOriginHeaders } from '../server/crossOrigin.ts';
import { type HeaderList, NO_STORE, requestIdOf, transportHeaders } from '../server/headers.ts';
import { isNotModified } from '../server/send.ts';

export interface FixedContent {
  readonly type: string;
  /** Makes the content. Called once, at the first request, so that the start of the server need not wait for it. */
  readonly body: () => string;
  /** How long a client may use the content without asking again. */
  readonly maxAgeSeconds: number;
  /** Headers in addition to type, length, caching and request id. */
  readonly headers: HeaderList;
}

/** Answers GET and HEAD, with 304 if the client has the content. Needs no key and counts towards no limit. */
export function serveFixed({ type, body, maxAgeSeconds, headers }: FixedContent): RequestHandler {
  let prepared: PreparedContent | undefined;
  const cacheControl = maxAgeSeconds === 0 ? NO_STORE : ['Cache-Control', `public, max-age=${maxAgeSeconds}`];
  return (request, response) => {
    prepared ??= prepare(body());
    const { plain, gzip, etag } = prepared;
    const common = ['X-Request-Id', requestIdOf(response), ...transportHeaders(response), ...headers];
    common.push(...crossOriginHeaders(response));
    common.push('ETag', etag, ...cacheControl, 'Vary', 'Accept-Encoding');
    if (isNotModified(request, etag)) {
      response.writeHead(304, common);
      response.end();
      return;
    }
    const isGzip = encodingOf(request) === 'gzip';
    const bytes = isGzip ? gzip : plain;
    if (isGzip) common.push('Content-Encoding', 'gzip');
    response.writeHead(200, [...common, 'Content-Type', type, 'Content-Length', String(bytes.length)]);
    response.end(bytes);
  };
}

interface PreparedContent {
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly etag: string;
}

function prepare(body: string): PreparedContent {
  const plain = Buffer.from(body);
  return { plain, gzip: gzipSync(plain, { level: 9 }), etag: etagOf(body, 'docs') };
}
