// Caches the bytes of published files that clients fetch again and again, so that sending them reads no file.
//
// Cached bytes are sent only while no pages are answered. They come from main memory, so the main thread takes longer to
// send them than chunks of a file, which another thread reads into buffers that the processor has in its cache. Pages
// would wait for the main thread.

import { type BufferLease, unpooled } from '../../../cache/bufferPool.ts';
import type { Caches } from '../../../cache/caches.ts';
import { CHUNK_BYTES } from '../../../query/export/chunkBytes.ts';
import type { ExportSlices } from '../../../query/yielding.ts';
import type { PublishedFile } from './publishedFile.ts';
import type { Part } from './range.ts';

/** The most memory of all cached files. A larger file is never cached; 5 million rows take about this much. */
const CAPACITY_BYTES = 32 * 2 ** 20;

/**
 * How many cached bytes are sent at once while no pages are answered. Fewer would take more time per byte. While
 * pages are answered, pieces are as small as other chunks: the system takes most of a large piece later, and this
 * time counts for no slice.
 */
const LARGE_PIECE_BYTES = 2 ** 21;

/** The cached files of a process, by their SHA-256. Their bytes stay right when the file is changed or pruned. */
export interface FileCache {
  get(sha256: string): Buffer | undefined;
  /** Reads and caches a file that is fetched as a whole for the second time; undefined for any other. */
  offer(sha256: string, published: PublishedFile): Promise<Buffer | undefined>;
}

/** An empty cache, which counts among the measured caches as `published files`. */
export function createFileCache(caches: Pick<Caches, 'lruCache' | 'repeats'>): FileCache {
  const files = caches.lruCache<Buffer>(CAPACITY_BYTES, 'published files');
  const fetched = caches.repeats();
  return {
    get: files.get,
    async offer(sha256, { file, bytes, expectUnchanged }) {
      if (bytes > CAPACITY_BYTES || !fetched.isRepeated(sha256)) return undefined;
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

/** The bytes of a cached file from `first` to `last`, both included. While pages are answered, each piece is a slice. */
export async function* cachedPieces(
  content: Buffer,
  { first, last }: Part,
  { slices, isAlone }: { readonly slices: ExportSlices; readonly isAlone: () => boolean },
): AsyncGenerator<BufferLease> {
  for (let position = first; position <= last; ) {
    const end = Math.min(position + (isAlone() ? LARGE_PIECE_BYTES : CHUNK_BYTES), last + 1);
    yield unpooled(content.subarray(position, end));
    position = end;
    if (slices.isOver() || !isAlone()) await slices.next();
  }
}
