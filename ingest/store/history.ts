// What happened to the snapshots, a line each; a step that was cut short is known all the same.

import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { currentId, isSnapshotId, snapshotDirectory, snapshotIds } from '../../src/catalog/dataDirectory.ts';

const entrySchema = z.object({
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
export type HistoryEntry = z.infer<typeof entrySchema>;

/** What happened so far, oldest first; a line cut by a crash is passed over. */
export async function history(dataDir: string): Promise<HistoryEntry[]> {
  const lines = (await readText(dataDir, HISTORY)).split('\n').flatMap((line) => parsed(line) ?? []);
  const begun = await begunStep(dataDir);
  const isMissing = begun !== null && !isEntered(lines, begun) && (await happened(dataDir, begun));
  return isMissing ? [...lines, begun] : lines;
}

/**
 * Takes a step that changes the snapshots, and enters it. What it is to be lies on disk before it is taken: however
 * it ends, `history` tells whether it happened, and `settle` enters it or undoes its half.
 */
export async function step(dataDir: string, entry: HistoryEntry, act: () => Promise<void>): Promise<void> {
  const begun = path.join(dataDir, BEGUN);
  try {
    await writeFile(begun, JSON.stringify(entry), { flush: true });
  } catch (error) {
    await rm(begun, { force: true });
    // A full disk is the very reason to prune.
    if (entry.event !== 'pruned' || !FULL.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  try {
    await act();
  } catch (error) {
    await settle(dataDir).catch(() => {});
    throw error;
  }
  // Done is done: a line that cannot be written now is read from the step, and entered by the next command.
  await enter(dataDir, entry).catch(() => {});
}

/** Enters the step that an interrupted command had taken; a snapshot that never became current is removed. */
export async function settle(dataDir: string): Promise<void> {
  const begun = await begunStep(dataDir);
  if (begun !== null) {
    if (await happened(dataDir, begun)) return await enter(dataDir, begun);
    const isPublished = (await history(dataDir)).some(
      ({ event, id }) => event === 'published' && id === begun.id,
    );
    if (begun.event === 'published' && !isPublished)
      await rm(snapshotDirectory(dataDir, begun.id), { recursive: true, force: true });
  }
  await rm(path.join(dataDir, BEGUN), { force: true });
}

const HISTORY = 'history.jsonl';

/** The step being taken, while that takes. */
const BEGUN = 'step.json';

async function enter(dataDir: string, entry: HistoryEntry): Promise<void> {
  const text = await readText(dataDir, HISTORY);
  if (
    !isEntered(
      text.split('\n').flatMap((line) => parsed(line) ?? []),
      entry,
    )
  )
    await record(dataDir, entry);
  await rm(path.join(dataDir, BEGUN), { force: true });
}

/** Appends a line. */
export async function record(dataDir: string, entry: HistoryEntry): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  // A line of its own even after a cut one.
  const before = await readText(dataDir, HISTORY);
  const text = `${before === '' || before.endsWith('\n') ? '' : '\n'}${JSON.stringify(entry)}\n`;
  await appendFile(path.join(dataDir, HISTORY), text, { flush: true });
}

/** A step on a snapshot, or null when there is none or its file was cut. */
async function begunStep(dataDir: string): Promise<HistoryEntry | null> {
  const begun = parsed(await readText(dataDir, BEGUN));
  return begun !== null && isSnapshotId(begun.id) ? begun : null;
}

async function happened(dataDir: string, { event, id }: HistoryEntry): Promise<boolean> {
  if (event === 'pruned') return !(await snapshotIds(dataDir)).includes(id);
  return (await currentId(dataDir)) === id;
}

const isEntered = (lines: readonly HistoryEntry[], entry: HistoryEntry) =>
  lines.some((line) => JSON.stringify(line) === JSON.stringify(entrySchema.parse(entry)));

function parsed(line: string): HistoryEntry | null {
  try {
    return line === '' ? null : entrySchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

const readText = (dataDir: string, file: string): Promise<string> =>
  readFile(path.join(dataDir, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    if (error.code !== 'EISDIR') throw error;
    throw new Error(`${path.join(dataDir, file)} must be a file and is a folder: move it away`);
  });

/** The codes of a disk that takes no more. */
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
