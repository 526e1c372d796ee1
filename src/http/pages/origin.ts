// Finds the address under which browsers reach the pages, and checks that a form comes from there.

import type { Request } from 'express';

/**
 * The address to show to a person, without a slash at the end. It is `publicUrl`. If `publicUrl` works only on this
 * machine, it is the address to which the request was sent.
 */
export function publicUrlFor(request: Request, publicUrl: string): string {
  const isLocal = /^(?:localhost|127\.|0\.0\.0\.0$|\[::1?\]$)/.test(new URL(publicUrl).hostname);
  return (isLocal && originOfHost(request)) || publicUrl;
}

/** Whether the header `Origin` names this service. False when it is missing or `null`. */
export function isOwnOrigin(request: Request, publicUrl: string): boolean {
  const { origin } = request.headers;
  return origin !== undefined && (origin === originOfHost(request) || origin === new URL(publicUrl).origin);
}

/** Whether people reach the pages over https, so that cookies can be limited to https. */
export const isHttps = (request: Request, publicUrl: string): boolean =>
  request.secure || publicUrl.startsWith('https:');

/** The origin in the request's Host header, in the form of the header `Origin`; null when Host is not a host. */
function originOfHost({ protocol, host }: Request): string | null {
  const isPlain = /^(?:[\w.-]+|\[[\d:a-f.]+\])(?::\d{1,5})?$/i.test(host ?? '');
  const url = `${protocol}://${host}`;
  return isPlain && URL.canParse(url) ? new URL(url).origin : null;
}
