// Reads the history of the snapshots. Ingest writes it, one line per event (docs/snapshots.md).

import path from 'node:path';
import { z } from 'zod';
import { currentId, isSnapshotId, snapshotIds } from './dataDirectory.ts';
import { NotAFile, readRegularFile } from './regularFile.ts';

export const historyEntrySchema = z.object({
  /** `published`, `rolled-back` or `pruned`. */
  event: z.string(),
  id: z.string(),
  /** The user of the operating system who published, rolled back or pruned; missing in lines of earlier versions. */
  by: z.string().optional(),
  at: z.string(),
  /** For a rollback: the snapshot that was current before. */
  from: z.string().optional(),
  /** For a publication: the SHA-256 of manifest.json, which contains those of the files. */
  manifest: z.string().optional(),
});

/**
 * One line of history.jsonl. Events happened in the order of the lines. Their times may be in another order, because a
 * clock may be set back.
 */
export type HistoryEntry = z.infer<typeof historyEntrySchema>;

/** The name of the file of the history, in the data directory. */
export const HISTORY_FILE = 'history.jsonl';

/** The name of the file that describes a step (publication, rollback or prune) while it runs. */
export const STEP_FILE = 'step.json';

/**
 * A line of the history is damaged. So it is unknown in which order snapshots were published, and when they were
 * current.
 */
export class HistoryDamaged extends Error {
  /** The code for a damaged disk. Requests that fail with it are answered 503, until the file is repaired. */
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
 * All events, oldest first. A line that a crash has truncated is skipped. A step that took effect just before a crash
 * is added, because its line could not be written.
 *
 * @throws {HistoryDamaged} for any other line that is not an entry.
 */
export async function readHistory(dataDir: string): Promise<HistoryEntry[]> {
  const lines = await readHistoryFile(dataDir);
  const step = await unfinishedStep(dataDir);
  const isMissing = step !== null && !isInHistory(lines, step) && (await hasTakenEffect(dataDir, step));
  return isMissing ? [...lines, step] : lines;
}

/**
 * The events in the file, oldest first. Unlike `readHistory`, it does not add a step that took effect just before a crash.
 *
 * @throws {HistoryDamaged} as `readHistory`.
 */
export const readHistoryFile = (dataDir: string): Promise<HistoryEntry[]> =>
  parseHistoryFile(dataDir).catch((error) => {
    // A command may have been writing the last line during the first attempt.
    if (error instanceof HistoryDamaged) return parseHistoryFile(dataDir);
    throw error;
  });

async function parseHistoryFile(dataDir: string): Promise<HistoryEntry[]> {
  const lines = (await readIfExists(dataDir, HISTORY_FILE)).split('\n').map(withoutMarks);
  const entries = lines.map(parseEntry);
  for (const [i, line] of lines.entries()) {
    if (line === '' || entries[i] !== null || line.startsWith(PRUNED)) continue;
    // A crash truncates the last line. The next command writes its entry again, into the line below.
    const repeatedLine = lines[i + 1] || (await readIfExists(dataDir, STEP_FILE));
    if (!repeatedLine.startsWith(line)) throw new HistoryDamaged(path.join(dataDir, HISTORY_FILE), i + 1);
  }
  return entries.filter((entry) => entry !== null);
}

/**
 * Removes the marks that editors and power cuts leave at the ends of a line: a byte order mark, carriage returns, zeros.
 */
const withoutMarks = (line: string): string => line.replace(/^\uFEFF/, '').replace(/[\r\0]+$/, '');

/**
 * The beginning of the line of a pruned snapshot. A damaged line with this beginning is skipped. A full disk may have
 * truncated it, and neither the order of snapshots nor their days depend on it.
 */
const PRUNED = '{"event":"pruned"';

/** The step that a command has begun; null when there is none, or when its file is truncated. */
export async function unfinishedStep(dataDir: string): Promise<HistoryEntry | null> {
  const step = parseEntry(await readIfExists(dataDir, STEP_FILE));
  return step !== null && isSnapshotId(step.id) ? step : null;
}

/** Whether a step that was begun has taken effect. */
export async function hasTakenEffect(dataDir: string, { event, id }: HistoryEntry): Promise<boolean> {
  if (event === 'pruned') return !(await snapshotIds(dataDir)).includes(id);
  return (await currentId(dataDir)) === id;
}

/** Whether the history has this entry already. */
export const isInHistory = (lines: readonly HistoryEntry[], entry: HistoryEntry): boolean =>
  lines.some((line) => JSON.stringify(line) === JSON.stringify(historyEntrySchema.parse(entry)));

/** The text of a file below the data directory; empty when it does not exist. */
export const readIfExists = (dataDir: string, file: string): Promise<string> =>
  readRegularFile(path.join(dataDir, file)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    if (!(error instanceof NotAFile)) throw error;
    // The new error has no code. Callers would add a second remedy to an error with the code of `NotAFile`.
    throw new Error(error.message, { cause: error });
  });

function parseEntry(line: string): HistoryEntry | null {
  try {
    return line === '' ? null : historyEntrySchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}
