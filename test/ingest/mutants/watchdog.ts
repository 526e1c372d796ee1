// Ends the process when a mutant takes too long, because an endless loop cannot be interrupted from its own thread.

import { Worker } from 'node:worker_threads';

const LONGEST_MS = 60_000;

export interface Watchdog {
  /** Reports that reading a mutant begins. */
  begin(number: number): void;
  end(): Promise<void>;
}

/** Watches from a thread of its own. It prints the number of the mutant before it ends the process. */
export function watchdog(): Watchdog {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(WATCHING, { eval: true, workerData: { shared, longestMs: LONGEST_MS } });
  worker.unref();
  return {
    begin(number) {
      Atomics.store(shared, 0, number);
      Atomics.add(shared, 1, 1);
    },
    async end() {
      await worker.terminate();
    },
  };
}

const WATCHING = `
  const { workerData: { shared, longestMs } } = require('node:worker_threads');
  const { writeSync } = require('node:fs');
  let seen = -1;
  let since = Date.now();
  setInterval(() => {
    const count = Atomics.load(shared, 1);
    if (count !== seen) {
      seen = count;
      since = Date.now();
    } else if (count > 0 && Date.now() - since > longestMs) {
      writeSync(2, 'mutant ' + Atomics.load(shared, 0) + ' is still being read\\n');
      process.kill(process.pid, 'SIGKILL');
    }
  }, 1000);
`;
