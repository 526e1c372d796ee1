// Reads the history of the snapshots, which ingest writes with one line per event (docs/snapshots.md).

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { currentId, isSnapshotId, snapshotIds } from './dataDirectory.ts';

export const historyEntrySchema = z.object({
  /** `published`, `rolled-back` or `pruned`. */
  event: z.string(),
  id: z.string(),
  /** The operating system's user who did it; missing in lines older than this field. */
  by: z.string().optional(),
  at: z.string(),
  /** For a rollback: the snapshot that was current before. */
  from: z.string().optional(),
  /** For a publication: the SHA-256 of manifest.json, which in turn has those of the files. */
  manifest: z.string().optional(),
});

/** One line of history.jsonl. The order of lines counts, not their times: a clock may be set back. */
export type HistoryEntry = z.infer<typeof historyEntrySchema>;

/** The name of the history's file in the data directory. */
export const HISTORY_FILE = 'history.jsonl';

/** The name of the file that describes a step (publication, rollback or prune) while it runs. */
export const STEP_FILE = 'step.json';

/**
 * All events, oldest first. A line that a crash truncated is skipped. A step that took effect just before a crash counts,
 * although its line was not written.
 */
export async function history(dataDir: string): Promise<HistoryEntry[]> {
  const lines = await enteredHistory(dataDir);
  const begun = await begunStep(dataDir);
  const isMissing = begun !== null && !isEntered(lines, begun) && (await hasHappened(dataDir, begun));
  return isMissing ? [...lines, begun] : lines;
}

/** The events that the file holds, without a step whose line a crash prevented. */
export const enteredHistory = async (dataDir: string): Promise<HistoryEntry[]> =>
  (await readIfExists(dataDir, HISTORY_FILE)).split('\n').flatMap((line) => parsed(line) ?? []);

/** The step that was begun; null when there is none or its file is truncated. */
export async function begunStep(dataDir: string): Promise<HistoryEntry | null> {
  const begun = parsed(await readIfExists(dataDir, STEP_FILE));
  return begun !== null && isSnapshotId(begun.id) ? begun : null;
}

/** Whether a step that was begun has taken effect. */
export async function hasHappened(dataDir: string, { event, id }: HistoryEntry): Promise<boolean> {
  if (event === 'pruned') return !(await snapshotIds(dataDir)).includes(id);
  return (await currentId(dataDir)) === id;
}

export const isEntered = (lines: readonly HistoryEntry[], entry: HistoryEntry): boolean =>
  lines.some((line) => JSON.stringify(line) === JSON.stringify(historyEntrySchema.parse(entry)));

/** The text of a file below the data directory; empty when it does not exist. */
export const readIfExists = (dataDir: string, file: string): Promise<string> =>
  readFile(path.join(dataDir, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    if (error.code !== 'EISDIR') throw error;
    const message = `${path.join(dataDir, file)} must be a file and is a folder: move it away`;
    throw new Error(message, { cause: error });
  });

function parsed(line: string): HistoryEntry | null {
  try {
    return line === '' ? null : historyEntrySchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}
