// Parses the texts of settings: numbers, addresses and lists. `undefined` stands for a text that is not allowed.

/** Parses decimal digits that stand for a number from `least` to `most`. */
export const wholeNumber = (least: number, most: number) => (text: string) =>
  /^[0-9]+$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined;

/** A number from 0; 0.05 is 5 %. */
export const share = (text: string) => (/^[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) : undefined);

/** Hides a user and a password before the host of an address. */
export function maskUser(text: string): string {
  return text.replace(/^([a-z]+:\/\/)?.*@/is, '$1***@');
}

/** An address that links begin with, without the slashes at its end. */
export function publicAddress(text: string): string | undefined {
  const isWhole = /^https?:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?$/.test(text) && URL.canParse(text);
  return isWhole ? text.replace(/\/+$/, '') : undefined;
}

/** An address that can be called. `fetch` refuses one with a user or a password, and shows both in its message. */
export function parseCallable(text: string): string | undefined {
  const isWhole = /^https?:\/\/[^/?#@\s]+(?:[/?#]|$)/.test(text) && URL.canParse(text);
  return isWhole ? text : undefined;
}

/** Origins as browsers send them: lower case, without a default port or a path. */
export function parseOrigins(text: string): readonly string[] | '*' | undefined {
  if (text.trim() === '*') return '*';
  const origins = text.split(',').map((origin) => origin.trim());
  const isOrigin = (origin: string) =>
    /^https?:\/\//.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
  return origins.every(isOrigin) ? origins : undefined;
}

/** The address of an OpenID Connect provider. Plain http is allowed on this machine only. */
export function parseIssuer(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    return undefined;
  const isLocal = url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return url.protocol === 'https:' || isLocal ? text : undefined;
}

/** Any text but white space. */
export function anyText(text: string): string | undefined {
  return text.trim() === '' ? undefined : text;
}

/** E-mail addresses, and domains of them, in lower case. */
export function parseAllowed(text: string): readonly string[] | undefined {
  const all = text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((one) => one !== '');
  const isFine = (one: string) => /^(?:[^\s@]*@)?[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(one);
  return all.length > 0 && all.every(isFine) ? all : undefined;
}
