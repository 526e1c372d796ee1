// Reads the rest of a large sheet in a separate thread, so that one core parses rows while another one stages them.

import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { compiledScript } from '../../../../src/process/compiledScript.ts';
import { compilingAsAtStart } from '../../../../src/process/compileTimes.ts';
import { type Fault, UnreadableError } from '../../../messages/fault.ts';
import type { Cell, ColumnBatch, ColumnKind, RawRow, TableFindings } from '../rawFile.ts';
import { receivedBatch, type SentBatch } from './sheetBatch.ts';

/** The part of a workbook that the thread reads. */
export interface SheetRequest {
  readonly path: string;
  readonly name: string;
  /** The index of the sheet among the tables of the file. */
  readonly sheet: number;
  readonly kinds: readonly ColumnKind[];
  /** The number of the last row that was read already. */
  readonly lastRow: number;
}

/** A message of the thread. `progress` is the share of the file that was read. */
export type SheetReport =
  | { readonly batch: SentBatch; readonly progress: number }
  | { readonly rows: readonly RawRow[]; readonly progress: number }
  | { readonly end: TableFindings }
  | { readonly fault: Fault };

/**
 * The most batches that were sent and are not yet used. At this number, the thread that reads waits. The number is large
 * enough to keep both threads busy, and small enough to save memory.
 */
export const MOST_BATCHES = 8;

/**
 * Yields the rows of a sheet after `request.lastRow`.
 *
 * @param dictionary The cells for which codes stand.
 * @returns What was found in the whole sheet.
 * @throws {UnreadableError} in the same cases as reading in this thread.
 */
export async function* readInThread(
  request: SheetRequest,
  dictionary: readonly Cell[],
  onProgress: (fraction: number) => void,
): AsyncGenerator<readonly RawRow[] | ColumnBatch, TableFindings> {
  const endStart = compilingAsAtStart();
  const worker = new Worker(SCRIPT, { workerData: request, execArgv: [] });
  worker.once('message', endStart);
  // The loop below gets errors only until it ends. A later error would end the process without a listener.
  worker.on('error', () => {});
  const messages = on(worker, 'message', { close: ['exit'] });
  try {
    for await (const [message] of messages) {
      const report: SheetReport = message;
      if ('end' in report) return report.end;
      if ('fault' in report) throw new UnreadableError(report.fault);
      onProgress(report.progress);
      yield 'batch' in report ? receivedBatch(report.batch, dictionary) : report.rows;
      worker.postMessage(null);
    }
    throw new Error('the thread that reads a sheet ended before its last message');
  } finally {
    endStart();
    await worker.terminate();
  }
}

const SCRIPT = compiledScript('ingest/sources/readers/xlsx/sheetThread.js');
