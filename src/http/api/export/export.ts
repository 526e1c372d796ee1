// GET /v1/export/<dataset>.<format>: all rows that the filters select, as a file.

import os from 'node:os';
import type { Request, RequestHandler, Response } from 'express';
import type { DatasetName } from '../../../catalog/datasets.ts';
import { notFound } from '../../../errors.ts';
import type { Observe } from '../../../observations.ts';
import { parseExport, type SelectionQuery } from '../../../query/parameters/parse.ts';
import { CHUNK_BYTES } from '../../../query/yielding.ts';
import { rawQuery } from '../../server/requestUrl.ts';
import { setSnapshotId } from '../../server/responseFacts.ts';
import { isNotModified, isPreconditionFailed, matchesAnyEtag, sendEmpty } from '../../server/send.ts';
import { expectAnswerable } from '../expectAnswerable.ts';
import type { HandlerOptions } from '../handler.ts';
import { etagOf } from '../identity.ts';
import { callerOf, isImmutable, leaseSnapshots, namedByHeader, wantedSnapshots } from '../leaseSnapshots.ts';
import { STRICT_APPLIED, wantsStrict } from '../negotiate.ts';
import { renderingVersion } from '../renderingVersion.ts';
import { type ExportFormat, MEDIA_TYPES } from './exportFormats.ts';
import { exportPermits, type PermitLimits } from './exportPermits.ts';
import type { ExportResources } from './exportTask.ts';
import { createFileCache } from './fileCache.ts';
import { preconditionFailed, sendPublished } from './sendPublished.ts';
import { expectRowsFit, sendSelection } from './sendSelection.ts';
import type { Pace } from './transfer.ts';

export interface ExportOptions extends PermitLimits {
  /**
   * The limits for small parts of published files, which do not count as exports. They are high, because programs fetch
   * many parts of a file at the same time. A part that is sent to a slow client takes up to 1.5 MB of memory.
   */
  readonly parts: PermitLimits;
  /** How fast a client must read. */
  readonly pace: Pace;
  /** Where filtered Parquet files are written; the temporary folder of the system when left out. */
  readonly temporaryFolder?: string;
}

export const EXPORT_DEFAULTS: ExportOptions = {
  atOnce: 4,
  perKey: 2,
  parts: { atOnce: 128, perKey: 32 },
  pace: { minBytes: 64 * 1024, windowMs: 60_000 },
};

export interface ExportDeps
  extends Pick<HandlerOptions, 'snapshots' | 'cacheMaxAgeSeconds' | 'caches' | 'yielding'> {
  readonly options: ExportOptions | undefined;
  readonly observe: Observe;
}

/**
 * How many filtered Parquet files are written at the same time. Each keeps a core busy, and one core is left for pages.
 */
const MAX_PARQUET_WRITES = Math.max(1, os.availableParallelism() - 1);

/** Makes the handlers of all exports. They share their permits. */
export function createExports({
  snapshots,
  cacheMaxAgeSeconds,
  caches,
  yielding,
  options = EXPORT_DEFAULTS,
  observe,
}: ExportDeps): (dataset: DatasetName, format: ExportFormat) => RequestHandler {
  const resources: ExportResources = {
    tryAcquire: exportPermits(options),
    tryAcquirePart: exportPermits(options.parts),
    buffers: caches.bufferPool('exports'),
    chunkBuffers: caches.bufferPool('export chunks', CHUNK_BYTES),
    fileCache: createFileCache(caches),
    parquetWrites: caches.semaphore({ permits: MAX_PARQUET_WRITES, maxWaiting: options.atOnce }, 'copies'),
    yielding,
    pace: options.pace,
    temporaryFolder: options.temporaryFolder,
    observe,
  };
  const cacheControl = `private, max-age=${cacheMaxAgeSeconds}`;

  return (dataset, format) =>
    async function exportFile(request: Request, response: Response): Promise<void> {
      const raw = rawQuery(request);
      const query = parseExport(dataset, raw);
      const isStrict = wantsStrict(request);
      const wanted = wantedSnapshots({ query: {}, cursor: null }, namedByHeader(request), new Date());
      const { lease } = await leaseSnapshots(snapshots, wanted, {
        caller: callerOf(request),
        check(manifest) {
          // The dataset is part of the path, so a snapshot without the dataset gives 404, not 400.
          if (!manifest.datasets[dataset]) throw notFound('unknown-name');
          expectAnswerable({ query, isStrict, cursor: null }, manifest, null);
        },
      });
      try {
        const { snapshot } = lease;
        setSnapshotId(response, snapshot.id);
        const key = `${snapshot.id} ${snapshot.fingerprint} export ${dataset}.${format} ${raw}`;
        // The whole dataset as Parquet is the published file itself.
        const sendsPublishedFile = selectsEverything(query) && format === 'parquet';
        const sha256 = sendsPublishedFile ? snapshot.manifest.datasets[dataset]?.sha256 : undefined;
        const etag = sha256 ? `"${sha256}"` : etagOf(key, renderingVersion());
        const caching = isImmutable(wanted.asOf) ? `${cacheControl}, immutable` : cacheControl;
        const headers = ['ETag', etag, 'X-Snapshot', snapshot.id, 'Cache-Control', caching];
        if (isStrict) headers.push(...STRICT_APPLIED);
        // If-Match is evaluated before If-None-Match (RFC 9110 §13.2.2).
        if (sha256 && isPreconditionFailed(request, etag)) throw preconditionFailed();
        if (isNotModified(request, etag)) {
          // A client that sends the right ETag has received the workbook. A client that sends `*` may not have received it,
          // and the selection may have too many rows for a workbook.
          if (format === 'xlsx' && matchesAnyEtag(request))
            await expectRowsFit({ response, query, snapshot, yielding: resources.yielding });
          return sendEmpty(response, 304, headers);
        }
        const disposition = `attachment; filename="${dataset}-${snapshot.id}.${format}"`;
        headers.push('Content-Type', MEDIA_TYPES[format], 'Content-Disposition', disposition);
        const task = { ...resources, request, response, query, format, snapshot, headers };
        if (sha256) await sendPublished(task, { etag, sha256 });
        else await sendSelection(task, async () => (await snapshots.publishedAt(snapshot.id)) ?? 'unknown');
      } finally {
        lease.release();
      }
    };
}

const selectsEverything = ({ filters, period }: SelectionQuery) => filters.size === 0 && period === null;
