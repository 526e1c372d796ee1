// Removes old snapshots: never the current one nor the one before it, and each in a single step.

import { readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { currentId, snapshotDirectory } from '../../src/catalog/dataDirectory.ts';
import { history } from '../../src/catalog/history.ts';
import { readListedDatasets, SnapshotRefused } from '../../src/catalog/verifyFiles.ts';
import { UsageError } from '../../src/usageError.ts';
import { step } from './history.ts';
import { recover, sync, TEMPORARY } from './publish.ts';
import { succession, supersededAtMs } from './succession.ts';

export interface PruneOptions {
  readonly dataDir: string;
  /** How many of the newest are kept. */
  readonly keep: number;
  /** Only say what would be removed. */
  readonly dryRun: boolean;
  readonly at: Date;
}

export interface Removed {
  readonly id: string;
  readonly bytes: number;
  /** When it last ceased to be current, as ISO 8601; null when that is not known. */
  readonly superseded: string | null;
  /** Less than 48 hours ago: walks may still be on it. */
  readonly recent: boolean;
}

export interface PruneResult {
  readonly status: 'pruned' | 'checked' | 'unchanged';
  readonly removed: readonly Removed[];
  /** In the order they were published. */
  readonly kept: readonly string[];
}

/** How long clients may take for a walk: cursors of a removed snapshot are invalid (ruling 14). */
const WALK_MS = 48 * 60 * 60 * 1000;

/**
 * Keeps the newest snapshots by publication, whole ones counted, and in any case the current one and the one
 * published just before it. A server that holds a removed one in memory ends its answers and opens it no more.
 *
 * @throws {UsageError} while `current` names none that is there.
 */
export async function prune({ dataDir, keep, dryRun, at }: PruneOptions): Promise<PruneResult> {
  if (!dryRun) await recover(dataDir);
  const { retained, previousOf } = await succession(dataDir);
  const current = await currentId(dataDir);
  // Which one a server goes on with, and which one before it is to be gone back to, nobody could say.
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

/** Those from the last on, until so many of them are whole at a glance. */
async function newest(dataDir: string, retained: readonly string[], keep: number): Promise<string[]> {
  const found: string[] = [];
  let whole = 0;
  for (const id of retained.toReversed()) {
    if (whole === keep) break;
    found.push(id);
    if (await isWholeAtAGlance(dataDir, id)) whole += 1;
  }
  return found;
}

/** Whether it has a manifest and files of the lengths that stand there: what a copy or removal cut short has not. */
export async function isWholeAtAGlance(dataDir: string, id: string): Promise<boolean> {
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

/** What all files below a folder take. */
export async function bytesBelow(directory: string): Promise<number> {
  const names = await readdir(directory, { recursive: true }).catch(() => []);
  const found = await Promise.all(names.map((name) => stat(path.join(directory, name)).catch(() => null)));
  return found.reduce((sum, file) => sum + (file?.isFile() ? file.size : 0), 0);
}

/** Out of `snapshots/` in one step; what is left of it is no snapshot and is removed by whoever comes next. */
async function remove(dataDir: string, id: string, at: Date): Promise<void> {
  const snapshots = path.join(dataDir, 'snapshots');
  await step(dataDir, { event: 'pruned', id, at: at.toISOString() }, async () => {
    await rename(path.join(snapshots, id), path.join(dataDir, TEMPORARY));
    await sync(snapshots);
    await rm(path.join(dataDir, TEMPORARY), { recursive: true, force: true });
  });
}
