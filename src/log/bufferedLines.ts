// Writes lines to a file descriptor in batches. Whole lines are dropped when the descriptor cannot keep up.

import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';

/** A batch is written when it reaches this size, or after `FLUSH_MS`. */
const BATCH_BYTES = 32_768;
const FLUSH_MS = 100;

/** How soon a write is tried again while the reader is behind. */
const BEHIND_MS = 10;

/** The bytes that may wait for a slow reader. Further lines are dropped. */
const MAX_WAITING_BYTES = 4 * 2 ** 20;

/**
 * A destination for pino that never blocks the event loop and never keeps the process alive.
 *
 * A batch that cannot be written is dropped: pino's own destination retries for ever when a disk is full or a pipe has no
 * reader, and then the process cannot end.
 */
export class BufferedLines {
  readonly #fd: number;
  readonly #target: Target;
  /** Lines of the next batch. */
  #collected = '';
  /** The rest of the previous batch, which the descriptor has not taken yet. */
  #waiting: Buffer = Buffer.alloc(0);
  /** Whether a thread of the pool is writing. */
  #isWriting = false;
  /** Whether the descriptor could take no more at the last write. */
  #isBehind = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(fd: number) {
    this.#fd = fd;
    this.#target = targetOf(fd);
  }

  write(line: string): void {
    if (this.#size() > MAX_WAITING_BYTES) return;
    this.#collected += line;
    if (this.#collected.length < BATCH_BYTES || this.#isWriting || this.#isBehind) this.#flushLater();
    else this.#flush();
  }

  /** Writes the waiting lines, for `deadlineMs` at most. It blocks the event loop, so it is for the end of the process. */
  flushSync(deadlineMs: number): void {
    const { pipe, takesPieces } = this.#target;
    const giveUpMs = performance.now() + deadlineMs;
    // A write that is running in another thread must not be repeated.
    if (this.#isWriting) {
      const written = takesPieces ? pieceLength(this.#waiting) : this.#waiting.length;
      this.#waiting = this.#waiting.subarray(written);
    }
    this.#writeAll(pipe ?? this.#fd);
    while (this.#isBehind && performance.now() < giveUpMs) {
      Atomics.wait(SLEEP_CELL, 0, 0, BEHIND_MS);
      this.#writeAll(pipe ?? this.#fd);
    }
    this.#collected = '';
    this.#waiting = Buffer.alloc(0);
  }

  /** The length of everything that waits. */
  #size(): number {
    return this.#waiting.length + this.#collected.length;
  }

  #flushLater(): void {
    this.#timer ??= setTimeout(() => this.#flush(), this.#isBehind ? BEHIND_MS : FLUSH_MS).unref();
  }

  /** Starts to write everything that waits, unless a write is running. */
  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#target.pipe !== null) this.#writeAll(this.#target.pipe);
    else if (!this.#isWriting) this.#writeInThread();
    if (!this.#isWriting && this.#size() > 0) this.#flushLater();
  }

  /** Writes until the descriptor is busy. */
  #writeAll(fd: number): void {
    this.#isBehind = false;
    for (let piece = this.#nextPiece(); piece.length > 0 && !this.#isBehind; piece = this.#nextPiece()) {
      try {
        this.#writeEnded(null, writeSync(fd, piece));
      } catch (error) {
        this.#writeEnded(error as NodeJS.ErrnoException, 0);
      }
    }
  }

  #writeInThread(): void {
    const piece = this.#nextPiece();
    if (piece.length === 0) return;
    this.#isWriting = true;
    write(this.#fd, piece, (error, written) => {
      this.#isWriting = false;
      this.#writeEnded(error, written ?? 0);
      if (error === null) this.#flush();
      else if (this.#size() > 0) this.#flushLater();
    });
  }

  /** What is written next; empty when nothing waits. */
  #nextPiece(): Buffer {
    if (this.#waiting.length === 0) {
      this.#waiting = Buffer.from(this.#collected);
      this.#collected = '';
    }
    return this.#target.takesPieces ? this.#waiting.subarray(0, pieceLength(this.#waiting)) : this.#waiting;
  }

  /** Takes note of the outcome of a write. Bytes that failed for another reason than a slow reader are dropped. */
  #writeEnded(error: NodeJS.ErrnoException | null, written: number): void {
    this.#isBehind = error !== null && isBusy(error);
    this.#waiting = error === null || this.#isBehind ? this.#waiting.subarray(written) : Buffer.alloc(0);
  }
}

interface Target {
  /**
   * A descriptor of the same pipe that never blocks; null for anything else, which a thread writes to. The given one may
   * begin to block at any time: other processes share it, and each that starts or ends sets that anew.
   */
  readonly pipe: number | null;
  /** Whether a write of more than a piece may be cut in the middle of a line. */
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

/** Linux writes up to this many bytes to a pipe in one piece or not at all (PIPE_BUF). */
const PIECE_BYTES = 4096;

/** The length of the first lines that fit into a piece, or of the first line where that is longer. */
function pieceLength(lines: Buffer): number {
  if (lines.length <= PIECE_BYTES) return lines.length;
  const last = lines.lastIndexOf('\n', PIECE_BYTES - 1);
  return (last >= 0 ? last : lines.indexOf('\n')) + 1;
}

/** For Atomics.wait, the only way to sleep synchronously. */
const SLEEP_CELL = new Int32Array(new SharedArrayBuffer(4));

/** The reader of a pipe is behind. */
const isBusy = ({ code }: NodeJS.ErrnoException): boolean => code === 'EAGAIN' || code === 'EBUSY';
