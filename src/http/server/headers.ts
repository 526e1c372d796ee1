// The headers that all answers share. They are flat lists, which node writes fastest.

import { createHash, randomUUID } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { ApiError } from '../../errors.ts';

/** A flat list of headers: each name is followed by its value. */
export type HeaderList = readonly string[];

/** Answers of the API are not pages: browsers must not run them, show them in frames or guess their types. */
const secure = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  // `declareTransport` sets it for servers that people reach by https.
  strictTransportSecurity: false,
  // These concern pages, plugins and old browsers, not JSON.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/** The headers of every answer, besides X-Request-Id (ruling 19). */
const COMMON_HEADERS: HeaderList = [
  ...securityHeaders(),
  // The request headers that an answer depends on.
  'Vary',
  'x-api-key, Accept-Encoding, Accept, X-Snapshot, Prefer',
];

export const JSON_TYPE: HeaderList = ['Content-Type', 'application/json; charset=utf-8'];

/** A header of every error, because the same request may succeed a moment later (ruling 19). */
export const NO_STORE: HeaderList = ['Cache-Control', 'no-store'];

/**
 * The header with links to the sections of the documentation that explain the error (RFC 8288). The links have no host,
 * so that they are right under any host name.
 */
export const helpLinks = ({ help }: Pick<ApiError, 'help'>): HeaderList =>
  help.length === 0 ? [] : ['Link', help.map((topic) => `</docs#${topic}>; rel="help"`).join(', ')];

/** It holds for one year. It does not include subdomains, which may belong to other services. */
const STRICT_TRANSPORT: HeaderList = ['Strict-Transport-Security', 'max-age=31536000'];

const TRANSPORT = Symbol('strict transport');

/** The transport headers of one server, stored on the prototype of its responses. */
interface Prototype {
  [TRANSPORT]?: { readonly own: HeaderList; readonly common: HeaderList };
}

/** If people reach the server by https, makes all responses with this prototype tell browsers to stay on https. */
export function declareTransport(prototype: object, isHttps: boolean): void {
  const own = isHttps ? STRICT_TRANSPORT : [];
  (prototype as Prototype)[TRANSPORT] = { own, common: COMMON_HEADERS.concat(own) };
}

/** The header `Strict-Transport-Security`; none for a server that people reach by http. */
export const transportHeaders = (response: object): HeaderList =>
  (response as Prototype)[TRANSPORT]?.own ?? [];

/** The headers that are the same on all answers. `response` may be the prototype of a server's responses. */
export const commonHeaders = (response: object): HeaderList =>
  (response as Prototype)[TRANSPORT]?.common ?? COMMON_HEADERS;

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

/** The source with which a Content-Security-Policy allows a style or script inside the page. */
export const policyHash = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The headers of helmet. It sets the same ones on every response, so they are read once from an unused response. */
function securityHeaders(): string[] {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  secure(response.req, response, () => {});
  return Object.entries(response.getHeaders()).flatMap(([name, value]) => [name, String(value)]);
}
