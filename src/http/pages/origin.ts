// The origin under which browsers reach us, and whether a form comes from one of our pages.

import type { Request } from 'express';

/**
 * The address to show to a person: `publicUrl`, or, when that leads only to this machine, the address that the request
 * was sent to. No slash at the end.
 */
export function addressFor(request: Request, publicUrl: string): string {
  const isOnlyHere = /^(?:localhost|127\.|0\.0\.0\.0$|\[::1?\]$)/.test(new URL(publicUrl).hostname);
  return (isOnlyHere && ownOrigin(request)) || publicUrl;
}

/** Whether the `Origin` header names us; false when it is missing or `null`. */
export function isOwnOrigin(request: Request, publicUrl: string): boolean {
  const { origin } = request.headers;
  return origin !== undefined && (origin === ownOrigin(request) || origin === new URL(publicUrl).origin);
}

/** Whether people reach us over https, so that cookies may be limited to it. */
export const isHttps = (request: Request, publicUrl: string): boolean =>
  request.secure || publicUrl.startsWith('https:');

/** The origin of the request's own Host header, as `Origin` writes it; `null` for a Host that is no host. */
function ownOrigin({ protocol, host }: Request): string | null {
  const isPlain = /^(?:[\w.-]+|\[[\d:a-f.]+\])(?::\d{1,5})?$/i.test(host ?? '');
  const url = `${protocol}://${host}`;
  return isPlain && URL.canParse(url) ? new URL(url).origin : null;
}
