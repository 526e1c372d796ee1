// Caches the bytes of published files that clients fetch repeatedly, so that sending them reads no file.
//
// Cached bytes are sent only while no pages are answered, because sending them keeps the main thread busy for longer than
// sending chunks of a file. The main thread has to read cached bytes from main memory. Chunks of a file are read by another
// thread, into buffers that are then in the processor's cache.

import { type BufferLease, unpooledLease } from '../../../cache/bufferPool.ts';
import type { Caches } from '../../../cache/caches.ts';
import { CHUNK_BYTES, type ExportSlices } from '../../../query/yielding.ts';
import type { ByteRange } from './byteRange.ts';
import type { PublishedFile } from './publishedFile.ts';

/**
 * The most memory that all cached files take together. A larger file is never cached. A file of 5 million rows has
 * about this size.
 */
const CAPACITY_BYTES = 32 * 2 ** 20;

/**
 * How many cached bytes are sent at once while no pages are answered. Smaller pieces take more time per byte. While
 * pages are answered, pieces are as small as other chunks: most of a large piece is passed to the system only after its
 * slice has ended, so the export would use time that no slice counts.
 */
const LARGE_PIECE_BYTES = 2 ** 21;

export type FileCache = ReturnType<typeof createFileCache>;

/**
 * The cached files of a process, by their SHA-256. An entry stays right even when its file is changed or pruned, because
 * the SHA-256 names the content.
 */
export function createFileCache(caches: Pick<Caches, 'lruCache' | 'recentTexts'>) {
  const files = caches.lruCache<Buffer>(CAPACITY_BYTES, 'published files');
  const recentFetches = caches.recentTexts();
  return {
    get: files.get,
    /** Reads and caches a file when it is fetched as a whole for the second time. Otherwise gives undefined. */
    async cacheIfRepeated(sha256: string, published: PublishedFile): Promise<Buffer | undefined> {
      const { file, bytes, expectUnchanged } = published;
      if (bytes > CAPACITY_BYTES || !recentFetches.isRepeated(sha256)) return undefined;
      const content = Buffer.allocUnsafeSlow(bytes);
      for (let filled = 0; filled < bytes; ) {
        const { bytesRead } = await file.read(content, filled, bytes - filled, filled);
        if (bytesRead === 0) return undefined;
        filled += bytesRead;
      }
      await expectUnchanged();
      files.set(sha256, content, bytes);
      return content;
    },
  };
}

/**
 * The bytes of a cached file from `first` to `last`, both included. While pages are answered, a slice ends after each
 * piece.
 */
export async function* cachedPieces(
  content: Buffer,
  { first, last }: ByteRange,
  { slices, isIdle }: { readonly slices: ExportSlices; readonly isIdle: () => boolean },
): AsyncGenerator<BufferLease> {
  for (let position = first; position <= last; ) {
    const end = Math.min(position + (isIdle() ? LARGE_PIECE_BYTES : CHUNK_BYTES), last + 1);
    yield unpooledLease(content.subarray(position, end));
    position = end;
    if (slices.isOver() || !isIdle()) await slices.next();
  }
}
