// The state that all users of a store share: `current.json` with the current snapshot and the history, and reservations.

import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { isSnapshotId } from '../catalog/dataDirectory.ts';
import { type HistoryEntry, historyEntrySchema } from '../catalog/history.ts';
import { isComplete, SNAPSHOTS } from './copies.ts';
import type { ObjectStore } from './objectStore.ts';
import { StoreFailed } from './s3Client.ts';

export const CURRENT = 'current.json';

const sharedStateSchema = z.object({
  format: z.literal(1),
  current: z.string().refine(isSnapshotId),
  /** Publications and rollbacks, oldest first. Each data directory records the snapshots that it prunes by itself. */
  history: z.array(historyEntrySchema),
  abandoned: z.array(z.string()).default([]),
});

/** The content of `current.json`. History and current snapshot are one object, so that both change at once. */
export interface SharedState {
  readonly current: string;
  readonly history: readonly HistoryEntry[];
  /** Ids that were reserved by publications that did not win. They are never used again. */
  readonly abandoned: readonly string[];
  /** The ETag of the object as it was read. It changes with every publication and rollback. */
  readonly etag: string;
}

/**
 * Reads the state; null when nothing was published to the store yet.
 *
 * @param known the ETag of the state that the caller has. The result is `unchanged` when the store still has that one.
 * @throws {StoreFailed} when the object is not such a state.
 */
export async function readSharedState(
  store: ObjectStore,
  known?: string,
): Promise<SharedState | 'unchanged' | null> {
  const found = await store.read(CURRENT, known);
  if (found === null || found === 'unchanged') return found;
  const parsed = sharedStateSchema.safeParse(jsonOf(found.content.toString()));
  if (parsed.success) return { ...parsed.data, etag: found.etag };
  const [issue] = parsed.error.issues;
  throw new StoreFailed(
    `${CURRENT} in the store at ${store.address} was damaged (${issue?.path.join('.') || 'the document'}: ${issue?.message}); ` +
      'remove the object, then `ingest push` from a machine with the whole history writes it anew',
  );
}

/**
 * Replaces the state, unless it is no longer `before`.
 *
 * @param before the state as it was read; null when there is none yet.
 * @returns false when somebody else has changed the state in between.
 * @throws {StoreFailed} when the state was read without an ETag, so that nothing could exclude that.
 */
export async function swapSharedState(
  store: ObjectStore,
  before: SharedState | null,
  { current, history, abandoned }: Omit<SharedState, 'etag'>,
): Promise<boolean> {
  if (before?.etag === '')
    throw new StoreFailed(
      `the store at ${store.address} answers without ETags, so two publishers could both win; let proxies in between pass them on`,
    );
  const content = Buffer.from(`${JSON.stringify({ format: 1, current, history, abandoned }, null, 1)}\n`);
  return store.write(CURRENT, content, before === null ? 'new' : { etag: before.etag });
}

/**
 * Merges the history of a data directory with that of the store: the store's entries, with the directory's own prunes in
 * their places. Null when the directory has published or rolled back on its own.
 */
export function mergedHistory(
  local: readonly HistoryEntry[],
  shared: readonly HistoryEntry[],
): HistoryEntry[] | null {
  const merged: HistoryEntry[] = [];
  let next = 0;
  for (const entry of local) {
    if (entry.event === 'pruned') {
      merged.push(entry);
      continue;
    }
    const at = shared.findIndex((one, i) => i >= next && isDeepStrictEqual(one, entry));
    if (at < 0) return null;
    merged.push(...shared.slice(next, at + 1));
    next = at + 1;
  }
  return [...merged, ...shared.slice(next)];
}

/** The refusal of a data directory whose history is not part of the store's. */
export const divergedMessage = (dataDir: string, { address }: ObjectStore): string =>
  `${dataDir} has a history that the store at ${address} does not know: two clusters cannot share one place; ` +
  'give each a prefix of its own in SNAPSHOT_STORE, or name an empty DATA_DIR to join this one';

/** Whether a data directory knows all of a store's history, and more: what the store says is older than this machine. */
export function isOlder(shared: readonly HistoryEntry[], local: readonly HistoryEntry[]): boolean {
  const entries = local.filter(({ event }) => event !== 'pruned');
  return (
    shared.length > 0 &&
    entries.length > shared.length &&
    isDeepStrictEqual(entries.slice(0, shared.length), shared)
  );
}

/** The refusal of a state that lacks the newest steps of this machine's history. */
export const olderMessage = (dataDir: string, { current }: SharedState, { address }: ObjectStore): string =>
  `${CURRENT} in the store at ${address} names ${current} and lacks the last steps in the history of ${dataDir}: ` +
  'a cache in between answers, or the store was restored from a backup, or this machine published without SNAPSHOT_STORE; ' +
  `let caches pass ${CURRENT} by; else, to keep those steps, remove the object, then \`ingest push\` from here writes it anew`;

/** The folder of reservations. It has an object for each id that somebody is about to publish. */
export const RESERVED = 'reserved';

/**
 * The ids that the store has: published ones, and those that were pushed by hand. An id that is only reserved does not
 * count, even when some of its files are there. A published one that the listing leaves out is asked for by its name.
 */
export async function storedIds(store: ObjectStore, state: SharedState | null): Promise<string[]> {
  const [folders, reserved] = await Promise.all([store.folders(SNAPSHOTS), store.names(RESERVED)]);
  const published = new Set(state?.history.map(({ id }) => id));
  const unpublished = new Set([...reserved.map(idOfReservation), ...(state?.abandoned ?? [])]);
  const listed = folders.filter((id) => isSnapshotId(id) && (published.has(id) || !unpublished.has(id)));
  const leftOut: string[] = [];
  // Listings of some stores come late, or through a cache. Without this, a rollback would go back two steps.
  for (const id of published)
    if (isSnapshotId(id) && !listed.includes(id) && (await isComplete(id, store))) leftOut.push(id);
  return [...listed, ...leftOut].sort();
}

export const reservationOf = (id: string): string => `${RESERVED}/${id}.json`;

/** @param name below the folder of reservations. */
export const idOfReservation = (name: string): string => name.replace(/\.json$/, '');

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
