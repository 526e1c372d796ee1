// Encodes and decodes cursors, which name the position where a walk continues (ruling 14).

import { sha256 } from '../basics/sha256.ts';
import { ApiError } from '../errors.ts';
import type { SelectionQuery } from './parameters/parse.ts';
import { comparable } from './selection/compile.ts';

/** The content of a cursor: where a walk over rows, groups or changes continues, and its snapshots and query. */
export interface CursorPosition {
  readonly snapshotId: string;
  /** In a walk over the changes between two snapshots: the older one. Otherwise null. */
  readonly sinceId: string | null;
  /** The page begins after this row, group or change. Rows are counted in the published order of the whole dataset. */
  readonly position: number;
  /** A digest of the walk's query and the snapshot's content, in hexadecimal. */
  readonly digest: string;
}

/** The parts of a query that do not change during a walk. */
interface WalkQuery extends SelectionQuery {
  /** The endpoint and its own parameters, which also distinguish walks. Left out for endpoints that serve rows. */
  readonly walk?: readonly string[];
}

/** The parts of a manifest that a cursor must agree with. */
interface WalkedSnapshot {
  readonly fingerprint: string;
  /** How many positions the walk has. In a walk over the rows of a dataset, this is the number of rows. */
  readonly rows: number;
}

/**
 * The cursor for the rows after `position`, in base64url, which needs no escaping in a URL. It is not signed, because
 * it gives access only to rows that the same query without a cursor gives too.
 */
export function encodeCursor(
  query: WalkQuery,
  snapshot: { readonly id: string; readonly fingerprint: string; readonly sinceId?: string },
  position: number,
): string {
  const ids = snapshot.sinceId === undefined ? snapshot.id : `${snapshot.id} ${snapshot.sinceId}`;
  const checkOffset = HEAD_BYTES + ids.length;
  const bytes = Buffer.alloc(checkOffset + CHECK_BYTES);
  bytes.writeUInt8(VERSION, 0);
  bytes.writeUInt32BE(position, 1);
  bytes.write(digestOf(query, snapshot.fingerprint), DIGEST_OFFSET, 'hex');
  bytes.write(ids, HEAD_BYTES, 'latin1');
  bytes.write(checksumOf(bytes.subarray(0, checkOffset)), checkOffset, 'hex');
  return bytes.toString('base64url');
}

/**
 * The content of a cursor; `malformed` when the text is truncated, altered or not a cursor. Whether its snapshot exists
 * is not checked.
 */
export function decodeCursor(cursor: string): CursorPosition | 'malformed' {
  const bytes = Buffer.from(cursor, 'base64url');
  const payload = bytes.subarray(0, -CHECK_BYTES);
  // Node's decoder skips characters outside base64 and ignores surplus bits, so several texts decode to the same bytes.
  // Only the text that `encodeCursor` writes is accepted.
  const isOurs =
    bytes.toString('base64url') === cursor &&
    payload.length > HEAD_BYTES &&
    payload[0] === VERSION &&
    checksumOf(payload) === bytes.toString('hex', payload.length);
  if (!isOurs) return 'malformed';
  const [snapshotId = '', sinceId = null] = payload.toString('latin1', HEAD_BYTES).split(' ');
  return {
    snapshotId,
    sinceId,
    position: payload.readUInt32BE(1),
    digest: payload.toString('hex', DIGEST_OFFSET, HEAD_BYTES),
  };
}

/**
 * Checks that a cursor belongs to this query on this snapshot. The order of filters and values does not matter (ruling
 * 14). A snapshot with other content under the same id is refused.
 *
 * @throws {ApiError} 400 when it does not belong.
 */
export function expectSameWalk(
  { digest, position }: CursorPosition,
  query: WalkQuery,
  { fingerprint, rows }: WalkedSnapshot,
): void {
  if (digest !== digestOf(query, fingerprint) || position >= rows) throw invalidCursor();
}

/** The 400 for every invalid cursor (contract §7.2). */
export const invalidCursor = (): ApiError =>
  new ApiError(400, 'Invalid pagination cursor', { help: ['invalid-cursor'] });

const VERSION = 1;
const DIGEST_BYTES = 8;
const CHECK_BYTES = 4;
/** Where the digest begins: after the version and the position. */
const DIGEST_OFFSET = 1 + 4;
const HEAD_BYTES = DIGEST_OFFSET + DIGEST_BYTES;

function digestOf({ dataset, filters, period, walk = [] }: WalkQuery, fingerprint: string): string {
  const canonical = [...filters]
    .map(([name, values]) => [name, [...new Set(values.map((value) => comparable(name, value)))].sort()])
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  const years = period && [period.firstYear, period.lastYear];
  return sha256(JSON.stringify([fingerprint, dataset, canonical, years, ...walk]), 'hex').slice(
    0,
    2 * DIGEST_BYTES,
  );
}

/** A checksum that detects a cut or altered cursor. */
const checksumOf = (payload: Buffer): string => sha256(payload, 'hex').slice(0, 2 * CHECK_BYTES);
