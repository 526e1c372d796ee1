// Splits a query string into decoded pairs. Refuses broken percent-encoding and bytes that are not UTF-8 (rulings 3 and 4).

import { invalidParameters } from '../../errors.ts';

/** A parameter of a query string, decoded. */
export type Parameter = readonly [name: string, value: string];

/**
 * The parameters in the order given. They are split as URLSearchParams does it: at `&`, then at the first `=`. A `+` is
 * a space.
 *
 * `raw` is the part of the request line after `?`, one character per byte as node delivers it.
 *
 * @throws {ApiError} 400 for broken percent-encoding and bytes that are not UTF-8. URLSearchParams alone would accept
 * both, as `%` and as U+FFFD.
 */
export function decodeQuery(raw: string): Parameter[] {
  const parameters: Parameter[] = [];
  for (const part of raw.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = equals < 0 ? part : part.slice(0, equals);
    parameters.push([decodeComponent(name), equals < 0 ? '' : decodeComponent(part.slice(equals + 1))]);
  }
  return parameters;
}

// Matches a text in which every character stands for itself. Most clients send only these.
const PLAIN = /^[!-$&-*,-~]*$/;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeComponent(text: string): string {
  if (PLAIN.test(text)) return text;
  const spaced = text.replaceAll('+', ' ');
  if (ASCII.test(spaced)) return decodeAscii(spaced);
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) throw notDecodable();
  const bytes = spaced.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  try {
    return utf8.decode(Buffer.from(bytes, 'latin1'));
  } catch {
    throw notDecodable();
  }
}

const ASCII = /^[\0-\x7f]*$/;

/** Decodes a text in which all bytes beyond ASCII are percent-encoded. */
function decodeAscii(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw notDecodable();
  }
}

const notDecodable = () =>
  invalidParameters(
    {
      formErrors: ['The query string is not valid percent-encoded UTF-8'],
      fieldErrors: Object.create(null),
    },
    ['broken-encoding'],
  );
