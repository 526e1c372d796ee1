// Makes a folder and those above it, and says why where it cannot.

import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a folder with all that are missing above it.
 *
 * One by one: with `recursive`, Node says ENOENT where the disk is full or cannot be written, and never ends in a folder
 * that takes no others, such as `/proc`.
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
    return inThePlaceOf(folder, failure);
  }
}

/** Why something that is there is no folder; null when it is one. */
async function inThePlaceOf(
  folder: string,
  failure: NodeJS.ErrnoException,
): Promise<NodeJS.ErrnoException | null> {
  try {
    const isFolder = (await stat(folder)).isDirectory();
    return isFolder ? null : Object.assign(failure, { code: 'ENOTDIR' });
  } catch (error) {
    // Such as a link that leads back to itself.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return error as NodeJS.ErrnoException;
    return new Error(
      `${folder} is a link to a folder that is not there: make that folder, or remove the link`,
    );
  }
}
