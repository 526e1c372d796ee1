// Sends a long body in chunks, as fast as the client reads. Cuts the connection of a client that reads too slowly.

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createGzip } from 'node:zlib';
import type { BufferLease } from '../../../cache/bufferPool.ts';
import { GZIP_LEVEL } from '../../../cache/compression.ts';
import { CHUNK_BYTES, type ExportSlices } from '../../../query/yielding.ts';

export interface Pace {
  /** The connection of a client that reads fewer bytes than this in a window is cut. */
  readonly minBytes: number;
  readonly windowMs: number;
}

export interface TransferOptions {
  /** The length of the body that the head states; left out when it states none. */
  readonly contentLength?: number;
  readonly isGzip: boolean;
  readonly pace: Pace;
  readonly signal: AbortSignal;
  /** The slices in which the chunks are made. Left out when chunks are made while earlier chunks are sent. */
  readonly slices?: ExportSlices;
}

/**
 * Sends all chunks and ends the response. A failure resets the connection, so that the client cannot mistake a truncated
 * body for a complete one.
 *
 * Settles when the response has closed, because everything was sent, or because the client left or was cut.
 *
 * @throws {Error} when `chunks` fails, or when the length of the body is not the stated one. The connection has been
 * reset by then.
 */
export async function transfer(
  response: ServerResponse,
  chunks: AsyncIterable<BufferLease>,
  { contentLength: statedBytes, isGzip, pace, signal, slices }: TransferOptions,
): Promise<void> {
  const closed = new Promise((resolve) => response.once('close', resolve));
  const zip = isGzip ? createGzip({ level: GZIP_LEVEL }) : null;
  response.on('error', () => {});
  zip?.on('error', () => {});
  zip?.pipe(response);
  const sink = zip ?? response;
  const cork = createCork(zip ? null : response.socket);
  const stopWatching = resetWhenSlow(response, pace, cork.holdsBytes);
  let written = 0;
  try {
    for await (const { bytes, release } of chunks) {
      if (signal.aborted) throw new Error('the client has left');
      // The first chunk is not collected. It is sent at once, together with the head.
      if (written > 0) cork.collect(bytes.length);
      written += bytes.length;
      sink.write(bytes, () => release());
      if (cork.hasRoom() && !slices?.isOver()) continue;
      cork.passOn();
      if (!sink.writableNeedDrain) continue;
      const drained = once(sink, 'drain', { signal });
      await (slices?.waitFor(drained) ?? drained);
    }
    cork.passOn();
    // If the body were too short, the client would read the next answer on this connection as its rest.
    if (statedBytes !== undefined && written !== statedBytes)
      throw new Error(`the body has ${written} bytes and its head says ${statedBytes}`);
    sink.end();
    await closed;
  } catch (cause) {
    const hasLeft = signal.aborted;
    resetConnection(response);
    if (!hasLeft) throw cause;
  } finally {
    zip?.destroy();
    stopWatching();
  }
}

/**
 * Collects chunks in a socket, so that one call passes up to `CHUNK_BYTES` to the system. A call takes more time than
 * copying a small chunk. Without a socket, nothing is collected.
 */
function createCork(socket: Socket | null) {
  let corkedBytes = 0;
  return {
    /** Must be called before a chunk of this many bytes is written. The chunk is then held back. */
    collect(bytes: number) {
      if (corkedBytes === 0) socket?.cork();
      corkedBytes += bytes;
    },
    holdsBytes: () => corkedBytes > 0,
    /** Whether bytes are held back, and more can be held back with them. */
    hasRoom: () => socket !== null && corkedBytes > 0 && corkedBytes < CHUNK_BYTES,
    /** Passes the bytes that are held back to the system. */
    passOn() {
      if (corkedBytes > 0) socket?.uncork();
      corkedBytes = 0;
    },
  };
}

/** Resets the connection. Clients of every HTTP version understand that the body is incomplete. */
function resetConnection(response: ServerResponse): void {
  const { socket } = response;
  if (socket && !socket.destroyed) socket.resetAndDestroy();
  response.destroy();
}

/**
 * Cuts the response when its client reads fewer than `minBytes` in a window; returns the function that stops this.
 *
 * @param isCorked whether the socket holds bytes back until the next chunk comes.
 */
function resetWhenSlow(
  response: ServerResponse,
  { minBytes, windowMs }: Pace,
  isCorked: () => boolean,
): () => void {
  let before = response.socket?.bytesWritten ?? 0;
  const timer = setInterval(() => {
    const now = response.socket?.bytesWritten ?? 0;
    // If no bytes wait in the socket, or the cork holds them back, the export is slow, not the client.
    const isWaiting = (response.socket?.writableLength ?? 0) > 0 && !isCorked();
    if (now - before < minBytes && isWaiting) resetConnection(response);
    before = now;
  }, windowMs);
  timer.unref();
  return () => clearInterval(timer);
}
