// Removes old snapshots, but never the current one and the one published before it.

import { lstat, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { currentId, snapshotDirectory } from '../../src/catalog/dataDirectory.ts';
import { readHistory } from '../../src/catalog/readHistory.ts';
import { readListedDatasets } from '../../src/catalog/readManifest.ts';
import { SnapshotRefused } from '../../src/catalog/snapshotRefused.ts';
import { UNFINISHED_FOLDER } from '../../src/store/switchCurrent.ts';
import { flushToDisk } from '../../src/system/flushToDisk.ts';
import { isDiskFull } from '../../src/system/systemError.ts';
import { UsageError } from '../../src/terminal/usageError.ts';
import { appendToHistory, runRecordedStep } from './historyWriter.ts';
import { publicationOrder, supersededMsById } from './publicationOrder.ts';
import { recover } from './publish.ts';
import { removeSnapshot } from './removeSnapshot.ts';

export interface PruneOptions {
  readonly dataDir: string;
  /** How many of the newest snapshots remain. */
  readonly keep: number;
  /** Whether the snapshots to remove are only listed. */
  readonly dryRun: boolean;
  readonly at: Date;
  /** The snapshot that `makeRoom` has already removed. */
  readonly removedForRoom?: RemovedSnapshot | null;
}

export interface RemovedSnapshot {
  readonly id: string;
  readonly bytes: number;
  /** When another snapshot last became current in its place, as ISO 8601; null when that is unknown. */
  readonly superseded: string | null;
  /** Whether it was superseded less than 48 hours ago. Clients may still have cursors on it then. */
  readonly recent: boolean;
}

export interface PruneResult {
  readonly status: 'pruned' | 'checked' | 'unchanged';
  readonly removed: readonly RemovedSnapshot[];
  /** The remaining snapshots, in the order of publication. */
  readonly kept: readonly string[];
}

/** How long clients may take to walk through pages. The cursors of a removed snapshot are invalid. */
const WALK_MS = 48 * 60 * 60 * 1000;

/**
 * Removes old snapshots. The current one and the one published just before it remain. The newest ones remain too: the last
 * `keep` undamaged ones, and the damaged ones among them. A server that has a removed snapshot open finishes its responses.
 *
 * @throws {UsageError} when `current` names no snapshot that exists.
 */
export async function prune(options: PruneOptions): Promise<PruneResult> {
  const { dataDir, dryRun, at } = options;
  const removed = dryRun ? [] : await recoverWithRoom(options);
  for (const { id } of removed) await appendToHistory(dataDir, pruneEntry(id, at)).catch(() => {});
  const { toRemove, toKeep } = await chooseSnapshots(options);
  for (const id of toRemove) {
    removed.push(await describeSnapshot(id, options));
    if (!dryRun) await runRecordedStep(dataDir, pruneEntry(id, at), () => removeSnapshot(dataDir, id));
  }
  const done = dryRun ? 'checked' : 'pruned';
  return { status: removed.length === 0 ? 'unchanged' : done, removed, kept: toKeep };
}

/**
 * Completes or undoes the step of a killed command (`recover`). If the disk is too full for that, it removes a snapshot
 * first. Without a snapshot to remove, it changes nothing, and `prune` has nothing to do either.
 *
 * @returns The snapshots that were removed to make room, here or by an earlier `makeRoom`: one or none.
 */
async function recoverWithRoom(options: PruneOptions): Promise<RemovedSnapshot[]> {
  const { dataDir, removedForRoom = null } = options;
  try {
    await recover(dataDir);
    return removedForRoom === null ? [] : [removedForRoom];
  } catch (error) {
    if (removedForRoom !== null || !isDiskFull(error)) throw error;
  }
  const removed = await makeRoom(options);
  if (removed === null) return [];
  await recover(dataDir);
  return [removed];
}

/**
 * Frees space on a disk that is too full even for the lock file or a line of the history. It removes the leftovers of a
 * killed command, then the first snapshot that `prune` would remove. It may run without the lock: on a disk without room
 * for the lock file, nobody else has the lock either. The caller takes the lock afterwards, and `prune` removes the rest.
 *
 * @returns The removed snapshot; null when there is none to remove.
 */
export async function makeRoom(options: PruneOptions): Promise<RemovedSnapshot | null> {
  const { dataDir } = options;
  const aside = path.join(dataDir, UNFINISHED_FOLDER);
  await rm(aside, { recursive: true, force: true });
  const [id] = (await chooseSnapshots(options)).toRemove;
  if (id === undefined) return null;
  const removed = await describeSnapshot(id, options);
  await rename(snapshotDirectory(dataDir, id), aside);
  // A file may have the name of a snapshot. A link is removed, and the folder that it leads to stays.
  if (!(await lstat(aside)).isDirectory()) await rm(aside);
  // Only files are removed. Another command may take the lock from now on and create folders in this folder.
  else for (const name of await readdir(aside)) await rm(path.join(aside, name)).catch(() => {});
  await flushToDisk(dataDir);
  return removed;
}

/** The snapshots to remove and those to keep, in the order of publication. */
async function chooseSnapshots({
  dataDir,
  keep,
}: PruneOptions): Promise<{ toRemove: string[]; toKeep: string[] }> {
  const { retained, previousOf } = await publicationOrder(dataDir);
  const current = await currentId(dataDir);
  // Without a current snapshot, it is unknown which one servers serve and to which one a rollback would return.
  if (current === null || !retained.includes(current))
    throw new UsageError(
      `current names ${current === null ? 'no snapshot' : `${current}, which is not there`}; name one with rollback <id>, then prune`,
    );
  const safe = new Set([current, previousOf(current), ...(await newestIds(dataDir, retained, keep))]);
  return {
    toRemove: retained.filter((id) => !safe.has(id)),
    toKeep: retained.filter((id) => safe.has(id)),
  };
}

async function describeSnapshot(id: string, { dataDir, at }: PruneOptions): Promise<RemovedSnapshot> {
  const since = supersededMsById(await readHistory(dataDir)).get(id) ?? null;
  return {
    id,
    bytes: await bytesBelow(snapshotDirectory(dataDir, id)),
    superseded: since === null ? null : new Date(since).toISOString(),
    recent: since !== null && at.getTime() - since < WALK_MS,
  };
}

const pruneEntry = (id: string, at: Date) => ({ event: 'pruned', id, at: at.toISOString() });

/** The last `keep` undamaged snapshots, and the damaged ones among them; all snapshots if fewer are undamaged. */
async function newestIds(dataDir: string, retained: readonly string[], keep: number): Promise<string[]> {
  const found: string[] = [];
  let undamaged = 0;
  for (const id of retained.toReversed()) {
    if (undamaged === keep) break;
    found.push(id);
    if (await looksUndamaged(dataDir, id)) undamaged += 1;
  }
  return found;
}

/**
 * Whether a snapshot has a manifest, and files of the sizes in it. A snapshot that was copied or removed in part does not.
 */
async function looksUndamaged(dataDir: string, id: string): Promise<boolean> {
  const directory = snapshotDirectory(dataDir, id);
  try {
    const datasets = await readListedDatasets(directory);
    const sizes = Object.values(datasets).map(
      async ({ file, bytes }) => (await stat(path.join(directory, path.basename(file)))).size === bytes,
    );
    return (await Promise.all(sizes)).every((isRight) => isRight);
  } catch (error) {
    if (error instanceof SnapshotRefused || (error as NodeJS.ErrnoException).code !== undefined) return false;
    throw error;
  }
}

async function bytesBelow(directory: string): Promise<number> {
  return [...(await fileSizes(directory)).values()].reduce((sum, size) => sum + size, 0);
}

/** The size of each file below a folder, by its path in the folder. Files that cannot be read are left out. */
export async function fileSizes(directory: string): Promise<ReadonlyMap<string, number>> {
  const names = await readdir(directory, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    names.map(async (name): Promise<[string, number][]> => {
      const file = await stat(path.join(directory, name)).catch(() => null);
      return file?.isFile() ? [[name, file.size]] : [];
    }),
  );
  return new Map(sizes.flat());
}
