// The paths that document the service: the OpenAPI document and the two pages made from it. They need no key.

import type { RequestHandler } from 'express';
import { type HeaderList, policyHash } from '../server/headers.ts';
import { openApiDocument } from './document/document.ts';
import { serveFixed } from './fixedContent.ts';
import { docsPage } from './page.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

/** The handlers of GET and HEAD by path. `publicUrl` is the address of the server, without a slash at the end. */
export function docsRoutes(publicUrl: string): Readonly<Record<string, RequestHandler>> {
  const known = ROUTES.get(publicUrl);
  if (known) return known;
  let made: ReturnType<typeof openApiDocument> | undefined;
  const document = () => {
    made ??= openApiDocument(publicUrl);
    return made;
  };
  const page = ({ isInteractive }: { readonly isInteractive: boolean }) =>
    serveFixed({
      type: 'text/html; charset=utf-8',
      body: () => docsPage(document(), { isInteractive, publicUrl }),
      maxAgeSeconds: MAX_AGE_SECONDS,
      headers: pageHeaders(isInteractive),
    });
  const routes = {
    '/openapi.json': serveFixed({
      type: 'application/json; charset=utf-8',
      body: () => JSON.stringify(document()),
      maxAgeSeconds: MAX_AGE_SECONDS,
      headers: JSON_HEADERS,
    }),
    '/docs': page({ isInteractive: true }),
    '/docs/plain': page({ isInteractive: false }),
  };
  ROUTES.set(publicUrl, routes);
  return routes;
}

/** The routes by `publicUrl`. The app of the warm-up and that of the server share them, so each page is made once. */
const ROUTES = new Map<string, Readonly<Record<string, RequestHandler>>>();

/** After an update of the server, clients may see the old pages for this long. */
const MAX_AGE_SECONDS = 300;

/** The security headers of JSON answers: browsers must not run the document, frame it or guess its type. */
const JSON_HEADERS: HeaderList = [
  ...['Content-Security-Policy', "default-src 'none';frame-ancestors 'none'"],
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Referrer-Policy', 'no-referrer'],
];

/** Allows the page's style and script by their hashes, and requests to this server only. */
const pageHeaders = (isInteractive: boolean): HeaderList => [
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; " +
    `style-src ${policyHash(STYLE)}${isInteractive ? `; script-src ${policyHash(SCRIPT)}; connect-src 'self'` : ''}`,
  ...['X-Content-Type-Options', 'nosniff'],
  ...['X-Frame-Options', 'DENY'],
  ...['Referrer-Policy', 'no-referrer'],
  ...['Cross-Origin-Opener-Policy', 'same-origin'],
  ...['Cross-Origin-Resource-Policy', 'same-origin'],
];
