// Finds patterns in a separate thread, so that one core searches for them while another one compares sums and relations.

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { compiledScript } from '../../../src/process/compiledScript.ts';
import { compilingAsAtStart } from '../../../src/process/compileTimes.ts';
import { type DatasetToSearch, requestOf } from './patternRequest.ts';
import { findPatterns } from './patterns.ts';
import type { Pattern } from './patternTypes.ts';

/**
 * The smallest number of rows, of both sides, for which sending a dataset to the thread takes less time than searching it.
 */
const FEWEST_ROWS = 5_000;

interface SentDataset {
  readonly dataset: DatasetToSearch;
  readonly end: (patterns: readonly Pattern[]) => void;
  readonly fail: (error: unknown) => void;
}

/** The thread that finds patterns. The caller must call `close`. */
export class PatternThread {
  readonly #worker: Worker;
  /** The requests that the thread has not answered yet, in the order of its answers. */
  readonly #unanswered: SentDataset[] = [];
  #isGone = false;

  constructor() {
    const worker = new Worker(SCRIPT, { execArgv: [] });
    this.#worker = worker;
    const endStart = compilingAsAtStart();
    // The thread sends its first message when it has started.
    worker.once('message', () => {
      endStart();
      worker.on('message', (patterns: readonly Pattern[]) => this.#unanswered.shift()?.end(patterns));
    });
    worker.once('exit', endStart);
    // When the thread fails, this thread searches instead. An error of the search itself then rejects the promise.
    worker.on('error', () => this.#searchHere()).on('exit', () => this.#searchHere());
  }

  /** Starts the thread. Null if there is no second core for it, or if the machine cannot start another thread. */
  static start(): PatternThread | null {
    if (availableParallelism() === 1) return null;
    try {
      return new PatternThread();
    } catch {
      return null;
    }
  }

  /**
   * The patterns of a dataset, as `findPatterns` gives them. Null if the dataset is so small that the caller should search
   * it, or if the thread has ended.
   */
  find(dataset: DatasetToSearch): Promise<readonly Pattern[]> | null {
    if (this.#isGone || dataset.matched.codes.rows < FEWEST_ROWS) return null;
    return new Promise((end, fail) => {
      this.#unanswered.push({ dataset, end, fail });
      this.#worker.postMessage(requestOf(dataset));
    });
  }

  #searchHere(): void {
    this.#isGone = true;
    for (const { dataset, end, fail } of this.#unanswered.splice(0)) {
      try {
        const { matched, sums, prior } = dataset;
        end(findPatterns(matched, sums, prior));
      } catch (error) {
        fail(error);
      }
    }
  }

  /** Ends the thread. Promises of unanswered requests stay pending. */
  async close(): Promise<void> {
    this.#unanswered.length = 0;
    await this.#worker.terminate();
  }
}

const SCRIPT = compiledScript('ingest/compare/patterns/patternWorker.js');
