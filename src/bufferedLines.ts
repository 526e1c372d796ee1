// Writes lines to a file descriptor in batches. Lines are dropped when the descriptor cannot keep up.

import { write, writeSync } from 'node:fs';

export interface BufferedLines {
  write(line: string): void;
  /** Writes the waiting lines, for `deadlineMs` at most. It blocks the event loop, so it is for the end of the process. */
  flushSync(deadlineMs: number): void;
}

/** A batch is written when it reaches this size, or after `FLUSH_MS`. */
const BATCH_BYTES = 32_768;
const FLUSH_MS = 100;

/** The bytes that may wait for a slow reader. Further lines are dropped. */
const MAX_WAITING_BYTES = 4 * 2 ** 20;

/**
 * A destination for pino that never blocks the event loop and never keeps the process alive.
 *
 * A batch that cannot be written is dropped: pino's own destination retries for ever when a disk is full or a pipe has no
 * reader, and then the process cannot end.
 */
export function bufferedLines(fd: number): BufferedLines {
  let collected = '';
  let waiting: Buffer = Buffer.alloc(0);
  let isWriting = false;
  let timer: NodeJS.Timeout | undefined;

  const flushLater = () => {
    timer ??= setTimeout(flush, FLUSH_MS).unref();
  };

  /** Starts to write everything collected, unless a write is running. */
  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (isWriting) return;
    if (waiting.length === 0) [waiting, collected] = [Buffer.from(collected), ''];
    if (waiting.length === 0) return;
    isWriting = true;
    write(fd, waiting, (error, written) => {
      isWriting = false;
      waiting = error && !isBusy(error) ? Buffer.alloc(0) : waiting.subarray(written ?? 0);
      if (error === null && waiting.length > 0) flush();
      else if (waiting.length + collected.length > 0) flushLater();
    });
  }

  return {
    write(line) {
      if (waiting.length + collected.length > MAX_WAITING_BYTES) return;
      collected += line;
      if (collected.length < BATCH_BYTES || isWriting) flushLater();
      else flush();
    },
    flushSync(deadlineMs) {
      const giveUpMs = performance.now() + deadlineMs;
      // A write that is running in another thread must not be repeated.
      let rest = Buffer.concat([...(isWriting ? [] : [waiting]), Buffer.from(collected)]);
      [waiting, collected] = [Buffer.alloc(0), ''];
      while (rest.length > 0 && performance.now() < giveUpMs) {
        try {
          rest = rest.subarray(writeSync(fd, rest));
        } catch (error) {
          if (!isBusy(error as NodeJS.ErrnoException)) return;
          Atomics.wait(SLEEP_CELL, 0, 0, 10);
        }
      }
    },
  };
}

/** For Atomics.wait, the only way to sleep synchronously. */
const SLEEP_CELL = new Int32Array(new SharedArrayBuffer(4));

/** The reader of a pipe is behind. */
const isBusy = ({ code }: NodeJS.ErrnoException): boolean => code === 'EAGAIN' || code === 'EBUSY';
