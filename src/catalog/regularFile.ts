// Reads a regular file. Refuses a pipe in its place, because reading one would never end.

import { constants, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';

/** In the place of a file there is something else, such as a folder or a pipe. */
export class NotAFile extends Error {
  /** The code with which the system reports a folder. Callers already handle it. */
  readonly code = 'EISDIR';
}

/**
 * The text of a file.
 *
 * @throws {NotAFile} for a folder, a pipe, a socket or a device.
 */
export async function readRegularFile(file: string): Promise<string> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'ENXIO' ? notAFile(file, 'a socket or a device') : error;
    },
  );
  try {
    const status = await handle.stat();
    if (status.isFile()) return await handle.readFile('utf8');
    throw notAFile(file, kindOf(status));
  } finally {
    await handle.close();
  }
}

/** What is in the place of a file, in words. */
function kindOf(status: Stats): string {
  if (status.isDirectory()) return 'a folder';
  return status.isFIFO() ? 'a pipe' : 'a socket or a device';
}

const notAFile = (file: string, what: string) =>
  new NotAFile(`${file} must be a file and is ${what}: move it away`);
