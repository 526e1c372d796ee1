// Runs in the thread of `patternThread.ts`: finds the patterns of one dataset after another.

import { parentPort } from 'node:worker_threads';
import { datasetOfRequest, type PatternRequest } from './patternRequest.ts';
import { findPatterns } from './patterns.ts';

// Tells the main thread that this thread has loaded its code.
parentPort?.postMessage(null);
parentPort?.on('message', (request: PatternRequest) => {
  const { matched, sums, prior } = datasetOfRequest(request);
  parentPort?.postMessage(findPatterns(matched, sums, prior));
});
