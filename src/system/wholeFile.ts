// Replaces a file in one step. After a failure the old file is still there, never a part of the new one.

import { randomUUID } from 'node:crypto';
import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Replaces a file, or the file to which a link leads. A pipe or a device, such as `/dev/stdout`, is not replaced, because
 * others use it. The content is written to it.
 */
export async function writeWhole(file: string, content: string, mode = 0o666): Promise<void> {
  if (await isPipeOrDevice(file)) return writeFile(file, content);
  const target = await realpath(file).catch(() => file);
  const fresh = freshFile(path.dirname(target));
  try {
    await writeFile(fresh, content, { mode, flag: 'wx', flush: true });
    await rename(fresh, target);
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => {});
    throw error;
  }
}

/** Makes an empty file in a folder and removes it. Throws the same error as `writeWhole` when the folder takes no files. */
export async function tryToWrite(folder: string): Promise<void> {
  const fresh = freshFile(folder);
  await writeFile(fresh, '', { flag: 'wx' });
  await rm(fresh, { force: true });
}

/** The path of a temporary file with a random name, so that no other writer uses the same file. */
const freshFile = (folder: string): string => path.join(folder, `.${randomUUID()}.new`);

async function isPipeOrDevice(file: string): Promise<boolean> {
  const status = await stat(file).catch(() => null);
  return status !== null && !status.isFile() && !status.isDirectory();
}
