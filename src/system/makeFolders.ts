// Makes a folder and those above it, and says why when it cannot.

import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes a folder, and those above it that are missing. Folders that exist stay as they are.
 *
 * It makes one folder at a time, because Node's `mkdirSync` with the option `recursive` has two faults. It reports ENOENT
 * when the disk is read-only. And it never returns for a path below `/proc`, where nobody can make a folder.
 *
 * @param mode the permissions of the folders that are made.
 * @throws {Error} the cause, with the path of the folder that cannot be made.
 */
export function makeFolders(folder: string, mode = 0o777): void {
  const whole = path.resolve(folder);
  const failure = make(whole, mode);
  if (failure === null) return;
  if (failure.code !== 'ENOENT' || path.dirname(whole) === whole) throw failure;
  makeFolders(path.dirname(whole), mode);
  const again = make(whole, mode);
  if (again?.code === 'ENOENT')
    throw new Error(`${again.message}; no folder can be made there: name another one`, { cause: again });
  if (again !== null) throw again;
}

/** Makes one folder, unless it exists. Returns why it cannot, or null. */
function make(folder: string, mode: number): NodeJS.ErrnoException | null {
  try {
    mkdirSync(folder, mode);
    return null;
  } catch (error) {
    const failure = error as NodeJS.ErrnoException;
    return failure.code === 'EEXIST' ? whyNoFolder(folder) : failure;
  }
}

/** Why the path, which exists, cannot be used as a folder; null when it is a folder. */
function whyNoFolder(folder: string): NodeJS.ErrnoException | null {
  try {
    if (statSync(folder).isDirectory()) return null;
    return Object.assign(new Error(`${folder} is not a folder`), { code: 'ENOTDIR' });
  } catch (error) {
    // ENOENT means that the path is a link to a missing folder. A link that leads back to itself gives another error.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return error as NodeJS.ErrnoException;
    return new Error(
      `${folder} is a link to a folder that is not there: make that folder, or remove the link`,
    );
  }
}
