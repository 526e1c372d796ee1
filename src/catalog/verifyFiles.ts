// Compares the files of a snapshot with its manifest, before the snapshot is loaded.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import { DATASET_NAMES } from './datasets.ts';
import { fileSha256 } from './fileSha256.ts';
import type { AnyManifest } from './manifest.ts';
import { REPUBLISH, SnapshotRefused, unreadableFile } from './snapshotRefused.ts';

/**
 * Compares the length and SHA-256 of each known dataset's file with the manifest.
 *
 * @throws {SnapshotRefused} that names the first file that is missing or different.
 */
export async function verifyFiles(directory: string, manifest: AnyManifest): Promise<void> {
  for (const name of DATASET_NAMES) {
    const described = manifest.datasets[name];
    if (!described) continue;
    const { file, bytes, sha256 } = described;
    const refuse = (problem: string) => new SnapshotRefused(manifest.id, problem, REPUBLISH, file);
    if (file !== path.basename(file)) throw refuse('lies outside the snapshot');
    try {
      const { size } = await stat(path.join(directory, file));
      if (size !== bytes) throw refuse(`holds ${size} bytes where the manifest says ${bytes}`);
      if ((await fileSha256(path.join(directory, file))) !== sha256) {
        throw refuse('is damaged: its SHA-256 is not the one in the manifest');
      }
    } catch (cause) {
      if (cause instanceof SnapshotRefused) throw cause;
      throw unreadableFile(manifest.id, file, cause);
    }
  }
}
