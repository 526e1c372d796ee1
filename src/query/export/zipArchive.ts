// Streams a zip archive in bounded memory. Node's thread pool compresses one entry after the other.

import { once } from 'node:events';
import { createGzip } from 'node:zlib';
import { Zip, type ZipInputFile } from 'fflate';
import { type BufferLease, unpooledLease } from '../../cache/bufferPool.ts';
import type { ExportSlices } from '../yielding.ts';

export interface ZipEntry {
  readonly name: string;
  readonly chunks: AsyncIterable<BufferLease>;
}

/** The bytes of the archive, entry after entry. */
export async function* zipArchive(
  entries: readonly ZipEntry[],
  slices: ExportSlices,
): AsyncGenerator<BufferLease> {
  let ready: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    ready.push(bytes);
  });
  const flush = () => {
    const bytes = ready;
    ready = [];
    return bytes.map((chunk) => unpooledLease(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)));
  };
  for (const { name, chunks } of entries) {
    const file: ZipInputFile = {
      filename: name,
      mtime: NO_TIME,
      crc: 0,
      size: 0,
      compression: 8,
      flag: 0,
      terminate() {},
    };
    zip.add(file);
    for await (const bytes of deflated(chunks, file, slices)) {
      file.ondata?.(null, bytes, false);
      yield* flush();
    }
    file.ondata?.(null, new Uint8Array(0), true);
    yield* flush();
  }
  zip.end();
  yield* flush();
}

/**
 * The earliest time that an archive can state, in local time. All entries have it, so that the same data gives the same
 * bytes.
 */
const NO_TIME = new Date(1980, 0, 1);

/** For the rows of a sheet, this level takes half the time of level 4, and gives a tenth more bytes. */
const LEVEL = 2;

/** How many compressed bytes are sent at a time. */
const OUTPUT_BYTES = 2 ** 16;

/** How many bytes may wait for the compressor, so that the next rows are written while these are compressed. */
const QUEUE = { writableHighWaterMark: 2 ** 19 };

/** The sizes of the header and the trailer of a gzip stream. The trailer has the checksum and the length (RFC 1952). */
const GZIP_HEADER_BYTES = 10;
const GZIP_TRAILER_BYTES = 8;

/**
 * Deflates all chunks, and stores their checksum and length in `file`. It compresses with gzip, because gzip computes
 * both. It cuts off the header and the trailer of gzip.
 */
async function* deflated(
  chunks: AsyncIterable<BufferLease>,
  file: ZipInputFile,
  slices: ExportSlices,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const gzip = createGzip({ level: LEVEL, chunkSize: OUTPUT_BYTES, ...QUEUE });
  // When `feed` fails, destroying `gzip` makes the loop below throw the cause. Otherwise `feed` ends before `gzip`.
  feed(chunks, gzip, slices).catch((cause) => gzip.destroy(cause));
  let toSkip = GZIP_HEADER_BYTES;
  /** The last compressed bytes, which are held back because they may be the trailer. */
  let pending = Buffer.alloc(0);
  try {
    for await (const chunk of gzip as AsyncIterable<Buffer>) {
      pending = Buffer.concat([pending, chunk.subarray(Math.min(toSkip, chunk.length))]);
      toSkip -= Math.min(toSkip, chunk.length);
      const bodyBytes = pending.length - GZIP_TRAILER_BYTES;
      if (bodyBytes <= 0) continue;
      yield new Uint8Array(pending.subarray(0, bodyBytes));
      pending = pending.subarray(bodyBytes);
    }
  } finally {
    gzip.destroy();
  }
  file.crc = pending.readUInt32LE(0);
  file.size = pending.readUInt32LE(4);
}

async function feed(
  chunks: AsyncIterable<BufferLease>,
  gzip: ReturnType<typeof createGzip>,
  slices: ExportSlices,
): Promise<void> {
  for await (const { bytes, release } of chunks) {
    if (gzip.destroyed) return;
    if (!gzip.write(bytes, () => release())) await slices.waitFor(once(gzip, 'drain'));
  }
  gzip.end();
}
