// The headers that every answer carries, prepared once.

import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

export type Headers = Readonly<Record<string, string>>;

/** Nothing here is a page: no browser may run, frame or guess anything of it. */
const secure = helmet({
  xFrameOptions: { action: 'deny' },
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
});

/** On every answer (ruling 19), besides its X-Request-Id. */
export const COMMON_HEADERS: Headers = {
  ...securityHeaders(),
  // What an answer depends on: whose key asks, and in which encoding it is sent.
  Vary: 'x-api-key, Accept-Encoding',
};

/** Of every body. */
export const JSON_TYPE = 'application/json; charset=utf-8';

/** Of errors: what is wrong now may be right in a moment. */
export const NO_STORE: Headers = { 'Cache-Control': 'no-store' };

/** What helmet sets is the same for every request, so it is asked once. */
function securityHeaders(): Record<string, string> {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  secure(response.req, response, () => {});
  return Object.fromEntries(
    Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]),
  );
}
