// Writes lines to a file descriptor in batches. When the reader is too slow, it drops whole lines.

import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';

/** A batch is written when it has this size. */
const BATCH_BYTES = 32_768;
/** How long a smaller batch waits. */
const FLUSH_MS = 100;

/** How long to wait between two attempts to write while the reader is behind. */
const BEHIND_MS = 10;

/** How many bytes may wait for a slow reader. Further lines are dropped. */
const MAX_WAITING_BYTES = 4 * 2 ** 20;

/**
 * A destination for pino that never blocks the event loop and never keeps the process alive.
 *
 * It drops a batch that cannot be written. pino's own destination would retry for ever when a disk is full or a pipe
 * has no reader, and the process could not end.
 */
export class BufferedLines {
  readonly #fd: number;
  readonly #target: Target;
  #collected = '';
  /** The part of the last batch that is not written yet. */
  #waiting: Buffer = Buffer.alloc(0);
  /** Whether a write in a thread of node's pool is running. */
  #isWriting = false;
  /** Whether the last write failed because the reader is behind. */
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

  /**
   * Writes all waiting lines, for at most `deadlineMs`. It blocks the event loop, so it is only for the end of the
   * process.
   */
  flushSync(deadlineMs: number): void {
    const { pipe, takesPieces } = this.#target;
    const giveUpMs = performance.now() + deadlineMs;
    // The bytes that a thread is writing now must not be written twice.
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

  /** The length of all text that waits. */
  #size(): number {
    return this.#waiting.length + this.#collected.length;
  }

  #flushLater(): void {
    this.#timer ??= setTimeout(() => this.#flush(), this.#isBehind ? BEHIND_MS : FLUSH_MS).unref();
  }

  /** Begins to write all waiting lines, unless a write is running. */
  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#target.pipe !== null) this.#writeAll(this.#target.pipe);
    else if (!this.#isWriting) this.#writeInThread();
    if (!this.#isWriting && this.#size() > 0) this.#flushLater();
  }

  /** Writes all waiting lines in this thread. Stops when the reader is behind. */
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

  /** The bytes to be written next; none when nothing waits. */
  #nextPiece(): Buffer {
    if (this.#waiting.length === 0) {
      this.#waiting = Buffer.from(this.#collected);
      this.#collected = '';
    }
    return this.#target.takesPieces ? this.#waiting.subarray(0, pieceLength(this.#waiting)) : this.#waiting;
  }

  /** Records the outcome of a write. When it failed for another reason than a slow reader, the bytes are dropped. */
  #writeEnded(error: NodeJS.ErrnoException | null, written: number): void {
    this.#isBehind = error !== null && isBusy(error);
    this.#waiting = error === null || this.#isBehind ? this.#waiting.subarray(written) : Buffer.alloc(0);
  }
}

/** The file, pipe or socket to which a descriptor leads. */
interface Target {
  /**
   * Another descriptor for the same pipe, which never blocks. Without one, threads write to the original descriptor. The
   * original one may block, because processes that share it can change that at any time.
   */
  readonly pipe: number | null;
  /** Whether lines must be written in pieces, because a longer write may stop in the middle of a line. */
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
    // Only Linux has `/proc/self/fd`, and some sandboxes hide it.
    return { pipe: null, takesPieces: true };
  }
}

/** The most bytes that Linux writes to a pipe either completely or not at all (PIPE_BUF). */
const PIECE_BYTES = 4096;

/** The length of the first lines that fit into a piece together, or of the first line if it is longer than a piece. */
function pieceLength(lines: Buffer): number {
  if (lines.length <= PIECE_BYTES) return lines.length;
  const last = lines.lastIndexOf('\n', PIECE_BYTES - 1);
  return (last >= 0 ? last : lines.indexOf('\n')) + 1;
}

/** The memory on which `Atomics.wait` waits, which is the only way to sleep synchronously. */
const SLEEP_CELL = new Int32Array(new SharedArrayBuffer(4));

/** Whether an error says that the reader is behind. */
const isBusy = ({ code }: NodeJS.ErrnoException): boolean => code === 'EAGAIN' || code === 'EBUSY';
