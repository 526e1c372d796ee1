// The headers that all answers share, as the flat lists that node writes fastest.

import { createHash, randomUUID } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { ApiError } from '../../errors.ts';

/** Names and values in turn. */
export type HeaderList = readonly string[];

/** API answers are not pages: browsers must not run, frame or sniff them. */
const secure = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  // `declareTransport` sets it, where people reach the server by https.
  strictTransportSecurity: false,
  // These concern pages, plugins and old browsers, not JSON.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/** On every answer, beside X-Request-Id (ruling 19). */
const COMMON_HEADERS: HeaderList = [
  ...securityHeaders(),
  // The request headers that an answer depends on.
  'Vary',
  'x-api-key, Accept-Encoding, Accept, X-Snapshot, Prefer',
];

export const JSON_TYPE: HeaderList = ['Content-Type', 'application/json; charset=utf-8'];

/** On every error, because the same request may succeed a moment later (ruling 19). */
export const NO_STORE: HeaderList = ['Cache-Control', 'no-store'];

/**
 * A link to each section of the documentation that explains the error (RFC 8288). The address is relative to the server,
 * as that of the next page is, so that it is right under any host name.
 */
export const helpLinks = ({ help }: Pick<ApiError, 'help'>): HeaderList =>
  help.length === 0 ? [] : ['Link', help.map((topic) => `</docs#${topic}>; rel="help"`).join(', ')];

/** One year. Subdomains are not included: they may belong to other services. */
const STRICT_TRANSPORT: HeaderList = ['Strict-Transport-Security', 'max-age=31536000'];

const TRANSPORT = Symbol('strict transport');

/** The transport headers of one server, stored on the prototype of its responses. */
interface Prototype {
  [TRANSPORT]?: { readonly own: HeaderList; readonly common: HeaderList };
}

/** Makes all responses of this prototype tell browsers to stay on https, when people reach the server by https. */
export function declareTransport(prototype: object, isHttps: boolean): void {
  const own = isHttps ? STRICT_TRANSPORT : [];
  (prototype as Prototype)[TRANSPORT] = { own, common: COMMON_HEADERS.concat(own) };
}

/** `Strict-Transport-Security`, where it applies. */
export const transportHeaders = (response: object): HeaderList =>
  (response as Prototype)[TRANSPORT]?.own ?? [];

/** The headers that all answers have alike. `response` may be the prototype of a server's responses. */
export const commonHeaders = (response: object): HeaderList =>
  (response as Prototype)[TRANSPORT]?.common ?? COMMON_HEADERS;

/** A property of the response, because an entry of a map would outlive the response by several garbage collections. */
const ID = Symbol('request id');

/** The id of a response's request, created at the first call. */
export function requestIdOf(response: ServerResponse & { [ID]?: string }): string {
  response[ID] ??= randomUUID();
  return response[ID];
}

/** The source by which a Content-Security-Policy allows a style or script that is in the page itself. */
export const policyHash = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** helmet sets the same headers on every response, so one call is enough. */
function securityHeaders(): string[] {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  secure(response.req, response, () => {});
  return Object.entries(response.getHeaders()).flatMap(([name, value]) => [name, String(value)]);
}
