// Decides which snapshots a request means, and leases them.

import { isUtf8 } from 'node:buffer';
import type { Request } from 'express';
import { endOfDayMs, isDay } from '../../catalog/calendar.ts';
import { idParts, isSnapshotId } from '../../catalog/dataDirectory.ts';
import type { AnyManifest } from '../../catalog/manifest.ts';
import type { Lease } from '../../catalog/openSnapshots.ts';
import type { RetainedSnapshot } from '../../catalog/retainedSnapshots.ts';
import type { Snapshots } from '../../catalog/snapshots.ts';
import { ApiError, unavailable } from '../../errors.ts';
import { type CursorPosition, invalidCursor } from '../../query/cursor.ts';
import type { EndpointQuery } from './endpoint.ts';

/** The name of a snapshot: the client's id, month or day, the cursor's id, or `current`. */
type SnapshotName = { readonly by: 'client' | 'cursor'; readonly text: string } | 'current';

/** The snapshots that a request means. */
export interface WantedSnapshots {
  /** The client's text for the snapshot that answers; null when it gives none. */
  readonly asOf: string | null;
  readonly snapshot: SnapshotName;
  /** The snapshot to compare with; null when nothing is compared. */
  readonly base: SnapshotName | null;
}

/**
 * The snapshots that a query means. `until` takes precedence over the header, and both take precedence over the cursor.
 *
 * The exceptions are a month in `until` or `since` that is the month of the cursor's snapshot, and a day there that has
 * not ended. The cursor then names the snapshot, because a walk stays with the snapshots with which it began (ruling 14).
 * The month or day alone would mean a newer snapshot as soon as one is published. In the header, both always mean the
 * newest one.
 *
 * @param header the text of `X-Snapshot`; null without it.
 */
export function wantedSnapshots(
  { query, cursor }: NamingQuery,
  header: string | null,
  now: Date,
): WantedSnapshots {
  const { since = null, until = null } = query;
  const { snapshotId, sinceId } = cursor === null || cursor === 'malformed' ? NO_WALK : cursor;
  return {
    asOf: until ?? header,
    snapshot: until === null ? nameOf(header, snapshotId) : nameOnWalk(until, snapshotId, now),
    base: since === null ? null : nameOnWalk(since, sinceId, now),
  };
}

interface NamingQuery {
  readonly query: Pick<EndpointQuery, 'since' | 'until'>;
  readonly cursor: Pick<CursorPosition, 'snapshotId' | 'sinceId'> | 'malformed' | null;
}

const NO_WALK = { snapshotId: null, sinceId: null };

function nameOnWalk(text: string, cursorId: string | null, now: Date): SnapshotName {
  const mayMove = cursorId !== null && (idParts(cursorId)?.[0] === text || isUnended(text, now));
  return nameOf(mayMove ? null : text, cursorId);
}

/** Whether a text is a day that has not ended in UTC. */
function isUnended(text: string, now: Date): boolean {
  const endMs = endOfDayMs(text);
  return endMs !== null && now.getTime() < endMs;
}

function nameOf(text: string | null, cursorId: string | null): SnapshotName {
  if (text !== null) return { by: 'client', text };
  return cursorId === null ? 'current' : { by: 'cursor', text: cursorId };
}

interface LeaseTerms {
  /** The caller for whom an older snapshot may be opened; null when no snapshot may be opened. */
  readonly caller: string | null;
  /** Throws when the query cannot be answered from these snapshots. */
  check(manifest: AnyManifest, base: AnyManifest | null): void;
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
 * @throws {ApiError} 400 for a snapshot that is unknown or no longer retained, 503 when a snapshot cannot be leased
 * now.
 */
export function leaseSnapshots(
  snapshots: Snapshots,
  wanted: WantedSnapshots,
  terms: LeaseTerms,
): Leases | Promise<Leases> {
  const isCurrent = wanted.snapshot === 'current' && wanted.base === null;
  return isCurrent ? leaseCurrent(snapshots, terms) : leaseNamed(snapshots, wanted, terms);
}

/**
 * Leases the current snapshot without a promise, because it is open already. This saves time, because most requests are
 * about the current snapshot.
 */
function leaseCurrent(snapshots: Snapshots, { check }: LeaseTerms): Leases {
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
  wanted: WantedSnapshots,
  { caller, check }: LeaseTerms,
): Promise<Leases> {
  const base = wanted.base === null ? null : await find(snapshots, wanted.base);
  const found = await find(snapshots, wanted.snapshot);
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
 * @throws {ApiError} 503 when there is no current snapshot, 400 when the named snapshot is unknown or no longer
 * retained.
 */
async function find(snapshots: Snapshots, name: SnapshotName): Promise<FoundSnapshot> {
  const current = snapshots.currentWithoutLease();
  if (!current) throw unavailable();
  if (name === 'current' || name.text === current.manifest.id) return orThrow(current, unavailable);
  const { by, text } = name;
  const gone = () => (by === 'cursor' ? invalidCursor() : unknownSnapshot(text));
  const id = by === 'cursor' ? text : await snapshots.asOf(text);
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
