// Leases the snapshots of a request. The request or its cursor names a snapshot; otherwise it is the current one.

import { isUtf8 } from 'node:buffer';
import type { Request } from 'express';
import { idParts, isSnapshotId } from '../../catalog/dataDirectory.ts';
import { isDay } from '../../catalog/day.ts';
import type { AnyManifest } from '../../catalog/manifest.ts';
import type { Lease } from '../../catalog/openSnapshots.ts';
import type { RetainedSnapshot } from '../../catalog/retainedSnapshots.ts';
import type { Snapshots } from '../../catalog/snapshots.ts';
import { ApiError, unavailable } from '../../errors.ts';
import { type CursorPosition, invalidCursor } from '../../query/cursor.ts';

export interface WantedSnapshots {
  /** The snapshot that the client names by an id, a month or a day; null when it names none. */
  readonly asOf: string | null;
  /** The snapshot to compare with, named by an id, a month or a day; null when nothing is compared. */
  readonly since: string | null;
  /** The snapshots that the cursor names; null without a cursor. */
  readonly cursor: Pick<CursorPosition, 'snapshotId' | 'sinceId'> | null;
  /** The caller for whom an older snapshot may be opened; null when no snapshot may be opened. */
  readonly caller: string | null;
}

export interface Leases {
  readonly lease: Lease;
  /** The snapshot to compare with; null when nothing is compared. */
  readonly base: Lease | null;
}

/**
 * Finds the manifests of the snapshots, checks the query with them, then leases the snapshots. So no snapshot is opened
 * for a query that `check` refuses.
 *
 * @param check throws when the query cannot be answered from these snapshots.
 * @throws {ApiError} 400 for a snapshot that is unknown or no longer retained, 503 when a snapshot cannot be leased
 * now.
 */
export function leaseSnapshots(
  snapshots: Snapshots,
  wanted: WantedSnapshots,
  check: CheckManifests,
): Leases | Promise<Leases> {
  const { asOf, since, cursor } = wanted;
  const isCurrent = asOf === null && since === null && cursor === null;
  return isCurrent ? leaseCurrent(snapshots, check) : leaseNamed(snapshots, wanted, check);
}

type CheckManifests = (manifest: AnyManifest, base: AnyManifest | null) => void;

/**
 * Leases the current snapshot without a promise, because it is open already. This saves time, because most requests are
 * about the current snapshot.
 */
function leaseCurrent(snapshots: Snapshots, check: CheckManifests): Leases {
  const lease = snapshots.current();
  if (lease === null) throw unavailable();
  try {
    check(lease.snapshot.manifest, null);
    return { lease, base: null };
  } catch (refusal) {
    lease.release();
    throw refusal;
  }
}

async function leaseNamed(
  snapshots: Snapshots,
  { asOf, since, cursor, caller }: WantedSnapshots,
  check: CheckManifests,
): Promise<Leases> {
  const sinceId = cursor?.sinceId ?? null;
  const base = since === null ? null : await find(snapshots, namedOnWalk(since, sinceId), sinceId);
  const found = await find(snapshots, asOf, cursor?.snapshotId ?? null);
  check(found.manifest, base?.manifest ?? null);
  const lease = await found.lease(caller);
  if (base === null) return { lease, base };
  try {
    return { lease, base: await base.lease(caller) };
  } catch (refusal) {
    lease.release();
    throw refusal;
  }
}

/**
 * The text of `since` or `until`; null if it is the month of the cursor's snapshot. The cursor then names the snapshot,
 * because a walk stays with the revision with which it began (ruling 14). The month alone would mean a newer revision
 * as soon as one is published.
 */
export const namedOnWalk = (text: string, cursorId: string | null): string | null =>
  cursorId !== null && idParts(cursorId)?.[0] === text ? null : text;

/** Releases the leases of a request. */
export function releaseAll({ lease, base }: Leases): void {
  lease.release();
  base?.release();
}

/** The caller of a request: its key. Exports and openings of older snapshots are counted per caller. */
export const callerOf = ({ headers }: Request): string => String(headers['x-api-key'] ?? '');

/** The text of `X-Snapshot`; null without the header. */
export function namedByHeader({ headers }: Request): string | null {
  const header = headers['x-snapshot'];
  if (header === undefined) return null;
  // Node reads each byte of a header as one character. Clients send UTF-8, and a refusal repeats the text that they
  // sent.
  const bytes = Buffer.from(String(header), 'latin1');
  return isUtf8(bytes) ? bytes.toString() : bytes.toString('latin1');
}

/** Whether an answer never changes, because the client names the snapshot by its id. */
export const isImmutable = (asOf: string | null): boolean => asOf !== null && isSnapshotId(asOf);

interface FoundSnapshot {
  readonly manifest: AnyManifest;
  /** @throws {ApiError} 503 when the snapshot cannot be opened now, 400 when it is no longer retained. */
  lease(caller: string | null): Promise<Lease>;
}

/**
 * Finds the snapshot that `asOf` or else the cursor names, or else the current one.
 *
 * @throws {ApiError} 503 when there is no current snapshot, 400 when the named snapshot is unknown or no longer
 * retained.
 */
async function find(
  snapshots: Snapshots,
  asOf: string | null,
  cursorId: string | null,
): Promise<FoundSnapshot> {
  const current = snapshots.retainedCurrent();
  if (!current) throw unavailable();
  const named = asOf ?? cursorId;
  const gone = () => (asOf === null ? invalidCursor() : unknownSnapshot(asOf));
  if (named === null || named === current.manifest.id) return orThrow(current, unavailable);
  const id = asOf === null ? cursorId : await snapshots.asOf(asOf);
  const found = id === null ? null : await snapshots.find(id);
  if (!found) throw gone();
  return orThrow(found, gone);
}

const orThrow = ({ manifest, lease }: RetainedSnapshot, gone: () => ApiError): FoundSnapshot => ({
  manifest,
  async lease(caller) {
    const leased = await lease(caller);
    if (!leased) throw gone();
    return leased;
  },
});

const unknownSnapshot = (text: string): ApiError =>
  new ApiError(400, `Unknown snapshot: '${text}'. Use GET /snapshots to see retained snapshots.`, {
    help: [/^\d{4}-\d{2}-\d{2}$/.test(text) && !isDay(text) ? 'snapshot-day' : 'unknown-snapshot'],
  });
