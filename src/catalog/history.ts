// Reads what happened to the snapshots: the history that ingest writes, a line each (docs/snapshots.md).

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { currentId, isSnapshotId, snapshotIds } from './dataDirectory.ts';

const historyEntrySchema = z.object({
  /** `published`, `rolled-back` or `pruned`. */
  event: z.string(),
  id: z.string(),
  at: z.string(),
  /** The snapshot that was current, of a rollback. */
  from: z.string().optional(),
  /** The SHA-256 of manifest.json, of a publication: the manifest vouches for the files, and this for it. */
  manifest: z.string().optional(),
});

/** One line of history.jsonl. Its order counts, not its times: a clock may be set back. */
export type HistoryEntry = z.infer<typeof historyEntrySchema>;

/** Below the data directory. */
export const HISTORY = 'history.jsonl';

/** The step being taken, while that takes. */
export const BEGUN = 'step.json';

/**
 * What happened so far, oldest first. A line cut by a crash is passed over; a step that was taken but not entered
 * counts.
 */
export async function history(dataDir: string): Promise<HistoryEntry[]> {
  const lines = await enteredHistory(dataDir);
  const begun = await begunStep(dataDir);
  const isMissing = begun !== null && !isEntered(lines, begun) && (await hasHappened(dataDir, begun));
  return isMissing ? [...lines, begun] : lines;
}

/** The lines of the file alone. */
export const enteredHistory = async (dataDir: string): Promise<HistoryEntry[]> =>
  (await readIfThere(dataDir, HISTORY)).split('\n').flatMap((line) => parsed(line) ?? []);

/** A step on a snapshot, or null when there is none or its file was cut. */
export async function begunStep(dataDir: string): Promise<HistoryEntry | null> {
  const begun = parsed(await readIfThere(dataDir, BEGUN));
  return begun !== null && isSnapshotId(begun.id) ? begun : null;
}

/** Whether a step that was begun has changed the snapshots. */
export async function hasHappened(dataDir: string, { event, id }: HistoryEntry): Promise<boolean> {
  if (event === 'pruned') return !(await snapshotIds(dataDir)).includes(id);
  return (await currentId(dataDir)) === id;
}

export const isEntered = (lines: readonly HistoryEntry[], entry: HistoryEntry): boolean =>
  lines.some((line) => JSON.stringify(line) === JSON.stringify(historyEntrySchema.parse(entry)));

/** The text of a file below the data directory; empty when it does not exist. */
export const readIfThere = (dataDir: string, file: string): Promise<string> =>
  readFile(path.join(dataDir, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    if (error.code !== 'EISDIR') throw error;
    throw new Error(`${path.join(dataDir, file)} must be a file and is a folder: move it away`);
  });

function parsed(line: string): HistoryEntry | null {
  try {
    return line === '' ? null : historyEntrySchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}
