// Preloaded into the program that finds patterns in a thread: sends it the datasets of the file REQUESTS, and ends it.

import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { deserialize } from 'node:v8';
import threads from 'node:worker_threads';

threads.parentPort = {
  postMessage: () => {},
  on(_, find) {
    for (const request of deserialize(readFileSync(process.env.REQUESTS))) find(request);
    process.exit();
  },
};
syncBuiltinESMExports();
