// Reads a part of a file in chunks, and reads the next chunk while one is being sent.

import type { FileHandle } from 'node:fs/promises';
import type { BufferLease } from '../../cache/bufferPool.ts';
import type { ExportSlices } from '../../query/yielding.ts';

/** Larger chunks are no faster, and smaller ones take more time per byte. */
const CHUNK_BYTES = 2 ** 20;

/**
 * The bytes from `first` to `last`, both included; fewer when the file ends before. A slice ends with a chunk. Released
 * chunks are read into again: allocating memory takes longer than reading a file that the system has cached.
 */
export async function* fileChunks(
  file: FileHandle,
  { first, last }: { readonly first: number; readonly last: number },
  slices: ExportSlices,
): AsyncGenerator<BufferLease> {
  const free: Buffer[] = [];
  let position = first;

  async function readNext(): Promise<BufferLease | null> {
    const length = Math.min(CHUNK_BYTES, last + 1 - position);
    if (length <= 0) return null;
    const buffer = free.pop() ?? Buffer.allocUnsafeSlow(length);
    const { bytesRead } = await file.read(buffer, 0, Math.min(length, buffer.length), position);
    if (bytesRead === 0) return null;
    position += bytesRead;
    return leaseOf(buffer, bytesRead, free);
  }

  let next = readNext();
  try {
    for (let chunk = await slices.waitFor(next); chunk !== null; chunk = await slices.waitFor(next)) {
      next = readNext();
      // Awaited later, or never when the client leaves.
      next.catch(() => {});
      yield chunk;
      if (slices.isOver()) await slices.next();
    }
  } finally {
    // The file must not be closed during a read.
    await next.catch(() => {});
  }
}

function leaseOf(buffer: Buffer, length: number, free: Buffer[]): BufferLease {
  const bytes = buffer.subarray(0, length);
  const release = () => void free.push(buffer);
  return { bytes, isPooled: true, release, detach: () => Buffer.from(bytes) };
}
