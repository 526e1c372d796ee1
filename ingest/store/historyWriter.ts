// Writes the history of the snapshots: one line for each step, even if the command was killed during the step.

import { constants } from 'node:fs';
import { appendFile, open, rm, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { snapshotIds } from '../../src/catalog/dataDirectory.ts';
import {
  HISTORY_FILE,
  type HistoryEntry,
  hasTakenEffect,
  isInHistory,
  readHistory,
  readHistoryFile,
  readIfExists,
  STEP_FILE,
  unfinishedStep,
} from '../../src/catalog/readHistory.ts';
import { flushToDisk } from '../../src/system/flushToDisk.ts';
import { makeFolders } from '../../src/system/makeFolders.ts';
import { isDiskFull, namingFile, systemCode } from '../../src/system/systemError.ts';
import { removeSnapshot } from './removeSnapshot.ts';

/**
 * Runs a step that changes the snapshots, and records it in the history.
 *
 * 1. The entry is written to a file of its own, the step file.
 * 2. The step runs. If the process is killed meanwhile, `readHistory` finds out from the snapshots whether the step of
 *    the step file happened, and the next command records or undoes it (`finishStep`).
 * 3. The entry moves from the step file to the history.
 */
export async function runRecordedStep(
  dataDir: string,
  entry: HistoryEntry,
  act: () => Promise<void>,
): Promise<void> {
  const stepFile = path.join(dataDir, STEP_FILE);
  try {
    await namingFile(stepFile, writeFile(stepFile, JSON.stringify(entry), { flush: true }));
    // Without this sync, a power cut could lose the step file and keep the step.
    await flushToDisk(dataDir);
  } catch (error) {
    await rm(stepFile, { force: true });
    // Pruning must work even on a full disk.
    if (entry.event !== 'pruned' || !isDiskFull(error)) throw error;
  }
  try {
    await act();
  } catch (error) {
    await finishStep(dataDir).catch(() => {});
    throw error;
  }
  // The step has happened. If its line cannot be written now, the next command writes it from the step file.
  await moveToHistory(dataDir, entry).catch(() => {});
}

/**
 * Checks that this user may write the history, so that a command fails before it changes a snapshot. A step whose line
 * cannot be written makes all later commands fail.
 *
 * @throws {Error} the error of the system. A missing file is no error, because the first entry creates it.
 */
export async function expectWritableHistory(dataDir: string): Promise<void> {
  const file = path.join(dataDir, HISTORY_FILE);
  try {
    await (await open(file, constants.O_WRONLY | constants.O_APPEND)).close();
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

/**
 * Ends the step of an interrupted command: records it if it happened, else removes the snapshot that did not become
 * current.
 */
export async function finishStep(dataDir: string): Promise<void> {
  const interrupted = await unfinishedStep(dataDir);
  if (interrupted !== null) {
    if (await hasTakenEffect(dataDir, interrupted)) return await moveToHistory(dataDir, interrupted);
    const isPublished = (await readHistory(dataDir)).some(
      ({ event, id }) => event === 'published' && id === interrupted.id,
    );
    const isThere = (await snapshotIds(dataDir)).includes(interrupted.id);
    if (interrupted.event === 'published' && !isPublished && isThere)
      await removeSnapshot(dataDir, interrupted.id);
  }
  await rm(path.join(dataDir, STEP_FILE), { force: true });
}

async function moveToHistory(dataDir: string, entry: HistoryEntry): Promise<void> {
  if (!isInHistory(await readHistoryFile(dataDir), entry)) await appendToHistory(dataDir, entry);
  await rm(path.join(dataDir, STEP_FILE), { force: true });
}

/** Appends an entry to the history. */
export async function appendToHistory(dataDir: string, entry: HistoryEntry): Promise<void> {
  makeFolders(dataDir);
  // The entry starts a new line, even after a truncated one.
  const before = await readIfExists(dataDir, HISTORY_FILE);
  const text = `${before === '' || before.endsWith('\n') ? '' : '\n'}${JSON.stringify(entry)}\n`;
  const file = path.join(dataDir, HISTORY_FILE);
  const bytes = await stat(file).then(
    ({ size }) => size,
    () => 0,
  );
  await namingFile(file, appendFile(file, text, { flush: true })).catch(async (error) => {
    // A full disk may have stored a part of the line. That part is removed.
    await truncate(file, bytes).catch(() => {});
    throw error;
  });
}
