// Writes lines to a file descriptor in batches. Whole lines are dropped when the descriptor cannot keep up.

import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';

export interface BufferedLines {
  write(line: string): void;
  /** Writes the waiting lines, for `deadlineMs` at most. It blocks the event loop, so it is for the end of the process. */
  flushSync(deadlineMs: number): void;
}

/** A batch is written when it reaches this size, or after `FLUSH_MS`. */
const BATCH_BYTES = 32_768;
const FLUSH_MS = 100;

/** How soon a reader that is behind is tried again. */
const BEHIND_MS = 10;

/** The bytes that may wait for a slow reader. Further lines are dropped. */
const MAX_WAITING_BYTES = 4 * 2 ** 20;

/**
 * A destination for pino that never blocks the event loop and never keeps the process alive.
 *
 * A batch that cannot be written is dropped: pino's own destination retries for ever when a disk is full or a pipe has no
 * reader, and then the process cannot end.
 */
export function bufferedLines(fd: number): BufferedLines {
  const { pipe, takesPieces } = targetOf(fd);
  /** Lines of the next batch. */
  let collected = '';
  /** What the descriptor has not taken yet of the batch before it. */
  let waiting: Buffer = Buffer.alloc(0);
  /** A thread writes. */
  let isWriting = false;
  /** The descriptor could not take more at the last write. */
  let isBehind = false;
  let timer: NodeJS.Timeout | undefined;

  const flushLater = () => {
    timer ??= setTimeout(flush, isBehind ? BEHIND_MS : FLUSH_MS).unref();
  };

  /** What is written next; empty when nothing waits. */
  function nextPiece(): Buffer {
    if (waiting.length === 0) [waiting, collected] = [Buffer.from(collected), ''];
    return takesPieces ? waiting.subarray(0, pieceLength(waiting)) : waiting;
  }

  /** Takes note of the outcome of a write. Bytes that failed for another reason than a slow reader are dropped. */
  function writeEnded(error: NodeJS.ErrnoException | null, written: number): void {
    isBehind = error !== null && isBusy(error);
    waiting = error === null || isBehind ? waiting.subarray(written) : Buffer.alloc(0);
  }

  /** Starts to write everything collected, unless a write is running. */
  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (pipe !== null) writeAll(pipe);
    else if (!isWriting) writeInThread();
    if (!isWriting && waiting.length + collected.length > 0) flushLater();
  }

  /** Writes until the descriptor is busy. */
  function writeAll(target: number): void {
    isBehind = false;
    for (let piece = nextPiece(); piece.length > 0 && !isBehind; piece = nextPiece()) {
      try {
        writeEnded(null, writeSync(target, piece));
      } catch (error) {
        writeEnded(error as NodeJS.ErrnoException, 0);
      }
    }
  }

  function writeInThread(): void {
    const piece = nextPiece();
    if (piece.length === 0) return;
    isWriting = true;
    write(fd, piece, (error, written) => {
      isWriting = false;
      writeEnded(error, written ?? 0);
      if (error === null) flush();
      else if (waiting.length + collected.length > 0) flushLater();
    });
  }

  return {
    write(line) {
      if (waiting.length + collected.length > MAX_WAITING_BYTES) return;
      collected += line;
      if (collected.length < BATCH_BYTES || isWriting || isBehind) flushLater();
      else flush();
    },
    flushSync(deadlineMs) {
      const giveUpMs = performance.now() + deadlineMs;
      // A write that is running in another thread must not be repeated.
      if (isWriting) waiting = waiting.subarray(takesPieces ? pieceLength(waiting) : waiting.length);
      writeAll(pipe ?? fd);
      while (isBehind && performance.now() < giveUpMs) {
        Atomics.wait(SLEEP_CELL, 0, 0, BEHIND_MS);
        writeAll(pipe ?? fd);
      }
      [waiting, collected] = [Buffer.alloc(0), ''];
    },
  };
}

interface Target {
  /**
   * A descriptor of the same pipe that never blocks; null for anything else, which a thread writes to. The given one may
   * begin to block at any time: other processes share it, and each that starts or ends sets that anew.
   */
  readonly pipe: number | null;
  /** Whether a write may be cut in the middle of a line unless it is a piece. */
  readonly takesPieces: boolean;
}

function targetOf(fd: number): Target {
  try {
    const status = fstatSync(fd);
    if (!status.isFIFO()) return { pipe: null, takesPieces: status.isSocket() };
  } catch {
    return { pipe: null, takesPieces: false };
  }
  try {
    const pipe = openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
    return { pipe, takesPieces: true };
  } catch {
    // Only Linux has this folder, and not every sandbox shows it.
    return { pipe: null, takesPieces: true };
  }
}

/** Linux writes up to so many bytes to a pipe in one piece or not at all (PIPE_BUF). */
const PIECE_BYTES = 4096;

/** The bytes of as many whole lines as make a piece, or of a longer line. */
function pieceLength(lines: Buffer): number {
  if (lines.length <= PIECE_BYTES) return lines.length;
  const last = lines.lastIndexOf('\n', PIECE_BYTES - 1);
  return (last >= 0 ? last : lines.indexOf('\n')) + 1;
}

/** For Atomics.wait, the only way to sleep synchronously. */
const SLEEP_CELL = new Int32Array(new SharedArrayBuffer(4));

/** The reader of a pipe is behind. */
const isBusy = ({ code }: NodeJS.ErrnoException): boolean => code === 'EAGAIN' || code === 'EBUSY';
