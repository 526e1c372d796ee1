// Reads and writes the state that all users of a store share: `current.json` and the reserved ids.

import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { inOrderOfIds, isSnapshotId } from '../catalog/dataDirectory.ts';
import { type HistoryEntry, historyEntrySchema } from '../catalog/readHistory.ts';
import type { ObjectStore } from './objectStore.ts';
import { StoreFailed } from './s3Client.ts';
import { hasWholeSnapshot, repairedByPush, STORED_SNAPSHOTS_FOLDER } from './snapshotCopies.ts';

/** The name of the object with the shared state. */
export const SHARED_STATE_OBJECT = 'current.json';

const sharedStateSchema = z.object({
  format: z.literal(1),
  current: z.string().refine(isSnapshotId),
  /** Publications and rollbacks, oldest first. Prunes are not in it: each data directory records its own. */
  history: z.array(historyEntrySchema),
  abandoned: z.array(z.string()).default([]),
});

/**
 * The content of `current.json`. The history and the current snapshot are in one object, so that both change at once.
 */
export interface SharedState {
  readonly current: string;
  readonly history: readonly HistoryEntry[];
  /** Ids that were reserved by publications that lost against another one. They are never used again. */
  readonly abandoned: readonly string[];
  /** The ETag of the object as it was read. It changes with every publication and rollback. */
  readonly etag: string;
}

/**
 * Reads the state; null when nothing was published to the store yet.
 *
 * @param knownEtag the ETag of the state that the caller has; undefined for none. If the store still has this state, the
 * result is `unchanged`.
 * @throws {StoreFailed} when the object is damaged.
 */
export async function readSharedState(store: ObjectStore): Promise<SharedState | null>;
export async function readSharedState(
  store: ObjectStore,
  knownEtag: string | undefined,
): Promise<SharedState | 'unchanged' | null>;
export async function readSharedState(
  store: ObjectStore,
  known?: string,
): Promise<SharedState | 'unchanged' | null> {
  const found = await store.read(SHARED_STATE_OBJECT, known);
  if (found === null || found === 'unchanged') return found;
  const parsed = sharedStateSchema.safeParse(jsonOf(found.content.toString()));
  if (parsed.success) return { ...parsed.data, etag: found.etag };
  const [issue] = parsed.error.issues;
  throw new StoreFailed(
    `${SHARED_STATE_OBJECT} in the store at ${store.address} was damaged (${issue?.path.join('.') || 'the document'}: ${issue?.message}); ` +
      'remove the object, then `ingest push` from a machine with the whole history writes it anew',
  );
}

/**
 * Replaces the state, if it is still `before`.
 *
 * @param before the state that the caller has read; null when there was none.
 * @returns false when somebody else has changed the state since then.
 * @throws {StoreFailed} when the store sent no ETag with the state, so that such a change could not be detected.
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
  return store.write(SHARED_STATE_OBJECT, content, before === null ? 'new' : { etag: before.etag });
}

/**
 * Merges the history of a data directory with that of the store. The result has the entries of the store, with the prunes
 * of the directory in their places between them. Null when the directory has an entry of its own that is not a prune.
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
    const index = shared.findIndex((candidate, i) => i >= next && isDeepStrictEqual(candidate, entry));
    if (index < 0) return null;
    merged.push(...shared.slice(next, index + 1));
    next = index + 1;
  }
  return [...merged, ...shared.slice(next)];
}

/**
 * The message for a data directory whose history has entries that the store does not have, although the store's history is
 * not an earlier state of it (`isEarlierHistory`).
 */
export const divergedMessage = (dataDir: string, { address }: ObjectStore): string =>
  `${dataDir} has a history that the store at ${address} does not know: two clusters cannot share one place; ` +
  'give each a prefix of its own in SNAPSHOT_STORE, or name an empty DATA_DIR to join this one';

/**
 * Whether the history of a store is an earlier state of the history of a data directory. The directory then has all entries
 * of the store, and more.
 */
export function isEarlierHistory(shared: readonly HistoryEntry[], local: readonly HistoryEntry[]): boolean {
  const entries = local.filter(({ event }) => event !== 'pruned');
  return (
    shared.length > 0 &&
    entries.length > shared.length &&
    isDeepStrictEqual(entries.slice(0, shared.length), shared)
  );
}

/** The message for a store whose history lacks the newest entries of this machine's history. */
export const earlierHistoryMessage = (
  dataDir: string,
  { current }: SharedState,
  { address }: ObjectStore,
): string =>
  `${SHARED_STATE_OBJECT} in the store at ${address} names ${current} and lacks the last steps in the history of ${dataDir}: ` +
  'a cache in between answers, or the store was restored from a backup, or this machine published without SNAPSHOT_STORE; ' +
  `let caches pass ${SHARED_STATE_OBJECT} by; else, to keep those steps, remove the object, then \`ingest push\` from here writes it anew`;

/** The message for a store that lacks its current snapshot. */
export const lacksCurrentMessage = (current: string, { address }: ObjectStore): string =>
  `${SHARED_STATE_OBJECT} in the store at ${address} names ${current}, which the store lacks; ${repairedByPush(current)}`;

/** The message for a store that has files of a snapshot, but not its manifest. */
export const partialSnapshotMessage = (id: string, { address }: ObjectStore): string =>
  `the store at ${address} has no manifest of ${id}: only a part of it was pushed; ${repairedByPush(id)}`;

/** The folder of reservations. It has an object for each id that somebody is about to publish. */
export const RESERVATIONS_FOLDER = 'reserved';

/**
 * How many of the newest published snapshots are looked up by name if the store does not list them. An older one that the
 * store does not list was removed from it.
 */
const LOOKED_UP_BY_NAME = 3;

/**
 * The ids of the snapshots in the store, sorted by month and revision: those that were published, and those that were
 * pushed by hand. An id that is only reserved does not count, even if some of its files are there already.
 */
export async function storedIds(store: ObjectStore, state: SharedState | null): Promise<string[]> {
  const [folders, reserved] = await Promise.all([
    store.folders(STORED_SNAPSHOTS_FOLDER),
    store.names(RESERVATIONS_FOLDER),
  ]);
  const published = new Set(state?.history.map(({ id }) => id));
  const unpublished = new Set([...reserved.map(idOfReservation), ...(state?.abandoned ?? [])]);
  const listed = folders.filter((id) => isSnapshotId(id) && (published.has(id) || !unpublished.has(id)));
  const unlisted: string[] = [];
  // Some stores list a new object only later, so the newest snapshots are looked up by name where the listing lacks them.
  // Otherwise a rollback could go back two steps.
  for (const id of [...published].slice(-LOOKED_UP_BY_NAME))
    if (isSnapshotId(id) && !listed.includes(id) && (await hasWholeSnapshot(id, store))) unlisted.push(id);
  return inOrderOfIds([...listed, ...unlisted]);
}

/** The name of the object that reserves an id. */
export const reservationName = (id: string): string => `${RESERVATIONS_FOLDER}/${id}.json`;

/**
 * The id that an object reserves.
 *
 * @param name the name of the object, without the folder of reservations.
 */
export const idOfReservation = (name: string): string => name.replace(/\.json$/, '');

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
