// The headers that every answer carries, prepared once, as the flat list that node writes fastest.

import { randomUUID } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

/** Names and values in turns. */
export type HeaderList = readonly string[];

/** Nothing here is a page: no browser may run, frame or guess anything of it. */
const secure = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  // For pages, plugins and browsers of old alone; an answer of JSON is not one of them.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/** On every answer (ruling 19), besides its X-Request-Id. */
const COMMON_HEADERS: HeaderList = [
  ...securityHeaders(),
  // What an answer depends on: whose key asks, and in which encoding it is sent.
  'Vary',
  'x-api-key, Accept-Encoding',
];

export const JSON_TYPE: HeaderList = ['Content-Type', 'application/json; charset=utf-8'];

/** Of errors: what is wrong now may be right in a moment. */
export const NO_STORE: HeaderList = ['Cache-Control', 'no-store'];

/** What every answer carries, with the name of this one. */
export const headersOf = (requestId: string): string[] => COMMON_HEADERS.concat('X-Request-Id', requestId);

/** On the response itself: what a map holds outlives several collections of garbage. */
const ID = Symbol('request id');

/** The name of the request that a response answers; given when first asked for. */
export function requestIdOf(response: ServerResponse & { [ID]?: string }): string {
  response[ID] ??= randomUUID();
  return response[ID];
}

/** What helmet sets is the same for every request, so it is asked once. */
function securityHeaders(): string[] {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  secure(response.req, response, () => {});
  return Object.entries(response.getHeaders()).flatMap(([name, value]) => [name, String(value)]);
}
