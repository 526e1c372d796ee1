// Preloaded into the program that reads a sheet in a thread: sends it a request, and ends it when the sheet is read.

import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';

threads.workerData = JSON.parse(process.env.REQUEST);
threads.parentPort = {
  on: () => {},
  unref: () => {},
  postMessage(report) {
    if ('end' in report) process.exit();
  },
};
syncBuiltinESMExports();
