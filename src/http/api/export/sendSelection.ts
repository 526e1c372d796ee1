// Sends the rows that the filters select as a file. Only Parquet is completely written before it is sent.

import { tableOf } from '../../../catalog/snapshot.ts';
import { ApiError } from '../../../errors.ts';
import { aboutLines } from '../../../query/export/aboutLines.ts';
import { copyParquet, type TemporaryFile } from '../../../query/export/copyParquet.ts';
import { csvFile } from '../../../query/export/textChunks.ts';
import { MAX_SHEET_ROWS, xlsxFile } from '../../../query/export/xlsx.ts';
import { compile, type SelectedRows } from '../../../query/selection/compile.ts';
import { matchingBlocks, type RowBlock } from '../../../query/selection/matchingRows.ts';
import { sendEmpty, sendHead } from '../../server/send.ts';
import { disconnectSignalOf } from '../clientDisconnect.ts';
import { encodingOf } from '../negotiate.ts';
import { GZIPPED } from './exportFormats.ts';
import { acquirePermit, type ExportTask } from './exportTask.ts';
import { fileChunks } from './fileChunks.ts';
import { openFile, openPublished } from './publishedFile.ts';
import { transfer } from './transfer.ts';

/**
 * Sends the selected rows in the format of the task.
 *
 * @param publicationTime gives the time at which the snapshot was published, as text. It is called only for workbooks.
 * @throws {ApiError} 400 when a workbook cannot hold so many rows, 503 when no permit is free.
 */
export async function sendSelection(task: ExportTask, publicationTime: () => Promise<string>): Promise<void> {
  const { request, response, query, format, snapshot, headers, yielding, pace } = task;
  const { buffers, chunkBuffers } = task;
  const table = tableOf(snapshot, query.dataset);
  const compiled = compile(query, table);
  const signal = disconnectSignalOf(response);
  const slices = yielding.slices(signal);
  const blocks = matchingBlocks(table, compiled, slices);
  const rows = format === 'xlsx' ? await expectRowsFit(task) : 0;
  const isGzip = GZIPPED.has(format) && encodingOf(request) === 'gzip';
  const allHeaders = isGzip ? [...headers, 'Content-Encoding', 'gzip'] : headers;
  if (request.method === 'HEAD') return sendEmpty(response, 200, allHeaders);
  const release = acquirePermit(task);
  try {
    if (format === 'parquet') return await sendFilteredParquet(task, compiled, signal);
    const chunks = await {
      csv: () => csvFile(table, blocks, buffers, slices),
      arrow: async () => {
        const { arrowFile } = await import('../../../query/export/arrow.ts');
        const sources = snapshot.manifest.datasets[query.dataset]?.sources ?? [];
        return arrowFile({ table, blocks, sources }, chunkBuffers, slices);
      },
      xlsx: async () => {
        const about = aboutLines(query, snapshot, await publicationTime(), rows);
        return xlsxFile({ table, blocks, rows, about }, buffers, slices);
      },
    }[format]();
    sendHead(response, 200, allHeaders);
    // The rows of a workbook are written while earlier bytes are compressed and sent, so `xlsxFile` ends its own
    // slices.
    const sliced = format === 'xlsx' ? {} : { slices };
    await transfer(response, chunks, { isGzip, pace, signal, ...sliced });
  } finally {
    release();
  }
}

/**
 * Counts the selected rows of a workbook.
 *
 * @throws {ApiError} 400 when a sheet cannot hold so many.
 */
export async function expectRowsFit({
  response,
  query,
  snapshot,
  yielding,
}: Pick<ExportTask, 'response' | 'query' | 'snapshot' | 'yielding'>): Promise<number> {
  const table = tableOf(snapshot, query.dataset);
  const slices = yielding.slices(disconnectSignalOf(response));
  const rows = await countRows(matchingBlocks(table, compile(query, table), slices));
  if (rows > MAX_SHEET_ROWS) throw tooManyRows(rows);
  return rows;
}

/** Sends a filtered Parquet file. The whole file is written to a temporary file before the first byte is sent. */
async function sendFilteredParquet(
  task: ExportTask,
  selected: SelectedRows,
  signal: AbortSignal,
): Promise<void> {
  const { response, headers, chunkBuffers, yielding, pace } = task;
  const copy = await writeFilteredParquet(task, selected, signal);
  // The file is removed as soon as it is open. The system keeps its bytes until it is closed. So a killed process
  // leaves nothing behind.
  const file = await openFile(copy.file).finally(copy.remove);
  try {
    const { size } = await file.stat();
    sendHead(response, 200, [...headers, 'Content-Length', String(size)]);
    const slices = yielding.slices(signal);
    const chunks = fileChunks(file, { first: 0, last: size - 1 }, { buffers: chunkBuffers, slices });
    await transfer(response, chunks, { contentLength: size, isGzip: false, pace, signal, slices });
  } finally {
    await file.close();
  }
}

async function writeFilteredParquet(
  { query, snapshot, parquetWrites, temporaryFolder }: ExportTask,
  selected: SelectedRows,
  signal: AbortSignal,
): Promise<TemporaryFile> {
  const release = await parquetWrites.acquire(signal);
  try {
    const published = await openPublished(snapshot, query.dataset);
    try {
      const copy = await copyParquet({ source: published.path, selected }, signal, temporaryFolder);
      await published.expectUnchangedAtPath().catch(async (cause) => {
        await copy.remove();
        throw cause;
      });
      return copy;
    } finally {
      await published.file.close();
    }
  } finally {
    release();
  }
}

async function countRows(blocks: AsyncIterable<RowBlock>): Promise<number> {
  let rows = 0;
  for await (const block of blocks)
    rows += block.kind === 'range' ? block.end - block.first : block.positions.length;
  return rows;
}

const tooManyRows = (rows: number) =>
  new ApiError(
    400,
    `A workbook holds at most ${MAX_SHEET_ROWS.toLocaleString('en')} rows and the selection has ` +
      `${rows.toLocaleString('en')}: filter it, or export .csv or .parquet`,
    { help: ['workbook-too-long'] },
  );
