// GET /v1/export/<dataset>.<format>: everything that the filters select, as a file.

import { type FileHandle, open } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Request, RequestHandler, Response } from 'express';
import type { BufferPool } from '../../cache/bufferPool.ts';
import type { Caches } from '../../cache/caches.ts';
import type { Semaphore } from '../../cache/semaphore.ts';
import type { Snapshots } from '../../catalog/currentSnapshot.ts';
import type { DatasetName } from '../../catalog/datasets.ts';
import { type Snapshot, tableOf } from '../../catalog/snapshot.ts';
import { ApiError, unavailable } from '../../errors.ts';
import type { Observe } from '../../observations.ts';
import { type Compiled, compile } from '../../query/compile.ts';
import { aboutLines } from '../../query/export/aboutLines.ts';
import { CHUNK_BYTES } from '../../query/export/chunkBytes.ts';
import { csvFile } from '../../query/export/csv.ts';
import { copyParquet } from '../../query/export/parquet.ts';
import { MAX_SHEET_ROWS, xlsxFile } from '../../query/export/xlsx.ts';
import { matchingBlocks, type RowBlock } from '../../query/matching.ts';
import { parseExport, type SelectionQuery } from '../../query/parse.ts';
import type { Yielding } from '../../query/yielding.ts';
import { type HeaderList, NO_STORE } from '../server/headers.ts';
import { setSnapshotId } from '../server/requestFacts.ts';
import { isNotModified, jsonContent, sendContent, sendEmpty, sendHead } from '../server/send.ts';
import { rawQuery } from '../server/url.ts';
import { expectAnswerable } from './check.ts';
import type { EXPORT_FORMATS } from './datasets.ts';
import { etagOf } from './etag.ts';
import { createExportPermits, type ExportPermits } from './exportPermits.ts';
import { fileChunks } from './fileChunks.ts';
import { isImmutable, leaseSnapshots } from './lease.ts';
import { leavingOf } from './leaving.ts';
import { encodingOf } from './negotiate.ts';
import { isStrict, STRICT_APPLIED } from './preferences.ts';
import { rangeOf } from './range.ts';
import { renderingVersion } from './renderingVersion.ts';
import { type Pace, transfer } from './transfer.ts';

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportOptions {
  /** Exports that run at once, in this process. */
  readonly atOnce: number;
  readonly perKey: number;
  /** How fast a client must read. */
  readonly pace: Pace;
  /** Where filtered Parquet files are written; the system's temporary folder unless this says otherwise. */
  readonly temporaryFolder?: string;
}

export const EXPORT_DEFAULTS: ExportOptions = {
  atOnce: 4,
  perKey: 2,
  pace: { minBytes: 64 * 1024, windowMs: 60_000 },
};

export interface ExportDeps {
  readonly snapshots: Snapshots;
  readonly cacheMaxAgeSeconds: number;
  readonly caches: Caches;
  /** How exports make room for pages. */
  readonly yielding: Yielding;
  readonly options?: ExportOptions;
  readonly observe: Observe;
}

/** A filtered Parquet file keeps a core busy while it is written; where there are several, one is left for pages. */
const COPIES = Math.max(1, os.availableParallelism() - 1);

/** Makes the handlers of all exports, which share their permits. */
export function createExports({
  snapshots,
  cacheMaxAgeSeconds,
  caches,
  yielding,
  options = EXPORT_DEFAULTS,
  observe,
}: ExportDeps): (dataset: DatasetName, format: ExportFormat) => RequestHandler {
  const buffers = caches.bufferPool('exports');
  const chunkBuffers = caches.bufferPool('export chunks', CHUNK_BYTES);
  const permits = createExportPermits(options);
  const copies = caches.semaphore({ running: COPIES, waiting: options.atOnce }, 'copies');
  const cacheControl = `private, max-age=${cacheMaxAgeSeconds}`;

  return (dataset, format) =>
    async function exportFile(request: Request, response: Response): Promise<void> {
      const raw = rawQuery(request);
      const query = parseExport(dataset, raw);
      const strict = isStrict(request);
      const header = request.headers['x-snapshot'];
      const asOf = header === undefined ? null : String(header);
      const wanted = { asOf, cursorId: null, since: null, caller: keyOf(request) };
      const { lease } = await leaseSnapshots(snapshots, wanted, (manifest) =>
        expectAnswerable({ query, strict }, manifest, null),
      );
      try {
        const { snapshot } = lease;
        setSnapshotId(response, snapshot.id);
        const key = `${snapshot.id} ${snapshot.fingerprint} export ${dataset}.${format} ${raw}`;
        const sha256 = isWhole(query) && format === 'parquet' && snapshot.manifest.datasets[dataset]?.sha256;
        const etag = sha256 ? `"${sha256}"` : etagOf(key, renderingVersion());
        const headers = ['ETag', etag, 'X-Snapshot', snapshot.id, 'Cache-Control'];
        headers.push(isImmutable(asOf) ? `${cacheControl}, immutable` : cacheControl);
        if (strict) headers.push(...STRICT_APPLIED);
        if (isNotModified(request, etag)) return sendEmpty(response, 304, headers);
        headers.push('Content-Type', MEDIA_TYPES[format], 'Content-Disposition');
        headers.push(`attachment; filename="${dataset}-${snapshot.id}.${format}"`);
        const task = {
          request,
          response,
          query,
          format,
          snapshot,
          headers,
          permits,
          buffers,
          chunkBuffers,
          yielding,
          copies,
          options,
          observe,
        };
        if (sha256) await sendPublished({ ...task, etag, sha256 });
        else await sendSelection(task, () => publishedAt(snapshots, snapshot.id));
      } finally {
        lease.release();
      }
    };
}

export const MEDIA_TYPES: Readonly<Record<ExportFormat, string>> = {
  parquet: 'application/vnd.apache.parquet',
  csv: 'text/csv; charset=utf-8; header=present',
  arrow: 'application/vnd.apache.arrow.file',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** The other formats are compressed already. */
const GZIPPED: ReadonlySet<ExportFormat> = new Set(['csv', 'arrow']);

/** Exports of one key are counted together. */
const keyOf = ({ headers }: Request): string => String(headers['x-api-key'] ?? '');

const isWhole = ({ filters, period }: SelectionQuery) => filters.size === 0 && period === null;

const publishedAt = async (snapshots: Snapshots, id: string): Promise<string> =>
  (await snapshots.publications()).find((one) => one.id === id)?.publishedAt ?? 'unknown';

interface Task {
  readonly request: Request;
  readonly response: Response;
  readonly query: SelectionQuery;
  readonly format: ExportFormat;
  readonly snapshot: Snapshot;
  readonly headers: HeaderList;
  readonly permits: ExportPermits;
  /** Text is written to these. */
  readonly buffers: BufferPool;
  /** Files are read to these, and columns converted. */
  readonly chunkBuffers: BufferPool;
  readonly yielding: Yielding;
  /** Filtered Parquet files that are written at the same time. */
  readonly copies: Semaphore;
  readonly options: ExportOptions;
  readonly observe: Observe;
}

/** @throws {ApiError} 503 when no permit is free. */
function acquirePermit({ permits, request, response, format, observe }: Task): () => void {
  const release = permits.tryAcquire(keyOf(request));
  if (release === null) {
    observe({ event: 'export refused' });
    throw unavailable(RETRY_SECONDS);
  }
  observe({ event: 'export begun' });
  return () => {
    release();
    observe({ event: 'export ended', format, isComplete: response.writableFinished });
  };
}

/** An export takes seconds, not milliseconds. */
const RETRY_SECONDS = 5;

/** Readers that fetch parts of a file send several requests at once, so a small part needs no permit. */
const SMALL_PART_BYTES = 8 * 2 ** 20;

/** Sends the published file or a range of it. The file is open, so a prune during the transfer does not cut it. */
async function sendPublished(task: Task & { readonly etag: string; readonly sha256: string }): Promise<void> {
  const { request, response, query, snapshot, etag, sha256, chunkBuffers, yielding, options } = task;
  const described = snapshot.manifest.datasets[query.dataset];
  const file = await openFile(path.join(snapshot.directory, described?.file ?? ''));
  try {
    const { size } = await file.stat();
    if (size !== described?.bytes)
      throw new Error(`${described?.file} has ${size} bytes and the manifest says ${described?.bytes}`);
    const digest = `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`;
    const headers = [...task.headers, 'Accept-Ranges', 'bytes', 'Repr-Digest', digest];
    const range =
      request.method === 'HEAD' ? { kind: 'whole' as const } : rangeOf(request.headers, size, etag);
    if (range.kind === 'unsatisfiable') return sendUnsatisfiable(response, size);
    const { first, last } = range.kind === 'part' ? range : { first: 0, last: size - 1 };
    headers.push('Content-Length', String(last - first + 1));
    if (range.kind === 'part') headers.push('Content-Range', `bytes ${first}-${last}/${size}`);
    const status = range.kind === 'part' ? 206 : 200;
    if (request.method === 'HEAD') return sendEmpty(response, status, headers);
    const isSmall = range.kind === 'part' && last - first < SMALL_PART_BYTES;
    const release = isSmall ? () => {} : acquirePermit(task);
    try {
      sendHead(response, status, headers);
      const signal = leavingOf(response);
      const slices = yielding.slices(signal);
      const chunks = fileChunks(file, { first, last }, chunkBuffers, slices);
      const bytes = last - first + 1;
      await transfer(response, chunks, { bytes, gzip: false, pace: options.pace, signal, slices });
    } finally {
      release();
    }
  } finally {
    await file.close();
  }
}

/** @throws {ApiError} 503 when the snapshot was pruned just now. */
const openFile = (file: string): Promise<FileHandle> =>
  open(file).catch((cause: NodeJS.ErrnoException) => {
    throw cause.code === 'ENOENT' ? unavailable() : cause;
  });

function sendUnsatisfiable(response: Response, size: number): void {
  const error = new ApiError(416, `The range lies outside the file, which has ${size} bytes`);
  const body = Buffer.from(JSON.stringify(error));
  const headers = [...NO_STORE, 'Content-Range', `bytes */${size}`];
  sendContent(response, 416, jsonContent(headers, body));
}

/** Sends the rows that the filters select, written while they are sent. */
async function sendSelection(task: Task, published: () => Promise<string>): Promise<void> {
  const { request, response, query, format, snapshot, headers, yielding, options } = task;
  const { buffers, chunkBuffers } = task;
  const table = tableOf(snapshot, query.dataset);
  const compiled = compile(query, table);
  const signal = leavingOf(response);
  const slices = yielding.slices(signal);
  const blocks = () => matchingBlocks(table, compiled, slices);
  const rows = format === 'xlsx' ? await countRows(blocks()) : 0;
  if (rows > MAX_SHEET_ROWS) throw tooLong(rows);
  const gzip = GZIPPED.has(format) && encodingOf(request) === 'gzip';
  const all = gzip ? [...headers, 'Content-Encoding', 'gzip'] : headers;
  if (request.method === 'HEAD') return sendEmpty(response, 200, all);
  const release = acquirePermit(task);
  try {
    if (format === 'parquet') return await sendCopy(task, compiled, signal);
    const about = async () => aboutLines(query, snapshot, await published(), rows);
    const chunks = await {
      csv: () => csvFile(table, blocks(), buffers, slices),
      arrow: async () =>
        (await import('../../query/export/arrow.ts')).arrowFile(table, blocks(), chunkBuffers, slices),
      xlsx: async () => xlsxFile({ table, blocks: blocks(), rows, about: await about() }, buffers, slices),
    }[format]();
    sendHead(response, 200, all);
    // A workbook's rows are written while its bytes are compressed and sent.
    const sliced = format === 'xlsx' ? {} : { slices };
    await transfer(response, chunks, { gzip, pace: options.pace, signal, ...sliced });
  } finally {
    release();
  }
}

/** Sends a filtered Parquet file. It is written completely first, because its footer comes last. */
async function sendCopy(task: Task, compiled: Compiled, signal: AbortSignal): Promise<void> {
  const { response, query, snapshot, headers, chunkBuffers, yielding, copies, options } = task;
  const source = path.join(snapshot.directory, snapshot.manifest.datasets[query.dataset]?.file ?? '');
  const conditions = compiled === 'nothing' ? null : compiled === 'everything' ? [] : compiled.conditions;
  const release = await copies.acquire(signal);
  const copy = await copyParquet({ source, conditions }, signal, options.temporaryFolder).finally(release);
  try {
    const file = await openFile(copy.file);
    try {
      const { size } = await file.stat();
      sendHead(response, 200, [...headers, 'Content-Length', String(size)]);
      const slices = yielding.slices(signal);
      const chunks = fileChunks(file, { first: 0, last: size - 1 }, chunkBuffers, slices);
      await transfer(response, chunks, { bytes: size, gzip: false, pace: options.pace, signal, slices });
    } finally {
      await file.close();
    }
  } finally {
    await copy.remove();
  }
}

async function countRows(blocks: AsyncIterable<RowBlock>): Promise<number> {
  let rows = 0;
  for await (const block of blocks)
    rows += block.kind === 'range' ? block.end - block.first : block.positions.length;
  return rows;
}

const tooLong = (rows: number) =>
  new ApiError(
    400,
    `A workbook holds at most ${MAX_SHEET_ROWS.toLocaleString('en')} rows and the selection has ` +
      `${rows.toLocaleString('en')}: filter it, or export .csv or .parquet`,
    { help: ['workbook-too-long'] },
  );
