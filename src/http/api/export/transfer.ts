// Sends a long body in chunks, as fast as the client reads, and cuts clients that read too slowly.

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createGzip } from 'node:zlib';
import type { BufferLease } from '../../../cache/bufferPool.ts';
import { GZIP_LEVEL } from '../../../cache/compression.ts';
import { CHUNK_BYTES } from '../../../query/export/chunkBytes.ts';
import type { ExportSlices } from '../../../query/yielding.ts';

export interface Pace {
  /** A client that reads less than this in a window is cut. */
  readonly minBytes: number;
  readonly windowMs: number;
}

export interface TransferOptions {
  /** The length of the body, if the head states it. */
  readonly bytes?: number;
  readonly gzip: boolean;
  readonly pace: Pace;
  readonly signal: AbortSignal;
  /** The slices of time in which the chunks are made; left out when chunks are made while others are sent. */
  readonly slices?: ExportSlices;
}

/**
 * Sends all chunks and ends the response. A failure resets the connection, so that the client cannot take a truncated
 * body for a complete one.
 *
 * Settles when the response has closed: everything was sent, or the client left or was cut.
 *
 * @throws {Error} after the connection is reset: the failure of `chunks`, or a body whose length is not the stated one.
 */
export async function transfer(
  response: ServerResponse,
  chunks: AsyncIterable<BufferLease>,
  { bytes: stated, gzip, pace, signal, slices }: TransferOptions,
): Promise<void> {
  const closed = new Promise((resolve) => response.once('close', resolve));
  const stopWatching = watch(response, pace);
  const zip = gzip ? createGzip({ level: GZIP_LEVEL }) : null;
  response.on('error', () => {});
  zip?.on('error', () => {});
  zip?.pipe(response);
  const sink = zip ?? response;
  const cork = corkOf(zip ? null : response.socket);
  let written = 0;
  try {
    for await (const { bytes, release } of chunks) {
      if (signal.aborted) throw new Error('the client has left');
      // The first chunk goes out at once, together with the head.
      if (written > 0) cork.put(bytes.length);
      written += bytes.length;
      sink.write(bytes, () => release());
      if (cork.isRoomy() && !slices?.isOver()) continue;
      cork.pull();
      if (!sink.writableNeedDrain) continue;
      const drained = once(sink, 'drain', { signal });
      await (slices?.waitFor(drained) ?? drained);
    }
    cork.pull();
    // A client would read the next answer on this connection as the rest of the body.
    if (stated !== undefined && written !== stated)
      throw new Error(`the body has ${written} bytes and its head says ${stated}`);
    sink.end();
    await closed;
  } catch (cause) {
    const hasLeft = signal.aborted;
    cut(response);
    if (!hasLeft) throw cause;
  } finally {
    zip?.destroy();
    stopWatching();
  }
}

/**
 * Collects chunks in a socket, to pass up to `CHUNK_BYTES` to the system in one call: each call takes more time than
 * copying a small chunk. Without a socket, nothing is collected.
 */
function corkOf(socket: Socket | null) {
  let corkedBytes = 0;
  return {
    put(bytes: number) {
      if (corkedBytes === 0) socket?.cork();
      corkedBytes += bytes;
    },
    isRoomy: () => socket !== null && corkedBytes > 0 && corkedBytes < CHUNK_BYTES,
    pull() {
      if (corkedBytes > 0) socket?.uncork();
      corkedBytes = 0;
    },
  };
}

/** Resets the connection, which tells clients of every HTTP version that the body is incomplete. */
function cut(response: ServerResponse): void {
  const { socket } = response;
  if (socket && !socket.destroyed) socket.resetAndDestroy();
  response.destroy();
}

/** Cuts the response when its client reads fewer than `minBytes` in a window; returns the function that stops this. */
function watch(response: ServerResponse, { minBytes, windowMs }: Pace): () => void {
  let before = response.socket?.bytesWritten ?? 0;
  const timer = setInterval(() => {
    const now = response.socket?.bytesWritten ?? 0;
    // The client is slow only when bytes wait in the socket. Otherwise the export is.
    if (now - before < minBytes && (response.socket?.writableLength ?? 0) > 0) cut(response);
    before = now;
  }, windowMs);
  timer.unref();
  return () => clearInterval(timer);
}
