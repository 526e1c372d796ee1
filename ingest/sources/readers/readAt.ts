// Reads a part of an open file.

import type { FileHandle } from 'node:fs/promises';

/**
 * Reads up to `bytes` bytes from position `at`. The result is shorter when the file ends earlier, and empty when the
 * position, which may be forged, is beyond the end of the file.
 */
export async function readAt(handle: FileHandle, at: number, bytes: number): Promise<Buffer> {
  if (!Number.isSafeInteger(at)) return Buffer.alloc(0);
  const buffer = Buffer.allocUnsafe(bytes);
  let done = 0;
  while (done < bytes) {
    const { bytesRead } = await handle.read(buffer, done, bytes - done, at + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return buffer.subarray(0, done);
}
