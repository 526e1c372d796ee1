// Leases the snapshots that a request is about: the one that it names, else its cursor's, else the current one.

import { isUtf8 } from 'node:buffer';
import type { Request } from 'express';
import { idParts, isSnapshotId } from '../../catalog/dataDirectory.ts';
import { isDay } from '../../catalog/day.ts';
import type { AnyManifest } from '../../catalog/manifest.ts';
import type { Lease } from '../../catalog/openSnapshots.ts';
import type { RetainedSnapshot } from '../../catalog/retainedSnapshots.ts';
import type { Snapshots } from '../../catalog/snapshots.ts';
import { ApiError, unavailable } from '../../errors.ts';
import { invalidCursor } from '../../query/cursor.ts';

export interface Wanted {
  /** The snapshot that the client names: an id, a month or a day; null when it names none. */
  readonly asOf: string | null;
  /** The snapshot that the cursor names; null without a cursor. */
  readonly cursorId: string | null;
  /** The snapshot to compare with, named as `asOf` is; null for a query that compares nothing. */
  readonly since: string | null;
  /** The snapshot that the cursor compares with; null without one. */
  readonly cursorSinceId: string | null;
  /** The caller for whom older snapshots may be opened; null opens none. */
  readonly caller: string | null;
}

export interface Leases {
  readonly lease: Lease;
  /** The snapshot that the query compares with; null for a query that compares nothing. */
  readonly base: Lease | null;
}

/**
 * Finds the snapshots by their manifests, checks them, then leases them: what `check` refuses opens nothing.
 *
 * @param check throws when the query cannot be answered from these snapshots.
 * @throws {ApiError} 400 for a snapshot that is unknown or has gone, 503 when one cannot be leased now.
 */
export function leaseSnapshots(
  snapshots: Snapshots,
  wanted: Wanted,
  check: CheckManifests,
): Leases | Promise<Leases> {
  const { asOf, cursorId, since } = wanted;
  const isCurrent = asOf === null && cursorId === null && since === null;
  return isCurrent ? leaseCurrent(snapshots, check) : leaseNamed(snapshots, wanted, check);
}

type CheckManifests = (manifest: AnyManifest, base: AnyManifest | null) => void;

/** Most requests are about the current snapshot. It is open, so they get it without a promise. */
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
  { asOf, cursorId, since, cursorSinceId, caller }: Wanted,
  check: CheckManifests,
): Promise<Leases> {
  const base =
    since === null ? null : await find(snapshots, namedOnWalk(since, cursorSinceId), cursorSinceId);
  const found = await find(snapshots, asOf, cursorId);
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
 * The text by which `since` or `until` names a snapshot, or null where it leaves the choice to the cursor: a month means
 * another revision once one is published, and a walk stays with the revision it began with (ruling 14).
 */
export const namedOnWalk = (text: string, cursorId: string | null): string | null =>
  cursorId !== null && idParts(cursorId)?.[0] === text ? null : text;

export function releaseAll({ lease, base }: Leases): void {
  lease.release();
  base?.release();
}

/** The caller of a request is its key: openings of older snapshots and exports are counted per key. */
export const callerOf = ({ headers }: Request): string => String(headers['x-api-key'] ?? '');

/** The text of `X-Snapshot`; null without the header. */
export function namedByHeader({ headers }: Request): string | null {
  const header = headers['x-snapshot'];
  if (header === undefined) return null;
  // Node reads each byte of a header as a character. Clients send UTF-8, and the refusal repeats what they sent.
  const bytes = Buffer.from(String(header), 'latin1');
  return isUtf8(bytes) ? bytes.toString() : bytes.toString('latin1');
}

/** Answers for a snapshot named by its id never change. */
export const isImmutable = (asOf: string | null): boolean => asOf !== null && isSnapshotId(asOf);

interface Found {
  readonly manifest: AnyManifest;
  /** @throws {ApiError} 503 when it cannot be opened now, 400 when it has gone. */
  lease(caller: string | null): Promise<Lease>;
}

/** @throws {ApiError} 503 without any snapshot; 400 when the one named is unknown, or the cursor's is not retained. */
async function find(snapshots: Snapshots, asOf: string | null, cursorId: string | null): Promise<Found> {
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

const orThrow = ({ manifest, lease }: RetainedSnapshot, gone: () => ApiError): Found => ({
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
