// Reads the `Range` header of a request for a file (RFC 9110 §14).

import type { IncomingHttpHeaders } from 'node:http';

/** Bytes of a file; both ends are included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

export type RangeRequest =
  /** The whole file. The request has no range, several ranges, or a range that is not well formed. */
  { readonly kind: 'whole' } | ({ readonly kind: 'part' } & ByteRange) | { readonly kind: 'unsatisfiable' };

const WHOLE: RangeRequest = { kind: 'whole' };

/**
 * The part of a file of `size` bytes that a request wants.
 *
 * @param etag the file's strong ETag. With another ETag in `If-Range`, the client wants the whole file.
 */
export function requestedRange(
  { range, 'if-range': ifRange }: IncomingHttpHeaders,
  size: number,
  etag: string,
): RangeRequest {
  if (range === undefined || (ifRange !== undefined && String(ifRange).trim() !== etag)) return WHOLE;
  const [, start = '', end = ''] = RANGE_HEADER.exec(range) ?? [];
  if (start === '' && end === '') return WHOLE;
  if (start === '') {
    const length = Math.min(Number(end), size);
    return length === 0 ? { kind: 'unsatisfiable' } : { kind: 'part', first: size - length, last: size - 1 };
  }
  const [first, last] = [Number(start), end === '' ? size - 1 : Number(end)];
  if (end !== '' && last < first) return WHOLE;
  if (first >= size) return { kind: 'unsatisfiable' };
  return { kind: 'part', first, last: Math.min(last, size - 1) };
}

const RANGE_HEADER = /^bytes=(\d*)-(\d*)$/i;
