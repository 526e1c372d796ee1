// Describes an export that is to be sent, and the resources that all exports share. Acquires its permit.

import type { Request, Response } from 'express';
import type { BufferPool } from '../../../cache/bufferPool.ts';
import type { Semaphore } from '../../../cache/semaphore.ts';
import type { Snapshot } from '../../../catalog/snapshot.ts';
import { unavailable } from '../../../errors.ts';
import type { Observe } from '../../../observations.ts';
import type { SelectionQuery } from '../../../query/parameters/parse.ts';
import type { Yielding } from '../../../query/yielding.ts';
import type { HeaderList } from '../../server/headers.ts';
import { callerOf } from '../leaseSnapshots.ts';
import type { ExportFormat } from './exportFormats.ts';
import type { TryAcquire } from './exportPermits.ts';
import type { FileCache } from './fileCache.ts';
import type { Pace } from './transfer.ts';

/** The resources that all exports of a process share. */
export interface ExportResources {
  readonly tryAcquire: TryAcquire;
  /** Acquires the permit for a small part of a published file, which does not count as an export. */
  readonly tryAcquirePart: TryAcquire;
  /** Buffers for the text that exports write. */
  readonly buffers: BufferPool;
  /** Buffers for chunks of files and for converted columns. */
  readonly chunkBuffers: BufferPool;
  readonly fileCache: FileCache;
  /** Limits how many filtered Parquet files are written at the same time. */
  readonly parquetWrites: Semaphore;
  readonly yielding: Yielding;
  readonly pace: Pace;
  /** Where filtered Parquet files are written; undefined for the temporary folder of the system. */
  readonly temporaryFolder: string | undefined;
  readonly observe: Observe;
}

export interface ExportTask extends ExportResources {
  readonly request: Request;
  readonly response: Response;
  readonly query: SelectionQuery;
  readonly format: ExportFormat;
  readonly snapshot: Snapshot;
  /** The headers of every answer to this request. */
  readonly headers: HeaderList;
}

/**
 * Acquires a permit to send an export. The returned function releases the permit.
 *
 * @throws {ApiError} 503 when no permit is free.
 */
export function acquirePermit({ tryAcquire, request, response, format, observe }: ExportTask): () => void {
  const release = tryAcquire(callerOf(request));
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

/** `Retry-After` of a refused export. The exports that are running take some seconds. */
const RETRY_SECONDS = 5;

/**
 * Acquires a permit to send a small part of a published file. The returned function releases the permit.
 *
 * @throws {ApiError} 503 when no permit is free.
 */
export function acquirePartPermit({ tryAcquirePart, request, observe }: ExportTask): () => void {
  const release = tryAcquirePart(callerOf(request));
  if (release !== null) return release;
  observe({ event: 'export refused' });
  throw unavailable();
}
