// Reads the history of the snapshots, which ingest writes with one line per event (docs/snapshots.md).

import path from 'node:path';
import { z } from 'zod';
import { currentId, isSnapshotId, snapshotIds } from './dataDirectory.ts';
import { NotAFile, readRegularFile } from './regularFile.ts';

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

/** A line of the history is damaged, so the order of the snapshots and the days on which they were current are unknown. */
export class HistoryDamaged extends Error {
  /** As of the system: clients see 503 until the file is repaired. */
  readonly code = 'EBADMSG';

  constructor(file: string, line: number) {
    super(
      `${file}, line ${line}, is damaged; restore the file from a backup, or remove the line: ` +
        'a snapshot whose publication is not in the history counts as published before all others',
    );
    this.name = 'HistoryDamaged';
  }
}

/**
 * All events, oldest first. A line that a crash truncated is skipped. A step that took effect just before a crash counts,
 * although its line was not written.
 *
 * @throws {HistoryDamaged} for any other line that is no entry.
 */
export async function history(dataDir: string): Promise<HistoryEntry[]> {
  const lines = await enteredHistory(dataDir);
  const begun = await begunStep(dataDir);
  const isMissing = begun !== null && !isEntered(lines, begun) && (await hasHappened(dataDir, begun));
  return isMissing ? [...lines, begun] : lines;
}

/**
 * The events that the file holds, without a step whose line a crash prevented.
 *
 * @throws {HistoryDamaged} as `history`.
 */
export const enteredHistory = (dataDir: string): Promise<HistoryEntry[]> =>
  entriesNow(dataDir).catch((error) => {
    // A command may have been writing the last line, and ended since.
    if (error instanceof HistoryDamaged) return entriesNow(dataDir);
    throw error;
  });

async function entriesNow(dataDir: string): Promise<HistoryEntry[]> {
  const lines = (await readIfExists(dataDir, HISTORY_FILE)).split('\n').map(withoutMarks);
  const entries = lines.map(parsed);
  for (const [i, line] of lines.entries()) {
    if (line === '' || entries[i] !== null || line.startsWith(PRUNED)) continue;
    // A crash truncates the last line. The next command writes that entry again, in the line below.
    const again = lines[i + 1] || (await readIfExists(dataDir, STEP_FILE));
    if (!again.startsWith(line)) throw new HistoryDamaged(path.join(dataDir, HISTORY_FILE), i + 1);
  }
  return entries.filter((entry) => entry !== null);
}

/** Without what editors and power cuts leave at the ends of a line: a byte order mark, carriage returns, zeros. */
const withoutMarks = (line: string): string => line.replace(/^\uFEFF/, '').replace(/[\r\0]+$/, '');

/** Removals change neither order nor days, and a full disk may truncate the line of one. */
const PRUNED = '{"event":"pruned"';

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
  readRegularFile(path.join(dataDir, file)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    if (!(error instanceof NotAFile)) throw error;
    // The code would add a second remedy.
    throw new Error(error.message, { cause: error });
  });

function parsed(line: string): HistoryEntry | null {
  try {
    return line === '' ? null : historyEntrySchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}
