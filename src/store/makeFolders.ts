// Makes a folder and those above it, and says why where it cannot.

import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a folder with all that are missing above it.
 *
 * One by one, because Node's own way says ENOENT where the disk is full or cannot be written, and never ends where a
 * folder is there in which none can be made, such as `/proc`.
 */
export async function makeFolders(folder: string): Promise<void> {
  const whole = path.resolve(folder);
  const failure = await make(whole);
  if (failure === null) return;
  if (failure.code !== 'ENOENT' || path.dirname(whole) === whole) throw failure;
  await makeFolders(path.dirname(whole));
  const again = await make(whole);
  if (again !== null) throw again;
}

/** Makes one folder, unless it is there; the failure, or null. */
async function make(folder: string): Promise<NodeJS.ErrnoException | null> {
  try {
    await mkdir(folder);
    return null;
  } catch (error) {
    const failure = error as NodeJS.ErrnoException;
    if (failure.code !== 'EEXIST') return failure;
    const status = await stat(folder).catch(() => null);
    if (status?.isDirectory()) return null;
    // Something else has the place of the folder.
    if (status !== null) return Object.assign(failure, { code: 'ENOTDIR' });
    return new Error(
      `${folder} is a link to a folder that is not there: make that folder, or remove the link`,
    );
  }
}
