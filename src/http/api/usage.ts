// GET /v1/usage: the requests of the calling key on the last days, and what is left of its limits.

import type { RequestHandler } from 'express';
import type { Snapshots } from '../../catalog/snapshots.ts';
import { notFound } from '../../errors.ts';
import { parseNothing } from '../../query/parameters/parse.ts';
import { NO_STORE } from '../server/headers.ts';
import { rawQuery } from '../server/requestUrl.ts';
import { keyWindowsOf } from '../server/responseFacts.ts';
import { isNotModified, jsonContent, sendContent, sendEmpty } from '../server/send.ts';
import { etagOf } from './identity.ts';

/** Reads the usage of a key; `nowMs` is the time by Redis's clock. */
export type ReadUsage = (key: string, nowMs: number) => Promise<Usage>;

/** The usage of a key. Times are epoch milliseconds. */
interface Usage {
  readonly id: string;
  readonly label: string;
  readonly createdMs: number;
  /** Null for a key that does not expire. */
  readonly expiresMs: number | null;
  readonly days: readonly { readonly date: string; readonly requests: number; readonly refused: number }[];
}

/**
 * The handler. It answers 404 on a server without keys. The answer does not depend on a snapshot. Its header X-Snapshot
 * lets clients notice a new current snapshot.
 */
export const usage =
  (snapshots: Snapshots, readUsage: ReadUsage | undefined): RequestHandler =>
  async (request, response) => {
    parseNothing(rawQuery(request));
    const windows = keyWindowsOf(response);
    if (windows === null || readUsage === undefined) throw notFound();
    const { days, ...key } = await readUsage(String(request.headers['x-api-key']), windows.clockMs);
    const body = Buffer.from(
      JSON.stringify({
        key: { id: key.id, label: key.label, created_at: iso(key.createdMs), expires_at: iso(key.expiresMs) },
        limits: WINDOW_SECONDS.map(([name, windowSeconds]) => {
          const { limit, used, freesMs } = windows[name];
          return {
            name,
            limit,
            used,
            remaining: Math.max(0, limit - used),
            window_seconds: windowSeconds,
            resets_at: iso(windows.clockMs + freesMs),
          };
        }),
        days,
      }),
    );
    const etag = etagOf(body.toString(), 'usage');
    const current = snapshots.currentWithoutLease();
    const headers = ['ETag', etag, ...NO_STORE, ...(current ? ['X-Snapshot', current.manifest.id] : [])];
    if (isNotModified(request, etag)) return sendEmpty(response, 304, headers);
    sendContent(response, 200, jsonContent(headers, body));
  };

const WINDOW_SECONDS = [
  ['minute', 60],
  ['day', 86_400],
] as const;

const iso = (epochMs: number | null) => (epochMs === null ? null : new Date(epochMs).toISOString());
