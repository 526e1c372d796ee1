// Runs in the thread of `sheetInThread.ts`: reads one sheet of a workbook, and sends its rows column by column.

import { parentPort, workerData } from 'node:worker_threads';
import { UnreadableError } from '../../../messages/fault.ts';
import { isColumns, NO_FINDINGS } from '../rawFile.ts';
import { openXlsx } from './reader.ts';
import { batchToSend, buffersOf } from './sheetBatch.ts';
import { MOST_BATCHES, type SheetReport, type SheetRequest } from './sheetInThread.ts';

async function sendSheet({ path, name, sheet, kinds, lastRow }: SheetRequest): Promise<void> {
  const file = await openXlsx(path, name);
  try {
    const table = file.tables[sheet];
    const reading = await table?.read?.();
    for await (const batch of reading?.columns(kinds) ?? []) {
      const progress = file.progress();
      if (isColumns(batch)) {
        const from = batch.rows.subarray(0, batch.count).findIndex((row) => row > lastRow);
        if (from >= 0) await send({ batch: batchToSend(batch, from), progress });
      } else {
        const rows = batch.filter(({ row }) => row > lastRow);
        if (rows.length > 0) await send({ rows, progress });
      }
    }
    await send({ end: (await table?.findings()) ?? NO_FINDINGS });
  } finally {
    await file.close();
  }
}

/** How many batches were sent and are not yet used by the other thread. */
let sent = 0;
let onTaken = () => {};

async function send(report: SheetReport): Promise<void> {
  while (sent === MOST_BATCHES)
    await new Promise<void>((resolve) => {
      onTaken = resolve;
    });
  sent += 1;
  parentPort?.postMessage(report, 'batch' in report ? buffersOf(report.batch) : []);
}

parentPort?.on('message', () => {
  sent -= 1;
  onTaken();
});
sendSheet(workerData as SheetRequest).then(
  () => parentPort?.unref(),
  (error: unknown) => {
    if (!(error instanceof UnreadableError)) throw error;
    parentPort?.postMessage({ fault: error.fault } satisfies SheetReport);
    parentPort?.unref();
  },
);
