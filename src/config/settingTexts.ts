// Parses the texts of settings. Each parser returns undefined for a text that is not allowed.

import { isIP } from 'node:net';
import path from 'node:path';

/** Makes a parser of whole numbers from `least` to `most`, which are written in decimal digits. */
export const wholeNumber = (least: number, most: number) => (text: string) =>
  /^[0-9]+$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined;

/** Parses a share: a number from 0, where 0.05 is 5 %. */
export const parseShare = (text: string) => (/^[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) : undefined);

/** Hides the user and the password before the host of an address. */
export function maskUser(text: string): string {
  return text.replace(/^([a-z]+:\/\/)?.*@/is, '$1***@');
}

/** Parses the address or name of a host. A host with a port, such as `localhost:3000`, is not allowed. */
export function parseHost(text: string): string | undefined {
  const isName = /^[0-9A-Za-z._-]+$/.test(text) && URL.canParse(`http://${text}`);
  return isName || isIP(text) === 6 ? text : undefined;
}

/**
 * Parses the path of a folder. Spaces and quotes around it are not allowed, nor `~`, a variable or an address at its start.
 * Files of variables keep them all, and the server would start in another folder, without keys.
 */
export function parseFolder(text: string): string | undefined {
  const isPath = isBare(text) && !/^(["']).*\1$|^~|^\$|^\w+:\/\/|\0/.test(text);
  return isPath ? path.resolve(text) : undefined;
}

/** Whether a text is not empty, and has no spaces around it and no line ends in it. */
const isBare = (text: string): boolean => /^\S(?:.*\S)?$/.test(text);

/** Parses the address with which links begin, and removes the slashes at its end. A list of addresses is not allowed. */
export function parsePublicAddress(text: string): string | undefined {
  const isWhole = /^https?:\/\/[^/?#@,\s]+(?:\/[^?#\s]*)?$/.test(text) && URL.canParse(text);
  return isWhole ? text.replace(/\/+$/, '') : undefined;
}

/** Parses the address of a webhook. A user and a password are not allowed: `fetch` would show both in its error message. */
export function parseCallable(text: string): string | undefined {
  const isWhole = /^https?:\/\/[^/?#@,\s]+(?:[/?#]\S*)?$/.test(text) && URL.canParse(text);
  return isWhole ? text : undefined;
}

/** Parses origins in the form in which browsers send them: in lower case, without a default port and without a path. */
export function parseOrigins(text: string): readonly string[] | '*' | undefined {
  if (text.trim() === '*') return '*';
  const origins = text.split(',').map((origin) => origin.trim());
  const isOrigin = (origin: string) =>
    /^https?:\/\//.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
  return origins.every(isOrigin) ? origins : undefined;
}

/** Parses the address of an OpenID Connect provider. It must be https, except on this machine. */
export function parseIssuer(text: string): string | undefined {
  const url = /^\S+$/.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    return undefined;
  const isLocal = url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return url.protocol === 'https:' || isLocal ? text : undefined;
}

/** Accepts a text in one line, without spaces around it: a secret that was read from a file may end in a line end. */
export function parseLine(text: string): string | undefined {
  return isBare(text) ? text : undefined;
}

/** Parses a list of e-mail addresses and domains. Turns them into lower case. */
export function parseAllowed(text: string): readonly string[] | undefined {
  const entries = text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '');
  const isAllowed = (entry: string) => /^(?:[^\s@]*@)?[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(entry);
  return entries.length > 0 && entries.every(isAllowed) ? entries : undefined;
}
