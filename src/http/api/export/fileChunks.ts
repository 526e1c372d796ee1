// Reads a part of a file in chunks, and reads the next chunks while one is being sent.

import type { FileHandle } from 'node:fs/promises';
import type { BufferLease, BufferPool } from '../../../cache/bufferPool.ts';
import { CHUNK_BYTES } from '../../../query/export/chunkBytes.ts';
import type { ExportSlices } from '../../../query/yielding.ts';

/** How many chunks are read ahead of the one that is being sent. */
const READ_AHEAD = 2;

/**
 * The bytes from `first` to `last`, both included; fewer when the file ends before. Slices end between chunks.
 *
 * @param expectUnchanged throws when the file was written since the caller looked at it. It is called after each read, so
 * that no chunk is of another content.
 *
 * `buffers` must be a pool of buffers of at least `CHUNK_BYTES`: allocating memory takes longer than reading a file
 * that the system has cached.
 */
export async function* fileChunks(
  file: FileHandle,
  { first, last }: { readonly first: number; readonly last: number },
  buffers: BufferPool,
  slices: ExportSlices,
  expectUnchanged: () => Promise<void> = async () => {},
): AsyncGenerator<BufferLease> {
  const reads: Promise<BufferLease | null>[] = [];
  let position = first;

  function readNext(): void {
    const length = Math.min(CHUNK_BYTES, last + 1 - position);
    if (length <= 0) return;
    const read = readChunk(file, buffers, position, length, expectUnchanged);
    position += length;
    // The failure is reported when this read is awaited. When the client leaves first, nobody awaits it.
    read.catch(() => {});
    reads.push(read);
  }

  for (let i = 0; i < READ_AHEAD; i++) readNext();
  try {
    for (let read = reads[0]; read !== undefined; read = reads[0]) {
      const chunk = await slices.waitFor(read);
      void reads.shift();
      // The file was truncated while it was being read.
      if (chunk === null) return;
      readNext();
      yield chunk;
      if (slices.isOver()) await slices.next();
    }
  } finally {
    // The file must not be closed during a read.
    for (const lease of await Promise.allSettled(reads))
      if (lease.status === 'fulfilled') lease.value?.release();
  }
}

/** `length` bytes from `position` on, or those up to the end of the file; null beyond it. */
async function readChunk(
  file: FileHandle,
  buffers: BufferPool,
  position: number,
  length: number,
  expectUnchanged: () => Promise<void>,
): Promise<BufferLease | null> {
  const buffer = buffers.acquire();
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  if (filled === 0) return null;
  const lease = buffers.lease(buffer, filled);
  try {
    await expectUnchanged();
  } catch (cause) {
    lease.release();
    throw cause;
  }
  return lease;
}
