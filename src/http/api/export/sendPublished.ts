// Sends the published Parquet file of a dataset, or a range of it, byte for byte.

import type { Response } from 'express';
import { ApiError } from '../../../errors.ts';
import { NO_STORE } from '../../server/headers.ts';
import { jsonContent, sendContent, sendEmpty, sendHead } from '../../server/send.ts';
import { disconnectSignalOf } from '../clientDisconnect.ts';
import { fileChunks } from './fileChunks.ts';
import { openPublished } from './publishedFile.ts';
import { rangeOf } from './range.ts';
import { acquirePartPermit, acquirePermit, type ExportTask } from './task.ts';
import { transfer } from './transfer.ts';

/** A part of at most this size does not count as an export, because programs fetch many parts at the same time. */
const SMALL_PART_BYTES = 8 * 2 ** 20;

/**
 * Sends the file. A prune during the transfer does no harm, because the file stays open.
 *
 * @throws {ApiError} 503 when no permit is free, or the snapshot was pruned just now.
 * @throws {Error} when the file was changed after it was published.
 */
export async function sendPublished(
  task: ExportTask,
  { etag, sha256 }: { readonly etag: string; readonly sha256: string },
): Promise<void> {
  const { request, response, query, snapshot, chunkBuffers, yielding, pace } = task;
  const { file, bytes: size, expectUnchanged } = await openPublished(snapshot, query.dataset);
  try {
    const digest = `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`;
    const headers = [...task.headers, 'Accept-Ranges', 'bytes', 'Repr-Digest', digest];
    const range =
      request.method === 'HEAD' ? { kind: 'whole' as const } : rangeOf(request.headers, size, etag);
    if (range.kind === 'unsatisfiable') return sendUnsatisfiable(response, size);
    const isPart = range.kind === 'part';
    const { first, last } = isPart ? range : { first: 0, last: size - 1 };
    const bytes = last - first + 1;
    headers.push('Content-Length', String(bytes));
    if (isPart) headers.push('Content-Range', `bytes ${first}-${last}/${size}`);
    const status = isPart ? 206 : 200;
    if (request.method === 'HEAD') return sendEmpty(response, status, headers);
    const isSmallPart = isPart && bytes <= SMALL_PART_BYTES;
    const release = isSmallPart ? acquirePartPermit(task) : acquirePermit(task);
    try {
      sendHead(response, status, headers);
      const signal = disconnectSignalOf(response);
      const slices = yielding.slices(signal);
      const chunks = fileChunks(file, { first, last }, { buffers: chunkBuffers, slices, expectUnchanged });
      await transfer(response, chunks, { bytes, gzip: false, pace, signal, slices });
    } finally {
      release();
    }
  } finally {
    await file.close();
  }
}

/**
 * The 412 for an `If-Match` that names another file. So a program that fetches a file in parts gets parts of one file.
 */
export const anotherVersion = (): ApiError =>
  new ApiError(
    412,
    'The file is not the one that If-Match names: fetch it anew, or name its snapshot in X-Snapshot',
  );

function sendUnsatisfiable(response: Response, size: number): void {
  const error = new ApiError(416, `The range lies outside the file, which has ${size} bytes`);
  const body = Buffer.from(JSON.stringify(error));
  const headers = [...NO_STORE, 'Content-Range', `bytes */${size}`];
  sendContent(response, 416, jsonContent(headers, body));
}
