// The headers that all answers share. They are flat lists, which node writes fastest.

import { randomUUID } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import { sha256 } from '../../basics/sha256.ts';
import type { ApiError } from '../../errors.ts';

/** A flat list of headers: each name is followed by its value. */
export type HeaderList = readonly string[];

/** Answers of the API are not pages: browsers must not run them, show them in frames or guess their types. */
const securityMiddleware = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  // `declarePublicUrl` sets it for servers that people reach by https.
  strictTransportSecurity: false,
  // These headers concern pages, plugins and old browsers, not JSON.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/** The request headers that an answer depends on. */
export const VARY = 'x-api-key, Accept-Encoding, Accept, X-Snapshot, Prefer';

/** The headers of every answer, without X-Request-Id, which differs between answers (ruling 19). */
const COMMON_HEADERS: HeaderList = [...securityHeaders(), 'Vary', VARY];

export const JSON_TYPE: HeaderList = ['Content-Type', 'application/json; charset=utf-8'];

/** A header of every error, because the same request may succeed a moment later (ruling 19). */
export const NO_STORE: HeaderList = ['Cache-Control', 'no-store'];

/**
 * The header with links to the sections of the documentation that explain the error (RFC 8288). The links have no host,
 * so that they are right under any host name.
 *
 * @param response the response, or the prototype of a server's responses.
 */
export const helpLinks = ({ help }: Pick<ApiError, 'help'>, response: object): HeaderList =>
  help.length === 0
    ? []
    : ['Link', help.map((topic) => `<${basePathOf(response)}/docs#${topic}>; rel="help"`).join(', ')];

/** Keeps browsers on https for one year. Subdomains are not included, because they may belong to other services. */
const STRICT_TRANSPORT: HeaderList = ['Strict-Transport-Security', 'max-age=31536000'];

const ADDRESS = Symbol('public address');

/** The values that follow from the address of one server, stored on the prototype of its responses. */
interface ResponsePrototype {
  [ADDRESS]?: { readonly transport: HeaderList; readonly common: HeaderList; readonly basePath: string };
}

/**
 * Declares the address by which people reach the server, for all responses with this prototype. With an https address,
 * the responses tell browsers to stay on https. With a path in the address, the links in headers begin with that path.
 */
export function declarePublicUrl(prototype: object, publicUrl: string): void {
  const transport = publicUrl.startsWith('https:') ? STRICT_TRANSPORT : [];
  (prototype as ResponsePrototype)[ADDRESS] = {
    transport,
    common: COMMON_HEADERS.concat(transport),
    basePath: basePathIn(publicUrl),
  };
}

/** The path of a server's public address, without a slash at the end. It is usually empty. */
export const basePathIn = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/+$/, '');

/** The path that a proxy puts before all paths of the server. */
const basePathOf = (response: object): string => (response as ResponsePrototype)[ADDRESS]?.basePath ?? '';

/** The header `Strict-Transport-Security`; none for a server that people reach by http. */
export const transportHeaders = (response: object): HeaderList =>
  (response as ResponsePrototype)[ADDRESS]?.transport ?? [];

/** The headers that are the same on all answers. `response` may be the prototype of a server's responses. */
export const commonHeaders = (response: object): HeaderList =>
  (response as ResponsePrototype)[ADDRESS]?.common ?? COMMON_HEADERS;

/**
 * The property of a response that has the id of its request. An entry of a WeakMap would outlive the response by
 * several garbage collections.
 */
const ID = Symbol('request id');

/** The id of a response's request. It is created at the first call. */
export function requestIdOf(response: ServerResponse & { [ID]?: string }): string {
  response[ID] ??= randomUUID();
  return response[ID];
}

/** The source expression with which a Content-Security-Policy allows a style or script inside the page. */
export const policyHash = (text: string): string => `'sha256-${sha256(text, 'base64')}'`;

/**
 * The security headers of a page for people. The page loads nothing but what `policy` allows, and no other page can
 * frame it.
 *
 * @param policy the directives of the Content-Security-Policy that differ between pages.
 */
export const pageSecurity = (policy: string): HeaderList => [
  'Content-Security-Policy',
  `default-src 'none'; frame-ancestors 'none'; base-uri 'none'; ${policy}`,
  ...['X-Content-Type-Options', 'nosniff'],
  ...['X-Frame-Options', 'DENY'],
  ...['Referrer-Policy', 'no-referrer'],
  ...['Cross-Origin-Opener-Policy', 'same-origin'],
  ...['Cross-Origin-Resource-Policy', 'same-origin'],
];

/** The headers of helmet. It sets the same ones on every response, so they are read once from an unused response. */
function securityHeaders(): string[] {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  securityMiddleware(response.req, response, () => {});
  return Object.entries(response.getHeaders()).flatMap(([name, value]) => [name, String(value)]);
}
