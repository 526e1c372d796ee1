// The paths that explain the service, without a key: the OpenAPI document.

import type { RequestHandler } from 'express';
import { openApiDocument } from './document.ts';
import { serveFixed } from './fixedContent.ts';

/** Handlers of GET and HEAD by path. `publicUrl` is the address of the server, without a slash at the end. */
export function docsRoutes(publicUrl: string): Readonly<Record<string, RequestHandler>> {
  const document = openApiDocument(publicUrl);
  return {
    '/openapi.json': serveFixed({
      type: 'application/json; charset=utf-8',
      body: JSON.stringify(document),
      maxAgeSeconds: 300,
      headers: JSON_HEADERS,
    }),
  };
}

/** As other JSON answers have them: browsers must not run, frame or sniff it. */
const JSON_HEADERS = [
  ...['Content-Security-Policy', "default-src 'none';frame-ancestors 'none'"],
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Referrer-Policy', 'no-referrer'],
];
