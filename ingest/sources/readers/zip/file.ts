// Reads bytes of a zip file at a position, and makes the errors about damage.

import type { FileHandle } from 'node:fs/promises';
import type { Place } from '../../../messages/place.ts';
import { UnreadableError } from '../raw.ts';
import { DAMAGED } from '../xml/damage.ts';

/** Reads up to `bytes` bytes. They are fewer when the file ends before, and none when a forged position is beyond its end. */
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

/** The error for a damaged zip file. The message has `how` in brackets after "is damaged". */
export const damaged = (place: Place, damage = 'its directory cannot be read') =>
  new UnreadableError({ place, problem: `is damaged (${damage})`, remedy: COPY_AGAIN, kind: DAMAGED });

export const COPY_AGAIN = 'copy it again from where it came from, or save it again as .xlsx';
