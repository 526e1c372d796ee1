// Turns written files into a snapshot and makes it current, and tidies up after a killed command.

import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { MANIFEST_FILE, snapshotDirectory } from '../../src/catalog/dataDirectory.ts';
import { fileSha256 } from '../../src/catalog/fileSha256.ts';
import type { Manifest } from '../../src/catalog/manifest.ts';
import { readHistoryFile } from '../../src/catalog/readHistory.ts';
import { NEW_HISTORY_FILE } from '../../src/store/adoptState.ts';
import { placeSnapshot } from '../../src/store/placeSnapshot.ts';
import { removeIncomplete } from '../../src/store/snapshotCopies.ts';
import { NEW_CURRENT_LINK, switchCurrent, UNFINISHED_FOLDER } from '../../src/store/switchCurrent.ts';
import { flushToDisk } from '../../src/system/flushToDisk.ts';
import { makeFolders } from '../../src/system/makeFolders.ts';
import { namingFile } from '../../src/system/systemError.ts';
import { operatorName } from '../../src/terminal/operatorName.ts';
import { DATA_PACKAGE, dataPackageOf } from './dataPackage.ts';
import { expectWritableHistory, finishStep, runRecordedStep } from './historyWriter.ts';
import { throwLocalSwitchError } from './localSwitchError.ts';
import type { SharedStore } from './sharedStore.ts';

export interface PublicationOptions {
  /** The time of the publication, for the history. */
  readonly at: Date;
  /** The store that several publishers share; null without one. */
  readonly shared?: Pick<SharedStore, 'publish'> | null;
  /**
   * Is called right before the snapshot becomes current, in the store or here. Nothing may interrupt the publication
   * afterwards. When it throws, nothing is published.
   */
  readonly commit?: () => void;
}

/**
 * Turns the files in a folder into a snapshot, and makes it current: syncs the files, moves the folder, switches `current`.
 * Even if the process is killed at any moment, `current` names a complete snapshot, the old or the new one. `recover`
 * tidies up afterwards.
 *
 * Files other than those of datasets, such as a report, become documents of the snapshot.
 *
 * @param folder The folder with the files. It is moved.
 * @param undocumented The manifest before it lists the documents.
 * @throws {OvertakenError} when somebody else published to the shared store first. Nothing is published then.
 */
export async function publish(
  dataDir: string,
  folder: string,
  undocumented: Omit<Manifest, 'documents'>,
  { at, shared = null, commit = () => {} }: PublicationOptions,
): Promise<Manifest> {
  // A snapshot's folder is named after it.
  const directory = path.join(path.dirname(folder), undocumented.id);
  if (directory !== folder) await rename(folder, directory);
  await writeJson(path.join(directory, DATA_PACKAGE), dataPackageOf(undocumented));
  const manifest = { ...undocumented, documents: await documentsIn(directory) };
  await writeJson(path.join(directory, MANIFEST_FILE), manifest);
  // All files are synced at the same time, because the disk can then flush them together.
  await Promise.all((await readdir(directory)).map((file) => flushToDisk(path.join(directory, file))));
  await flushToDisk(directory);
  const target = snapshotDirectory(dataDir, manifest.id);
  makeFolders(path.dirname(target));
  const entry = {
    event: 'published',
    id: manifest.id,
    by: operatorName(),
    at: at.toISOString(),
    manifest: await fileSha256(path.join(directory, MANIFEST_FILE)),
  };
  const switchHere = () =>
    runRecordedStep(dataDir, entry, async () => {
      await placeSnapshot(directory, target);
      await switchCurrent(dataDir, manifest.id);
    });
  if (shared === null) {
    commit();
    await switchHere();
  } else {
    await shared.publish(entry, directory, commit);
    await switchHere().catch(throwLocalSwitchError(manifest.id, 'published'));
  }
  return manifest;
}

/** The manifest's entries for the other files of the snapshot, such as its report, sorted by name. */
async function documentsIn(directory: string): Promise<Manifest['documents']> {
  const files = (await readdir(directory)).filter(
    (file) => file !== MANIFEST_FILE && !file.endsWith('.parquet'),
  );
  return Promise.all(
    files.sort().map(async (file) => {
      const documentPath = path.join(directory, file);
      return { file, bytes: (await stat(documentPath)).size, sha256: await fileSha256(documentPath) };
    }),
  );
}

/**
 * Completes or undoes the step of a killed command, and removes its temporary files.
 *
 * @throws {HistoryDamaged} when the history is damaged. Nothing is changed then.
 * @throws {Error} the error of the system when the history can be neither read nor written. Nothing is changed then.
 */
export async function recover(dataDir: string): Promise<void> {
  await readHistoryFile(dataDir);
  await expectWritableHistory(dataDir);
  await finishStep(dataDir);
  for (const name of [NEW_CURRENT_LINK, NEW_HISTORY_FILE])
    await rm(path.join(dataDir, name), { force: true });
  await removeIncomplete(dataDir);
  await rm(path.join(dataDir, UNFINISHED_FOLDER), { recursive: true, force: true });
}

const writeJson = (file: string, document: object): Promise<void> =>
  namingFile(file, writeFile(file, `${JSON.stringify(document, null, 2)}\n`));
