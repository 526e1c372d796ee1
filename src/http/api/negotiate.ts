// Reads what a client prefers: the format and the encoding of its answer (RFC 9110 §12.5), and strict handling (RFC 7240).

import type { IncomingMessage } from 'node:http';
import type { ContentEncoding } from '../../cache/compression.ts';
import { ARROW_REPRESENTATION } from '../../query/rendering/renderArrow.ts';
import { CSV_REPRESENTATION } from '../../query/rendering/renderCsv.ts';
import { JSON_REPRESENTATION } from '../../query/rendering/renderJson.ts';
import type { Representation } from '../../query/rendering/representation.ts';
import { STRICT_HANDLING } from '../../query/strictHandling.ts';

/** The formats of pages of rows, totals and changes. Of several with the same weight, the first is chosen. */
export const PAGE_REPRESENTATIONS: readonly Representation[] = [
  JSON_REPRESENTATION,
  CSV_REPRESENTATION,
  ARROW_REPRESENTATION,
];

/** The format of every other endpoint. */
export const JSON_ONLY: readonly Representation[] = [JSON_REPRESENTATION];

/**
 * The representation with the greatest weight in `Accept` (RFC 9110 §12.5.1). The first one is chosen when several have
 * this weight, and when the client accepts none of them.
 */
export function representationOf(
  { headers }: Pick<IncomingMessage, 'headers'>,
  representations: readonly Representation[],
): Representation {
  const [first = JSON_REPRESENTATION] = representations;
  const { accept } = headers;
  if (accept === undefined || accept === '*/*' || representations.length === 1) return first;
  const ranges = mediaRanges(accept);
  const weights = representations.map(({ contentType }) => weightOf(ranges, contentType));
  const greatest = Math.max(...weights);
  return greatest > 0 ? (representations[weights.indexOf(greatest)] ?? first) : first;
}

interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  /** Parameters such as `charset=utf-8`, in lower case. */
  readonly parameters: readonly string[];
  readonly weight: number;
}

/** The media ranges in the header `Accept`. Elements that are not media ranges are ignored. */
function mediaRanges(accept: string): MediaRange[] {
  return splitOutsideQuotes(accept.toLowerCase(), ',').flatMap((element) => {
    const [range = '', ...parameters] = splitOutsideQuotes(element, ';').map((part) => part.trim());
    const [type = '', subtype = '', ...more] = range.split('/').map((part) => part.trim());
    if (type === '' || subtype === '' || more.length > 0) return [];
    const q = parameters.findIndex((parameter) => /^q\s*=/.test(parameter));
    const weight = q < 0 ? 1 : qualityOf(parameters[q] ?? '');
    if (weight === null) return [];
    // Parameters after the weight do not belong to the media type.
    const ofType = parameters.slice(0, q < 0 ? undefined : q).map((text) => text.replace(/["\s]/g, ''));
    return [{ type, subtype, parameters: ofType.filter((text) => text !== ''), weight }];
  });
}

/** A weight from 0 to 1, with three decimals at most; null for anything else. */
function qualityOf(parameter: string): number | null {
  const [, text] = /^q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(parameter) ?? [];
  return text === undefined ? null : Number(text);
}

/** The weight of the most specific range that includes a media type; 0 when no range includes it. */
function weightOf(ranges: readonly MediaRange[], contentType: string): number {
  const [mediaType = '', ...parameters] = contentType.split(';').map((part) => part.trim());
  const [type, subtype] = mediaType.split('/');
  let [weight, greatest] = [0, -1];
  for (const range of ranges) {
    const isType = range.type === type || (range.type === '*' && range.subtype === '*');
    const isSubtype = range.subtype === subtype || range.subtype === '*';
    if (!isType || !isSubtype || !range.parameters.every((text) => parameters.includes(text))) continue;
    const specificity =
      (range.type === '*' ? 0 : 1) + (range.subtype === '*' ? 0 : 1) + range.parameters.length;
    if (specificity > greatest) [weight, greatest] = [range.weight, specificity];
  }
  return weight;
}

/** `gzip` when the client accepts gzip or `*` and does not give `identity` a greater weight, else `identity`. */
export function encodingOf({ headers }: Pick<IncomingMessage, 'headers'>): ContentEncoding {
  const header = headers['accept-encoding'];
  if (header === undefined) return 'identity';
  const weights = new Map(
    header.split(',').map((part): [string, number] => {
      const [coding = '', ...parameters] = part.trim().toLowerCase().split(';');
      const weight = parameters
        .map((text) => /^\s*q=([\d.]+)\s*$/.exec(text)?.[1])
        .find((q) => q !== undefined);
      return [coding.trim(), Number(weight ?? 1)];
    }),
  );
  const weight = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  return weight > 0 && weight >= (weights.get('identity') ?? 0) ? 'gzip' : 'identity';
}

/**
 * Whether the client prefers strict handling, so that an unknown filter value is an error. The first of several `handling`
 * preferences in `Prefer` counts.
 */
export function wantsStrict({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const header = headers.prefer;
  if (header === undefined) return false;
  for (const preference of splitOutsideQuotes(String(header), ',')) {
    const [, name = '', quoted, token] =
      /^([^\s=;]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*)))?/.exec(preference.trim()) ?? [];
    if (name.toLowerCase() === 'handling') return (quoted ?? token ?? '') === 'strict';
  }
  return false;
}

/** The header that tells a client that `handling=strict` was applied. */
export const STRICT_APPLIED = ['Preference-Applied', STRICT_HANDLING] as const;

/**
 * The parts of a header's value between separators outside quotes. A quote that is never closed is plain text. A regular
 * expression would take seconds for some values.
 */
export function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let start = 0;
  // After a quote that is never closed, every quote has a backslash before it. None of them opens a quoted text, and a
  // search for the end of each would take quadratic time.
  let isUnclosed = false;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === separator) {
      parts.push(text.slice(start, i));
      start = i + 1;
    } else if (text[i] === '"' && !isUnclosed) {
      const end = closingQuote(text, i + 1);
      isUnclosed = end < 0;
      if (!isUnclosed) i = end;
    }
  }
  return [...parts, text.slice(start)];
}

/** The position of the first quote without a backslash before it; -1 when there is none. */
function closingQuote(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    if (text[i] === '"') return i;
    if (text[i] === '\\') i++;
  }
  return -1;
}
