// The paths that document the service: the OpenAPI document and the two pages made from it. They need no key.

import { gzipSync } from 'node:zlib';
import type { RequestHandler } from 'express';
import { getOrInsert } from '../../basics/maps.ts';
import { etagOf } from '../api/identity.ts';
import { encodingOf } from '../api/negotiate.ts';
import { crossOriginHeaders } from '../server/crossOrigin.ts';
import { type HeaderList, pageSecurity, policyHash } from '../server/headers.ts';
import { isNotModified, sendPageContent } from '../server/send.ts';
import { docsPage } from './docsPage.ts';
import { SCRIPT } from './docsScript.ts';
import { STYLE } from './docsStyle.ts';
import { openApiDocument } from './document/document.ts';

/** The handlers of GET and HEAD by path. `publicUrl` is the address of the server, without a slash at the end. */
export const docsRoutes = (publicUrl: string): Readonly<Record<string, RequestHandler>> =>
  getOrInsert(ROUTES, publicUrl, () => routesOf(publicUrl));

function routesOf(publicUrl: string): Readonly<Record<string, RequestHandler>> {
  let made: ReturnType<typeof openApiDocument> | undefined;
  const document = () => {
    made ??= openApiDocument(publicUrl);
    return made;
  };
  const page = ({ isInteractive }: { readonly isInteractive: boolean }) =>
    serveFixed(
      'text/html; charset=utf-8',
      () => docsPage(document(), { isInteractive, publicUrl }),
      pageHeaders(isInteractive),
    );
  return {
    '/openapi.json': serveFixed(
      'application/json; charset=utf-8',
      () => JSON.stringify(document()),
      JSON_HEADERS,
    ),
    '/docs': page({ isInteractive: true }),
    '/docs/plain': page({ isInteractive: false }),
  };
}

/** The routes by `publicUrl`. The app of the warm-up and that of the server share them, so each page is made once. */
const ROUTES = new Map<string, Readonly<Record<string, RequestHandler>>>();

/**
 * Serves content that never changes while the process runs.
 *
 * @param make makes the content at the first request, so that the start of the server need not wait for it.
 */
function serveFixed(type: string, make: () => string, headers: HeaderList): RequestHandler {
  let prepared: PreparedContent | undefined;
  return (request, response) => {
    prepared ??= prepare(make());
    const { plain, gzip, etag } = prepared;
    const common = [...headers, ...crossOriginHeaders(response), 'ETag', etag];
    common.push('Cache-Control', CACHE_CONTROL, 'Vary', 'Accept-Encoding');
    if (isNotModified(request, etag)) return sendPageContent(response, 304, common, null);
    const isGzip = encodingOf(request) === 'gzip';
    if (isGzip) common.push('Content-Encoding', 'gzip');
    sendPageContent(response, 200, [...common, 'Content-Type', type], isGzip ? gzip : plain);
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

/** After an update of the server, clients may see the old pages for five minutes. */
const CACHE_CONTROL = 'public, max-age=300';

/** The security headers of JSON answers: browsers must not run the document, frame it or guess its type. */
const JSON_HEADERS: HeaderList = [
  ...['Content-Security-Policy', "default-src 'none';frame-ancestors 'none'"],
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Referrer-Policy', 'no-referrer'],
];

/** Allows the page's style and script by their hashes, and requests to this server only. */
const pageHeaders = (isInteractive: boolean): HeaderList =>
  pageSecurity(
    `form-action 'none'; style-src ${policyHash(STYLE)}${isInteractive ? `; script-src ${policyHash(SCRIPT)}; connect-src 'self'` : ''}`,
  );
