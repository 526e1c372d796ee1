// The headers that every answer carries, made once per server as the flat list that node writes fastest.

import { randomUUID } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

/** Names and values alternate. */
export type HeaderList = readonly string[];

/** No browser may run, frame or sniff an answer: none of them is a page. */
const secure = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  // Said by `declareTransport`, where people reach the server by https.
  strictTransportSecurity: false,
  // These concern pages, plugins and old browsers; JSON is none of them.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/** On every answer besides its X-Request-Id (ruling 19). */
const COMMON_HEADERS: HeaderList = [
  ...securityHeaders(),
  // An answer depends on the key, the encoding, the format, the snapshot and on how strictly values are checked.
  'Vary',
  'x-api-key, Accept-Encoding, Accept, X-Snapshot, Prefer',
];

export const JSON_TYPE: HeaderList = ['Content-Type', 'application/json; charset=utf-8'];

/** On every error: what is wrong now may be right in a moment (ruling 19). */
export const NO_STORE: HeaderList = ['Cache-Control', 'no-store'];

/** A year, and for this host alone: other hosts of the domain are not ours to speak for. */
const STRICT_TRANSPORT: HeaderList = ['Strict-Transport-Security', 'max-age=31536000'];

const TRANSPORT = Symbol('strict transport');

/** Properties of a server's response prototype: its settings reach every response without a parameter. */
interface Prototype {
  [TRANSPORT]?: { readonly own: HeaderList; readonly common: HeaderList };
}

/** Has every response of this prototype tell browsers to stay on https, when people reach the server by https. */
export function declareTransport(prototype: object, isHttps: boolean): void {
  const own = isHttps ? STRICT_TRANSPORT : [];
  (prototype as Prototype)[TRANSPORT] = { own, common: COMMON_HEADERS.concat(own) };
}

/** `Strict-Transport-Security`, where it applies. */
export const transportHeaders = (response: object): HeaderList =>
  (response as Prototype)[TRANSPORT]?.own ?? [];

/** What every answer carries; `response` may be the prototype of a server's responses. */
export const commonHeaders = (response: object, requestId: string): string[] =>
  ((response as Prototype)[TRANSPORT]?.common ?? COMMON_HEADERS).concat('X-Request-Id', requestId);

/** A property of the response: an entry of a map would outlive several garbage collections. */
const ID = Symbol('request id');

/** The id of the request that a response answers; made when it is first asked for. */
export function requestIdOf(response: ServerResponse & { [ID]?: string }): string {
  response[ID] ??= randomUUID();
  return response[ID];
}

/** helmet sets the same headers on every response, so it is called once. */
function securityHeaders(): string[] {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  secure(response.req, response, () => {});
  return Object.entries(response.getHeaders()).flatMap(([name, value]) => [name, String(value)]);
}
