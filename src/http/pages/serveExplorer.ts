// Serves the explorer: the page at `/`, `/country/<name>` and `/product/<name>`, and its files under `/assets`.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Request, RequestHandler, Response } from 'express';
import { sha256 } from '../../basics/sha256.ts';
import { notFound } from '../../errors.ts';
import { type HeaderList, pageSecurity } from '../server/headers.ts';
import { rawPath } from '../server/requestUrl.ts';
import { isNotModified, sendEmpty, sendPageContent } from '../server/send.ts';
import { rootFrom } from './reply.ts';

/**
 * Serves the bundle in `directory` from memory. It does not need Redis: when Redis is away, the page itself says so.
 *
 * @throws {Error} when the bundle is missing.
 */
export function createExplorer(directory: string): RequestHandler {
  const page = readFileSync(path.join(directory, 'index.html'), 'utf8');
  const assets = readAssets(path.join(directory, 'assets'));
  return (request, response, next) => {
    const requested = rawPath(request);
    const asset = assets.get(requested);
    if (asset === undefined && !PAGES.test(requested)) return next();
    if (request.method === 'OPTIONS') return sendEmpty(response, 204, ['Allow', 'GET, HEAD, OPTIONS']);
    if (request.method !== 'GET' && request.method !== 'HEAD') return next(notFound());
    if (asset !== undefined) return sendAsset(request, response, asset);
    sendPage(request, response, page.replaceAll('{root}', rootFrom(request)));
  };
}

const PAGES = /^\/(?:(?:country|product)\/[^/]+)?$/;

interface Asset {
  readonly type: string;
  /** The body in each content coding. */
  readonly bodies: Readonly<Record<'br' | 'gzip' | 'identity', Buffer>>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Reads all assets, by their paths. The build has made the compressed forms. */
function readAssets(directory: string): ReadonlyMap<string, Asset> {
  const read = (file: string) => readFileSync(path.join(directory, file));
  const assets = new Map<string, Asset>();
  for (const file of readdirSync(directory)) {
    const type = TYPES[path.extname(file)];
    if (type === undefined) continue;
    const bodies = { br: read(`${file}.br`), gzip: read(`${file}.gz`), identity: read(file) };
    assets.set(`/assets/${file}`, { type, bodies });
  }
  return assets;
}

/** Sends an asset. Browsers may keep it for ever, because its name contains the hash of its content. */
function sendAsset(request: Request, response: Response, { type, bodies }: Asset): void {
  const coding = request.acceptsEncodings('br', 'gzip', 'identity') || 'identity';
  const body = bodies[coding as keyof typeof bodies];
  const headers = [
    ...['Content-Type', type],
    ...['Cache-Control', 'public, max-age=31536000, immutable'],
    ...['Vary', 'Accept-Encoding'],
    ...['X-Content-Type-Options', 'nosniff'],
    ...['Cross-Origin-Resource-Policy', 'same-origin'],
    ...['Referrer-Policy', 'no-referrer'],
    ...(coding === 'identity' ? [] : ['Content-Encoding', coding]),
  ];
  sendPageContent(response, 200, headers, body);
}

/** Sends the page. Browsers revalidate it at every visit, because it names the assets of this version. */
function sendPage(request: Request, response: Response, page: string): void {
  const body = Buffer.from(page);
  const etag = `"${sha256(body, 'base64url').slice(0, 16)}"`;
  const headers = [...PAGE_HEADERS, 'ETag', etag];
  if (isNotModified(request, etag)) sendPageContent(response, 304, headers, null);
  else sendPageContent(response, 200, headers, body);
}

const PAGE_HEADERS: HeaderList = [
  ...['Content-Type', 'text/html; charset=utf-8'],
  ...['Cache-Control', 'no-cache'],
  ...pageSecurity(
    "form-action 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' blob:",
  ),
  ...['X-Robots-Tag', 'noindex, nofollow'],
];
