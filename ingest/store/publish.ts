// Makes written files a snapshot: synced, renamed, then `current` is switched; and tidies up after a killed command.

import { mkdir, open, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { snapshotDirectory } from '../../src/catalog/dataDirectory.ts';
import type { Manifest } from '../../src/catalog/manifest.ts';
import { fileSha256 } from '../../src/catalog/verifyFiles.ts';
import { DATA_PACKAGE, dataPackageOf } from './dataPackage.ts';
import { finishStep, recordedStep } from './history.ts';

/**
 * Makes the files in `directory` a snapshot, and the snapshot current: sync, rename, switch. If the process is killed at
 * any moment, `current` names the old snapshot or the new one, both complete; `recover` tidies up.
 *
 * Other files in `directory`, such as a report, become documents of the snapshot, with their checksums.
 */
export async function publish(
  dataDir: string,
  directory: string,
  contents: Omit<Manifest, 'documents'>,
  at: Date,
): Promise<Manifest> {
  await writeFile(path.join(directory, DATA_PACKAGE), json(dataPackageOf(contents)));
  const manifest = { ...contents, documents: await documentsIn(directory) };
  await writeFile(path.join(directory, MANIFEST), json(manifest));
  for (const file of await readdir(directory)) await sync(path.join(directory, file));
  await sync(directory);
  const snapshots = path.join(dataDir, 'snapshots');
  await mkdir(snapshots, { recursive: true });
  const entry = {
    event: 'published',
    id: manifest.id,
    at: at.toISOString(),
    manifest: await fileSha256(path.join(directory, MANIFEST)),
  };
  await recordedStep(dataDir, entry, async () => {
    await rename(directory, snapshotDirectory(dataDir, manifest.id));
    await sync(snapshots);
    await switchCurrent(dataDir, manifest.id);
  });
  return manifest;
}

/** All files but those of the datasets and the manifest, by name. */
async function documentsIn(directory: string): Promise<Manifest['documents']> {
  const files = (await readdir(directory)).filter((file) => file !== MANIFEST && !file.endsWith('.parquet'));
  return Promise.all(
    files.sort().map(async (file) => {
      const at = path.join(directory, file);
      return { file, bytes: (await stat(at)).size, sha256: await fileSha256(at) };
    }),
  );
}

/** Points `current` at a snapshot, atomically for every reader. */
export async function switchCurrent(dataDir: string, id: string): Promise<void> {
  const fresh = path.join(dataDir, FRESH);
  await rm(fresh, { force: true });
  await symlink(path.join('snapshots', id), fresh);
  await rename(fresh, path.join(dataDir, 'current'));
  await sync(dataDir);
}

/** Completes or undoes the step of a killed command, and removes its temporary files. */
export async function recover(dataDir: string): Promise<void> {
  await finishStep(dataDir);
  await rm(path.join(dataDir, FRESH), { force: true });
  await rm(path.join(dataDir, TEMPORARY), { recursive: true, force: true });
}

export const MANIFEST = 'manifest.json';

const json = (document: object) => `${JSON.stringify(document, null, 2)}\n`;

/** The folder of unfinished work, beside the snapshots. */
export const TEMPORARY = 'tmp';

/** The link that becomes `current`. */
const FRESH = 'current.new';

/** Flushes a file or folder to disk. */
export async function sync(target: string): Promise<void> {
  const handle = await open(target, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
