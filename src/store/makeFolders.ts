// Makes a folder and those above it, and says why where it cannot.

import { existsSync, mkdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a folder with all that are missing above it.
 *
 * Node says ENOENT when a folder and those above it cannot be made because the disk is full or cannot be written. Folders
 * that are made one by one say the cause.
 */
export async function makeFolders(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    // Something else has the place of the folder.
    if (codeOf(error) === 'EEXIST') throw Object.assign(error as Error, { code: 'ENOTDIR' });
    if (codeOf(error) !== 'ENOENT') throw error;
    makeOneByOne(path.resolve(folder));
  }
}

function makeOneByOne(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') {
      if (existsSync(folder)) return;
      throw new Error(
        `${folder} is a link to a folder that is not there: make that folder, or remove the link`,
      );
    }
    if (codeOf(error) !== 'ENOENT') throw error;
    makeOneByOne(path.dirname(folder));
    mkdirSync(folder);
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
