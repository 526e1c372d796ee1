// Keeps the bytes of published files that clients fetch again and again, so that sending them reads no file.

import { type BufferLease, unpooled } from '../../../cache/bufferPool.ts';
import type { Caches } from '../../../cache/caches.ts';
import type { ExportSlices } from '../../../query/yielding.ts';
import type { PublishedFile } from './publishedFile.ts';
import type { Part } from './range.ts';

/** The most memory of all kept files. A larger file is never kept; 5 million rows take about this much. */
const KEPT_BYTES = 32 * 2 ** 20;

/** How many kept bytes are sent at once. Sending so many takes as long as a slice. */
const PIECE_BYTES = 2 ** 21;

/** The kept files of a process, by their SHA-256. Their bytes stay right when the file is changed or pruned. */
export interface KeptFiles {
  get(sha256: string): Buffer | undefined;
  /** Reads and keeps a file that is fetched as a whole for the second time; undefined for any other. */
  offer(sha256: string, published: PublishedFile): Promise<Buffer | undefined>;
}

export function createKeptFiles(caches: Pick<Caches, 'lruCache' | 'repeats'>): KeptFiles {
  const files = caches.lruCache<Buffer>(KEPT_BYTES, 'published files');
  const fetched = caches.repeats();
  return {
    get: files.get,
    async offer(sha256, { file, bytes, expectUnchanged }) {
      if (bytes > KEPT_BYTES || !fetched.isRepeated(sha256)) return undefined;
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

/** The bytes of a kept file from `first` to `last`, both included. Slices end between pieces. */
export async function* keptPieces(
  content: Buffer,
  { first, last }: Part,
  slices: ExportSlices,
): AsyncGenerator<BufferLease> {
  for (let position = first; position <= last; position += PIECE_BYTES) {
    yield unpooled(content.subarray(position, Math.min(position + PIECE_BYTES, last + 1)));
    if (slices.isOver()) await slices.next();
  }
}
