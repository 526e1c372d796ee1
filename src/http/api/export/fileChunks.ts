// Reads a part of a file in chunks, and reads the next chunks while one is being sent.

import type { FileHandle } from 'node:fs/promises';
import type { BufferLease, BufferPool } from '../../../cache/bufferPool.ts';
import { CHUNK_BYTES, type ExportSlices } from '../../../query/yielding.ts';
import type { ByteRange } from './byteRange.ts';

/** How many chunks are read in advance while one is being sent. */
const READ_AHEAD = 2;

export interface ChunkReading {
  /**
   * A pool whose buffers have at least `CHUNK_BYTES`. Allocating new memory would take longer than reading a file that
   * the system has cached.
   */
  readonly buffers: BufferPool;
  /** Slices end between chunks. */
  readonly slices: ExportSlices;
  /**
   * Throws when the file has changed since the caller opened it. It is called after each read, so that all chunks are
   * of the same content.
   */
  readonly expectUnchanged?: () => Promise<void>;
}

/** The bytes from `first` to `last`, both included; fewer when the file ends before `last`. */
export async function* fileChunks(
  file: FileHandle,
  { first, last }: ByteRange,
  reading: ChunkReading,
): AsyncGenerator<BufferLease> {
  const { slices } = reading;
  const reads: Promise<BufferLease | null>[] = [];
  let position = first;

  function readNext(): void {
    const length = Math.min(CHUNK_BYTES, last + 1 - position);
    if (length <= 0) return;
    const read = readChunk(file, position, length, reading);
    position += length;
    // A failed read throws when it is awaited. Without this handler, a read that fails earlier would be an unhandled
    // rejection, and it would end the process.
    read.catch(() => {});
    reads.push(read);
  }

  for (let i = 0; i < READ_AHEAD; i++) readNext();
  try {
    for (let read = reads[0]; read !== undefined; read = reads[0]) {
      const chunk = await slices.waitFor(read);
      void reads.shift();
      // Null means that the file was truncated while it was being read.
      if (chunk === null) return;
      readNext();
      yield chunk;
      if (slices.isOver()) await slices.next();
    }
  } finally {
    // All reads must have ended before the caller closes the file.
    for (const lease of await Promise.allSettled(reads))
      if (lease.status === 'fulfilled') lease.value?.release();
  }
}

/** Reads `length` bytes from `position` on, or fewer at the end of the file; null when it ends before `position`. */
async function readChunk(
  file: FileHandle,
  position: number,
  length: number,
  { buffers, expectUnchanged }: ChunkReading,
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
    await expectUnchanged?.();
  } catch (cause) {
    lease.release();
    throw cause;
  }
  return lease;
}
