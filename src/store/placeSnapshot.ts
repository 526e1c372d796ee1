// Moves the folder of a complete snapshot to its place in a data directory.

import { readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { MANIFEST_FILE } from '../catalog/dataDirectory.ts';
import { flushToDisk } from '../system/flushToDisk.ts';
import { systemCode } from '../system/systemError.ts';

/**
 * Moves a folder to `target`, and flushes the move to the disk. False when the same snapshot is there already. A server may
 * download a snapshot from the store while the command that published it moves it, and neither waits for the other.
 *
 * @throws {Error} the error of the system. `isTaken` says whether something else is in the place.
 */
export async function placeSnapshot(directory: string, target: string): Promise<boolean> {
  try {
    await rename(directory, target);
  } catch (error) {
    if (!isTaken(error) || !(await haveSameManifest(directory, target))) throw error;
    return false;
  }
  await flushToDisk(path.dirname(target));
  return true;
}

/** Whether an error says that a folder was not renamed, because another one that is not empty has the name. */
export const isTaken = (error: unknown): boolean => ['ENOTEMPTY', 'EEXIST'].includes(systemCode(error));

/** Whether two folders have the same manifest, which has the checksums of all other files. */
async function haveSameManifest(...directories: readonly [string, string]): Promise<boolean> {
  const [one, other] = await Promise.all(
    directories.map((directory) => readFile(path.join(directory, MANIFEST_FILE)).catch(() => null)),
  );
  return one != null && other != null && one.equals(other);
}
