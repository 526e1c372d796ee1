// Writes what happens to the snapshots, a line each; a step that was cut short is known all the same.

import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { snapshotDirectory } from '../../src/catalog/dataDirectory.ts';
import {
  BEGUN,
  begunStep,
  enteredHistory,
  HISTORY,
  type HistoryEntry,
  hasHappened,
  history,
  isEntered,
  readIfThere,
} from '../../src/catalog/history.ts';

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
    if (await hasHappened(dataDir, begun)) return await enter(dataDir, begun);
    const isPublished = (await history(dataDir)).some(
      ({ event, id }) => event === 'published' && id === begun.id,
    );
    if (begun.event === 'published' && !isPublished)
      await rm(snapshotDirectory(dataDir, begun.id), { recursive: true, force: true });
  }
  await rm(path.join(dataDir, BEGUN), { force: true });
}

async function enter(dataDir: string, entry: HistoryEntry): Promise<void> {
  if (!isEntered(await enteredHistory(dataDir), entry)) await record(dataDir, entry);
  await rm(path.join(dataDir, BEGUN), { force: true });
}

/** Appends a line. */
export async function record(dataDir: string, entry: HistoryEntry): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  // A line of its own even after a cut one.
  const before = await readIfThere(dataDir, HISTORY);
  const text = `${before === '' || before.endsWith('\n') ? '' : '\n'}${JSON.stringify(entry)}\n`;
  await appendFile(path.join(dataDir, HISTORY), text, { flush: true });
}

/** The codes of a disk that takes no more. */
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
