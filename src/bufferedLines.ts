// Writes lines to a file descriptor, many at a time. What the descriptor does not take is given up in the end.

import { write, writeSync } from 'node:fs';

export interface BufferedLines {
  write(line: string): void;
  /** Writes what waits, as far as the descriptor takes it in time. For the end of the process: it blocks. */
  flushSync(deadlineMs: number): void;
}

/** Lines are written when so much has been collected, or after `FLUSH_MS`. */
const WORTH_WRITING_BYTES = 8192;
const FLUSH_MS = 100;

/** What may wait for a reader; lines beyond are dropped. */
const MOST_WAITING_BYTES = 4 * 2 ** 20;

/**
 * pino's own destination would try for ever where a disk is full, or where nobody reads the other end of a pipe: the
 * process could not end.
 */
export function bufferedLines(fd: number): BufferedLines {
  let collected = '';
  let waiting: Buffer = Buffer.alloc(0);
  let isWriting = false;
  let timer: NodeJS.Timeout | undefined;

  const later = () => {
    timer ??= setTimeout(begin, FLUSH_MS).unref();
  };

  /** Begins to write everything collected, unless that is under way. */
  function begin(): void {
    clearTimeout(timer);
    timer = undefined;
    if (isWriting) return;
    if (waiting.length === 0) [waiting, collected] = [Buffer.from(collected), ''];
    if (waiting.length === 0) return;
    isWriting = true;
    write(fd, waiting, (error, written) => {
      isWriting = false;
      waiting = error && !isBusy(error) ? Buffer.alloc(0) : waiting.subarray(written ?? 0);
      if (error === null && waiting.length > 0) begin();
      else if (waiting.length + collected.length > 0) later();
    });
  }

  return {
    write(line) {
      if (waiting.length + collected.length > MOST_WAITING_BYTES) return;
      collected += line;
      if (collected.length < WORTH_WRITING_BYTES || isWriting) later();
      else begin();
    },
    flushSync(deadlineMs) {
      const giveUpMs = performance.now() + deadlineMs;
      // What is being written in another thread would be written twice.
      let rest = Buffer.concat([...(isWriting ? [] : [waiting]), Buffer.from(collected)]);
      [waiting, collected] = [Buffer.alloc(0), ''];
      while (rest.length > 0 && performance.now() < giveUpMs) {
        try {
          rest = rest.subarray(writeSync(fd, rest));
        } catch (error) {
          if (!isBusy(error as NodeJS.ErrnoException)) return;
          Atomics.wait(NOTHING, 0, 0, 10);
        }
      }
    },
  };
}

/** Nothing but something to wait on. */
const NOTHING = new Int32Array(new SharedArrayBuffer(4));

/** The reader of a pipe has fallen behind. */
const isBusy = ({ code }: NodeJS.ErrnoException): boolean => code === 'EAGAIN' || code === 'EBUSY';
