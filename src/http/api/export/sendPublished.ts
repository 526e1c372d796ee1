// Sends the published Parquet file of a dataset, or a range of it, byte for byte.

import type { BufferLease } from '../../../cache/bufferPool.ts';
import { ApiError } from '../../../errors.ts';
import type { ExportSlices } from '../../../query/yielding.ts';
import { sendEmpty, sendError, sendHead } from '../../server/send.ts';
import { disconnectSignalOf } from '../clientDisconnect.ts';
import { type ByteRange, requestedRange } from './byteRange.ts';
import { acquirePartPermit, acquirePermit, type ExportTask } from './exportTask.ts';
import { cachedPieces } from './fileCache.ts';
import { fileChunks } from './fileChunks.ts';
import { openPublished } from './publishedFile.ts';
import { transfer } from './transfer.ts';

/** A part of at most this size does not count as an export, because programs fetch many parts at the same time. */
const SMALL_PART_BYTES = 8 * 2 ** 20;

/**
 * Sends the file. A prune during the transfer does no harm, because the file stays open.
 *
 * @throws {ApiError} 503 when no permit is free, or the snapshot was pruned just now.
 * @throws {Error} when the file was changed after it was published.
 */
export async function sendPublished(task: ExportTask, version: PublishedVersion): Promise<void> {
  const { query, snapshot, fileCache, chunkBuffers: buffers, yielding } = task;
  const { isIdle } = yielding;
  const cached = isIdle() ? fileCache.get(version.sha256) : undefined;
  if (cached !== undefined)
    return await sendFileContent(task, version, {
      size: cached.length,
      chunks: async (part, slices) => cachedPieces(cached, part, { slices, isIdle }),
    });
  const published = await openPublished(snapshot, query.dataset);
  try {
    await sendFileContent(task, version, {
      size: published.bytes,
      async chunks(part, slices) {
        const isWhole = part.first === 0 && part.last === published.bytes - 1;
        const content =
          isWhole && isIdle() ? await fileCache.cacheIfRepeated(version.sha256, published) : undefined;
        if (content !== undefined) return cachedPieces(content, part, { slices, isIdle });
        const { file, expectUnchanged } = published;
        return fileChunks(file, part, { buffers, slices, expectUnchanged });
      },
    });
  } finally {
    await published.file.close();
  }
}

export interface PublishedVersion {
  readonly etag: string;
  readonly sha256: string;
}

interface FileContent {
  readonly size: number;
  chunks(part: ByteRange, slices: ExportSlices): Promise<AsyncIterable<BufferLease>>;
}

async function sendFileContent(
  task: ExportTask,
  { etag, sha256 }: PublishedVersion,
  { size, chunks }: FileContent,
): Promise<void> {
  const { request, response, yielding, pace } = task;
  const digest = `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`;
  const headers = [...task.headers, 'Accept-Ranges', 'bytes', 'Repr-Digest', digest];
  const range =
    request.method === 'HEAD' ? { kind: 'whole' as const } : requestedRange(request.headers, size, etag);
  if (range.kind === 'unsatisfiable')
    return sendError(response, unsatisfiable(size), ['Content-Range', `bytes */${size}`]);
  const isPart = range.kind === 'part';
  const part = isPart ? range : { first: 0, last: size - 1 };
  const contentLength = part.last - part.first + 1;
  headers.push('Content-Length', String(contentLength));
  if (isPart) headers.push('Content-Range', `bytes ${part.first}-${part.last}/${size}`);
  const status = isPart ? 206 : 200;
  if (request.method === 'HEAD') return sendEmpty(response, status, headers);
  const isSmallPart = isPart && contentLength <= SMALL_PART_BYTES;
  const release = isSmallPart ? acquirePartPermit(task) : acquirePermit(task);
  try {
    const signal = disconnectSignalOf(response);
    const slices = yielding.slices(signal);
    const sent = await chunks(part, slices);
    sendHead(response, status, headers);
    await transfer(response, sent, { contentLength, isGzip: false, pace, signal, slices });
  } finally {
    release();
  }
}

/**
 * The 412 for an `If-Match` that names another file. So a program that fetches a file in parts never mixes parts of two
 * files.
 */
export const preconditionFailed = (): ApiError =>
  new ApiError(
    412,
    'The file is not the one that If-Match names: fetch it anew, or name its snapshot in X-Snapshot',
  );

const unsatisfiable = (size: number): ApiError =>
  new ApiError(416, `The range lies outside the file, which has ${size} bytes`);
