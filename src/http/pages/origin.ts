// Tells where a browser sees us, and whether a form comes from one of our own pages.

import type { Request } from 'express';

/**
 * The address that a person can use: `publicUrl`, unless that leads to this machine alone; then the one that this
 * very request was sent to. No slash at the end.
 */
export function addressFor(request: Request, publicUrl: string): string {
  const isOnlyHere = /^(?:localhost|127\.|0\.0\.0\.0$|\[::1?\]$)/.test(new URL(publicUrl).hostname);
  return (isOnlyHere && ownOrigin(request)) || publicUrl;
}

/** Whether the request says that it comes from a page of ours: an `Origin` that is missing or `null` says nothing. */
export function isOwnOrigin(request: Request, publicUrl: string): boolean {
  const { origin } = request.headers;
  return origin !== undefined && (origin === ownOrigin(request) || origin === new URL(publicUrl).origin);
}

/** Whether cookies may be kept to https. */
export const isHttps = (request: Request, publicUrl: string): boolean =>
  request.secure || publicUrl.startsWith('https:');

/** As `Origin` would write it; `null` for a Host that is none. */
function ownOrigin({ protocol, host }: Request): string | null {
  const isPlain = /^(?:[\w.-]+|\[[\d:a-f.]+\])(?::\d{1,5})?$/i.test(host ?? '');
  const url = `${protocol}://${host}`;
  return isPlain && URL.canParse(url) ? new URL(url).origin : null;
}
