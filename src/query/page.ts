// A page of a selection: the rows behind a place, and the cursor that names the next place (rulings 11, 12, 14).

import { createHash } from 'node:crypto';
import { ApiError } from '../errors.ts';
import { comparable } from './compile.ts';
import type { RowQuery } from './parse.ts';

/** The rows that a query selects, by position in the published order. */
export interface Selection {
  readonly rows: number;
  /** Ascending; `null` when they are simply the first `rows`. */
  readonly positions: Uint32Array | null;
}

export interface Page {
  readonly positions: Uint32Array;
  /** Whether rows follow: exact. */
  readonly hasMore: boolean;
}

export interface PageAsked {
  /** A position; -1 begins at the first row. */
  readonly after: number;
  readonly limitRows: number;
}

/** Up to `limitRows` rows behind position `after`. */
export function pageOf({ rows, positions }: Selection, { after, limitRows }: PageAsked): Page {
  const first = positions ? firstBehind(positions, after) : after + 1;
  const end = Math.max(first, Math.min(first + limitRows, rows));
  return {
    positions:
      positions?.subarray(first, end) ?? Uint32Array.from({ length: end - first }, (_, i) => first + i),
    hasMore: end < rows,
  };
}

/** The place a cursor names: a row of a dataset of one snapshot, in a walk through one set of filters. */
export interface Place {
  readonly snapshotId: string;
  readonly position: number;
  /** Of dataset, filters and the snapshot's content. */
  readonly digest: Buffer;
}

/** What a cursor's filters are compared by. */
type Filtered = Pick<RowQuery, 'dataset' | 'filters' | 'period'>;

/**
 * The cursor behind the row at `position`: base64url, so it stands in a URL as it is. Needs no secret: it grants
 * nothing that the query alone would not.
 */
export function encodeCursor(query: Filtered, snapshot: SnapshotName, position: number): string {
  const id = Buffer.from(snapshot.id, 'latin1');
  const payload = Buffer.alloc(HEAD_BYTES + id.length);
  payload.writeUInt8(VERSION, 0);
  payload.writeUInt32BE(position, 1);
  digestOf(query, snapshot).copy(payload, 5);
  id.copy(payload, HEAD_BYTES);
  return Buffer.concat([payload, sha256(payload).subarray(0, CHECK_BYTES)]).toString('base64url');
}

/**
 * The place that a cursor names, before it is known whether that snapshot is there.
 *
 * @throws {ApiError} 400 when it is cut, altered in any character or none of ours.
 */
export function decodeCursor(cursor: string): Place {
  const bytes = Buffer.from(cursor, 'base64url');
  const payload = bytes.subarray(0, -CHECK_BYTES);
  // Node skips what is no base64 and ignores surplus bits: only the one spelling we write is ours.
  const ours =
    bytes.toString('base64url') === cursor &&
    payload.length > HEAD_BYTES &&
    payload[0] === VERSION &&
    sha256(payload).subarray(0, CHECK_BYTES).equals(bytes.subarray(-CHECK_BYTES));
  if (!ours) throw invalidCursor();
  return {
    snapshotId: payload.toString('latin1', HEAD_BYTES),
    position: payload.readUInt32BE(1),
    digest: payload.subarray(5, HEAD_BYTES),
  };
}

/**
 * Whether a cursor belongs to this query on this snapshot. The order of filters and values does not matter
 * (ruling 14); a snapshot that has taken the id of another one does.
 *
 * @throws {ApiError} 400 when it does not.
 */
export function expectSameWalk(
  { digest, position }: Place,
  query: Filtered,
  snapshot: SnapshotName & { rows: number },
) {
  if (!digest.equals(digestOf(query, snapshot)) || position >= snapshot.rows) throw invalidCursor();
}

/** The one answer to every cursor that leads nowhere (contract §7.2). */
export const invalidCursor = (): ApiError => new ApiError(400, 'Invalid pagination cursor');

interface SnapshotName {
  readonly id: string;
  readonly fingerprint: string;
}

const VERSION = 1;
const DIGEST_BYTES = 8;
const CHECK_BYTES = 4;
/** Version, position, digest. */
const HEAD_BYTES = 1 + 4 + DIGEST_BYTES;

function digestOf({ dataset, filters, period }: Filtered, { fingerprint }: SnapshotName): Buffer {
  const canonical = [...filters]
    .map(([name, values]) => [name, [...new Set(values.map((value) => comparable(name, value)))].sort()])
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  const years = period && [period.firstYear, period.lastYear];
  return sha256(JSON.stringify([fingerprint, dataset, canonical, years])).subarray(0, DIGEST_BYTES);
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

/** The first index whose position lies behind `after`. */
function firstBehind(positions: Uint32Array, after: number): number {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((positions[middle] ?? 0) <= after) low = middle + 1;
    else high = middle;
  }
  return low;
}
