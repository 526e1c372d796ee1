// Sends a long body in chunks, as fast as the client reads, and cuts clients that read too slowly.

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createGzip } from 'node:zlib';
import type { BufferLease } from '../../cache/bufferPool.ts';

export interface Pace {
  /** A client that reads less than this in a window is cut. */
  readonly minBytes: number;
  readonly windowMs: number;
}

export interface TransferOptions {
  readonly gzip: boolean;
  readonly pace: Pace;
  readonly signal: AbortSignal;
}

const GZIP_LEVEL = 4;

/**
 * Sends all chunks and ends the response. A failure resets the connection, so that the client cannot take a truncated
 * body for a complete one.
 *
 * Settles when the response has closed; never throws.
 */
export async function transfer(
  response: ServerResponse,
  chunks: AsyncIterable<BufferLease>,
  { gzip, pace, signal }: TransferOptions,
): Promise<'sent' | 'cut'> {
  const closed = new Promise((resolve) => response.once('close', resolve));
  const stopWatching = watch(response, pace);
  const zip = gzip ? createGzip({ level: GZIP_LEVEL }) : null;
  response.on('error', () => {});
  zip?.on('error', () => {});
  zip?.pipe(response);
  const sink = zip ?? response;
  try {
    for await (const { bytes, release } of chunks) {
      if (signal.aborted) throw new Error('the client has left');
      if (!sink.write(bytes, () => release())) await once(sink, 'drain', { signal });
    }
    sink.end();
    await closed;
    return response.writableFinished ? 'sent' : 'cut';
  } catch {
    cut(response);
    return 'cut';
  } finally {
    zip?.destroy();
    stopWatching();
  }
}

/** Resets the connection: clients of every version of HTTP then know that the body is incomplete. */
function cut(response: ServerResponse): void {
  const { socket } = response;
  if (socket && !socket.destroyed) socket.resetAndDestroy();
  response.destroy();
}

function watch(response: ServerResponse, { minBytes, windowMs }: Pace): () => void {
  let before = response.socket?.bytesWritten ?? 0;
  const timer = setInterval(() => {
    const now = response.socket?.bytesWritten ?? 0;
    // Bytes wait in the socket, so it is the client that is slow.
    if (now - before < minBytes && (response.socket?.writableLength ?? 0) > 0) cut(response);
    before = now;
  }, windowMs);
  timer.unref();
  return () => clearInterval(timer);
}
