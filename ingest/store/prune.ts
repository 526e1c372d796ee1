// Removes old snapshots, each in a single step; never the current one nor the one published before it.

import { readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { currentId, snapshotDirectory } from '../../src/catalog/dataDirectory.ts';
import { history } from '../../src/catalog/history.ts';
import { readListedDatasets, SnapshotRefused } from '../../src/catalog/verifyFiles.ts';
import { sync, TEMPORARY } from '../../src/store/switchCurrent.ts';
import { UsageError } from '../../src/usageError.ts';
import { recordedStep } from './history.ts';
import { recover } from './publish.ts';
import { succession, supersededAtMs } from './succession.ts';

export interface PruneOptions {
  readonly dataDir: string;
  /** How many of the newest snapshots remain. */
  readonly keep: number;
  /** Only list what would be removed. */
  readonly dryRun: boolean;
  readonly at: Date;
}

export interface Removed {
  readonly id: string;
  readonly bytes: number;
  /** When it was last superseded as current, as ISO 8601; null when that is not known. */
  readonly superseded: string | null;
  /** Superseded less than 48 hours ago: clients may still have cursors on it. */
  readonly recent: boolean;
}

export interface PruneResult {
  readonly status: 'pruned' | 'checked' | 'unchanged';
  readonly removed: readonly Removed[];
  /** The remaining snapshots, in the order of publication. */
  readonly kept: readonly string[];
}

/** How long clients may take for a walk. Cursors of a removed snapshot are invalid (ruling 14). */
const WALK_MS = 48 * 60 * 60 * 1000;

/**
 * Removes old snapshots. The current one, the one published just before it, and the newest ones by publication remain: as
 * many of these as it takes to have `keep` undamaged ones among them. A server that has a removed snapshot open finishes its responses.
 *
 * @throws {UsageError} when `current` names no snapshot that exists.
 */
export async function prune({ dataDir, keep, dryRun, at }: PruneOptions): Promise<PruneResult> {
  if (!dryRun) await recover(dataDir);
  const { retained, previousOf } = await succession(dataDir);
  const current = await currentId(dataDir);
  // Without a current snapshot, nothing says which one servers serve and which one rollback would return to.
  if (current === null || !retained.includes(current))
    throw new UsageError(
      `current names ${current === null ? 'no snapshot' : `${current}, which is not there`}; name one with rollback <id>, then prune`,
    );
  const safe = new Set([current, previousOf(current), ...(await newest(dataDir, retained, keep))]);
  const superseded = supersededAtMs(await history(dataDir));
  const removed: Removed[] = [];
  for (const id of retained.filter((id) => !safe.has(id))) {
    const since = superseded.get(id) ?? null;
    removed.push({
      id,
      bytes: await bytesBelow(snapshotDirectory(dataDir, id)),
      superseded: since === null ? null : new Date(since).toISOString(),
      recent: since !== null && at.getTime() - since < WALK_MS,
    });
    if (!dryRun) await remove(dataDir, id, at);
  }
  const kept = retained.filter((id) => safe.has(id));
  return { status: removed.length === 0 ? 'unchanged' : dryRun ? 'checked' : 'pruned', removed, kept };
}

/** The newest snapshots, until `keep` of them look undamaged. */
async function newest(dataDir: string, retained: readonly string[], keep: number): Promise<string[]> {
  const found: string[] = [];
  let undamaged = 0;
  for (const id of retained.toReversed()) {
    if (undamaged === keep) break;
    found.push(id);
    if (await looksUndamaged(dataDir, id)) undamaged += 1;
  }
  return found;
}

/** Whether a snapshot has a manifest and files of the lengths in it, which an interrupted copy or removal lacks. */
export async function looksUndamaged(dataDir: string, id: string): Promise<boolean> {
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

/** The size of all files below a folder. */
export async function bytesBelow(directory: string): Promise<number> {
  const names = await readdir(directory, { recursive: true }).catch(() => []);
  const found = await Promise.all(names.map((name) => stat(path.join(directory, name)).catch(() => null)));
  return found.reduce((sum, file) => sum + (file?.isFile() ? file.size : 0), 0);
}

/** Moves the snapshot out of `snapshots/` in one step, then deletes it; the next command deletes what an interruption leaves. */
async function remove(dataDir: string, id: string, at: Date): Promise<void> {
  const snapshots = path.join(dataDir, 'snapshots');
  await recordedStep(dataDir, { event: 'pruned', id, at: at.toISOString() }, async () => {
    await rename(path.join(snapshots, id), path.join(dataDir, TEMPORARY));
    await sync(snapshots);
    await rm(path.join(dataDir, TEMPORARY), { recursive: true, force: true });
  });
}
