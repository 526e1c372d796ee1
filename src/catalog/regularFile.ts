// Reads a file that must be a regular one: a pipe in its place would make a read wait without end.

import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Something else than a file has the place of a file. */
export class NotAFile extends Error {
  /** The code that the system gives for a folder, which callers handle already. */
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
    throw notAFile(
      file,
      status.isDirectory() ? 'a folder' : status.isFIFO() ? 'a pipe' : 'a socket or a device',
    );
  } finally {
    await handle.close();
  }
}

const notAFile = (file: string, what: string) =>
  new NotAFile(`${file} must be a file and is ${what}: move it away`);
