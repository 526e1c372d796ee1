// Cross-origin resource sharing: lets scripts of the origins in `CORS_ORIGINS` ask the API with a key.

import type { ServerResponse } from 'node:http';
import type { HeaderList } from './headers.ts';
import { isApiPath, originForm } from './requestUrl.ts';

/** The origins whose scripts may ask the API; `*` for all origins, null for none. */
export type AllowedOrigins = readonly string[] | '*' | null;

const ORIGINS = Symbol('allowed origins');

/** The allowed origins of one server, stored on the prototype of its responses. */
interface ResponsePrototype {
  [ORIGINS]?: AllowedOrigins;
}

/** Makes all responses with this prototype readable for scripts of these origins. */
export function declareOrigins(prototype: object, origins: AllowedOrigins): void {
  (prototype as ResponsePrototype)[ORIGINS] = origins;
}

/**
 * The CORS headers of an answer. Only answers of the API and the OpenAPI document have some. The answer to a preflight
 * request, which browsers send without a key, names the methods and headers that requests may use.
 */
export function crossOriginHeaders(response: ServerResponse): HeaderList {
  const origins = (response as ResponsePrototype)[ORIGINS] ?? null;
  if (origins === null) return NONE;
  const { method, headers, url = '' } = response.req;
  const target = originForm(url) ?? '';
  if (!isApiPath(target) && !target.startsWith('/openapi.json')) return NONE;
  const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
  const shown = isPreflight ? PREFLIGHT : EXPOSED;
  // The answer to a request without an Origin has the headers too, because a cache may reuse it for one with an Origin.
  if (origins === '*') return ['Access-Control-Allow-Origin', '*', ...shown];
  const { origin } = headers;
  const isAllowed = origin !== undefined && origins.includes(origin);
  return isAllowed ? ['Access-Control-Allow-Origin', origin, ...VARY, ...shown] : VARY;
}

/**
 * The CORS headers of an answer of the API to bytes that could not be parsed.
 *
 * @param received the bytes that Node read last. The header `Origin` may not be among them.
 */
export function crossOriginHeadersOfRefusal(prototype: object, received: string): HeaderList {
  const origins = (prototype as ResponsePrototype)[ORIGINS] ?? null;
  if (origins === null) return NONE;
  if (origins === '*') return ['Access-Control-Allow-Origin', '*', ...EXPOSED];
  const sent = /^origin:[ \t]*(\S+)/im.exec(received)?.[1];
  // If the Origin is unknown and only one origin is allowed, the answer names that origin. Other origins cannot read
  // the answer.
  const only = sent === undefined && origins.length === 1 ? origins[0] : undefined;
  const origin = origins.find((allowed) => allowed === sent) ?? only;
  return origin === undefined ? VARY : ['Access-Control-Allow-Origin', origin, ...VARY, ...EXPOSED];
}

const NONE: HeaderList = [];
const VARY: HeaderList = ['Vary', 'Origin'];

/** Names the headers that scripts may read in addition to those that browsers always allow. */
const EXPOSED: HeaderList = [
  'Access-Control-Expose-Headers',
  [
    'Accept-Ranges',
    'Allow',
    'Content-Disposition',
    'Content-Range',
    'ETag',
    'Link',
    'Preference-Applied',
    'RateLimit',
    'RateLimit-Policy',
    'Repr-Digest',
    'Retry-After',
    'X-Meta',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'X-Request-Id',
    'X-Snapshot',
  ].join(', '),
];

const PREFLIGHT: HeaderList = [
  'Access-Control-Allow-Methods',
  'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Headers',
  'Accept, If-Match, If-None-Match, If-Range, Prefer, Range, X-Api-Key, X-Snapshot',
  // One day. Browsers have lower limits of their own.
  'Access-Control-Max-Age',
  '86400',
];
