// Finds the origin under which browsers reach the pages, and whether a form comes from one of them.

import type { Request } from 'express';

/**
 * The address to show to a person, without a slash at the end. It is `publicUrl`, but if that works only on this
 * machine, it is the address to which the request was sent.
 */
export function addressFor(request: Request, publicUrl: string): string {
  const isOnlyHere = /^(?:localhost|127\.|0\.0\.0\.0$|\[::1?\]$)/.test(new URL(publicUrl).hostname);
  return (isOnlyHere && ownOrigin(request)) || publicUrl;
}

/** Whether the header `Origin` names this service. False when it is missing or `null`. */
export function isOwnOrigin(request: Request, publicUrl: string): boolean {
  const { origin } = request.headers;
  return origin !== undefined && (origin === ownOrigin(request) || origin === new URL(publicUrl).origin);
}

/** Whether people reach the pages over https, so that cookies can be limited to https. */
export const isHttps = (request: Request, publicUrl: string): boolean =>
  request.secure || publicUrl.startsWith('https:');

/** The origin in the request's Host header, in the form of the header `Origin`; null when Host is not a host. */
function ownOrigin({ protocol, host }: Request): string | null {
  const isPlain = /^(?:[\w.-]+|\[[\d:a-f.]+\])(?::\d{1,5})?$/i.test(host ?? '');
  const url = `${protocol}://${host}`;
  return isPlain && URL.canParse(url) ? new URL(url).origin : null;
}
