// One export to be sent, the resources that exports share, and the permit that each of them needs.

import type { Request, Response } from 'express';
import type { BufferPool } from '../../../cache/bufferPool.ts';
import type { Semaphore } from '../../../cache/semaphore.ts';
import type { Snapshot } from '../../../catalog/snapshot.ts';
import { unavailable } from '../../../errors.ts';
import type { Observe } from '../../../observations.ts';
import type { SelectionQuery } from '../../../query/parse.ts';
import type { Yielding } from '../../../query/yielding.ts';
import type { HeaderList } from '../../server/headers.ts';
import { callerOf } from '../lease.ts';
import type { ExportFormat } from './formats.ts';
import type { ExportPermits } from './permits.ts';
import type { Pace } from './transfer.ts';

/** The resources that all exports of a process share. */
export interface ExportResources {
  readonly permits: ExportPermits;
  /** For small parts of published files, which are not counted as exports. */
  readonly partPermits: ExportPermits;
  /** Exports write their text into these buffers. */
  readonly buffers: BufferPool;
  /** Exports read files into these buffers, and convert columns in them. */
  readonly chunkBuffers: BufferPool;
  /** Limits how many filtered Parquet files are written at the same time. */
  readonly copies: Semaphore;
  readonly yielding: Yielding;
  readonly pace: Pace;
  /** Where filtered Parquet files are written; undefined for the system's temporary folder. */
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
 * Acquires a permit until the returned function is called.
 *
 * @throws {ApiError} 503 when no permit is free.
 */
export function acquirePermit({ permits, request, response, format, observe }: ExportTask): () => void {
  const release = permits.tryAcquire(callerOf(request));
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

/** `Retry-After` of a refused export: the running ones take seconds. */
const RETRY_SECONDS = 5;

/**
 * Acquires a permit for a small part of a published file, as `acquirePermit` does.
 *
 * @throws {ApiError} 503 when no permit is free.
 */
export function acquirePartPermit({ partPermits, request, observe }: ExportTask): () => void {
  const release = partPermits.tryAcquire(callerOf(request));
  if (release !== null) return release;
  observe({ event: 'export refused' });
  throw unavailable();
}
