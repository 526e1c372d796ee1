// Shows a command's progress on stderr: redrawn in place on a terminal, otherwise a line for every 10 %.

import { printable } from '../../../src/text/printable.ts';

export interface Progress {
  /** Begins a new phase of the work, such as `checking`. */
  phase(name: string): void;
  /** Shows how much of the phase is done. `done` and `total` have the same unit, such as bytes or steps. */
  update(what: string, done: number, total: number): void;
  /** Clears the line of progress on a terminal. Nothing is shown afterwards. */
  end(): void;
}

export interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/**
 * Progress that is written to a stream.
 *
 * @param nowMs A clock in milliseconds that never goes back.
 */
export function progressOn(stream: ProgressStream, nowMs: () => number = () => performance.now()): Progress {
  let hasEnded = false;
  // After an interruption, the work goes on until the process ends. Its progress must not follow the last message.
  const open: ProgressStream = { write: (text) => !hasEnded && stream.write(text) };
  const progress = stream.isTTY === true ? redrawnProgress(open, nowMs) : linesOfProgress(open);
  return {
    ...progress,
    end() {
      progress.end();
      hasEnded = true;
    },
  };
}

const REDRAW_MS = 100;

const ERASE_LINE = '\r\u001b[2K';

function redrawnProgress(stream: ProgressStream, nowMs: () => number): Progress {
  let phase = '';
  let drawnMs = Number.NEGATIVE_INFINITY;
  return {
    phase(name) {
      phase = name;
      drawnMs = nowMs();
      stream.write(`${ERASE_LINE}${phase} …`);
    },
    update(what, done, total) {
      if (nowMs() - drawnMs < REDRAW_MS) return;
      drawnMs = nowMs();
      stream.write(`${ERASE_LINE}${phase} ${printable(what)} … ${percent(done, total)} %`);
    },
    end() {
      stream.write(ERASE_LINE);
    },
  };
}

function linesOfProgress(stream: ProgressStream): Progress {
  let phase = '';
  let tenth = 0;
  return {
    phase(name) {
      phase = name;
      tenth = 0;
      stream.write(`${phase}\n`);
    },
    update(what, done, total) {
      const now = Math.floor(percent(done, total) / 10);
      if (now <= tenth) return;
      tenth = now;
      stream.write(`${phase} ${now * 10} % (${printable(what)})\n`);
    },
    end() {},
  };
}

const percent = (done: number, total: number) =>
  total > 0 ? Math.min(100, Math.floor((100 * done) / total)) : 100;
