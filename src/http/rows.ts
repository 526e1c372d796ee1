// GET /v1/financials and GET /v1/reference: parse → compile → select → page → render.

import type { Request, RequestHandler, Response } from 'express';
import type { Snapshots } from '../catalog/follow.ts';
import type { Lease } from '../catalog/opened.ts';
import { unavailable } from '../errors.ts';
import { compile } from '../query/compile.ts';
import {
  decodeCursor,
  encodeCursor,
  expectSameWalk,
  invalidCursor,
  type Place,
  pageOf,
} from '../query/page.ts';
import { parseFinancials, parseReference, type RowQuery } from '../query/parse.ts';
import { filtersApplied, renderPage } from '../query/render.ts';
import type { Selector } from '../query/select.ts';
import { sendAnswer } from './answer.ts';
import { rawQuery } from './url.ts';

export interface RowsDeps {
  readonly snapshots: Snapshots;
  readonly selector: Selector;
  readonly maxAgeSeconds: number;
}

export const financials = (deps: RowsDeps): RequestHandler => rows(parseFinancials, deps);

export const reference = (deps: RowsDeps): RequestHandler => rows(parseReference, deps);

const rows =
  (parse: (rawQuery: string) => RowQuery, deps: RowsDeps): RequestHandler =>
  async (request, response) => {
    const query = parse(rawQuery(request));
    const place = query.cursor === null ? null : decodeCursor(query.cursor);
    const lease = await leaseFor(place, deps.snapshots);
    try {
      await answer(request, response, query, place, lease, deps);
    } finally {
      lease.release();
    }
  };

/** The snapshot a walk began with; without a cursor the current one (ruling 14). */
async function leaseFor(place: Place | null, snapshots: Snapshots): Promise<Lease> {
  const current = snapshots.current();
  if (!current) throw unavailable();
  if (!place) return current;
  current.release();
  const lease = await snapshots.retained(place.snapshotId);
  if (!lease) throw invalidCursor();
  return lease;
}

async function answer(
  request: Request,
  response: Response,
  query: RowQuery,
  place: Place | null,
  { snapshot }: Lease,
  { selector, maxAgeSeconds }: RowsDeps,
): Promise<void> {
  const table = snapshot.tables[query.dataset];
  const walked = { id: snapshot.id, fingerprint: snapshot.fingerprint, rows: table.rows };
  if (place) expectSameWalk(place, query, walked);
  const after = place?.position ?? -1;
  const { dataset, filters, period, limitRows } = query;
  await sendAnswer(request, response, {
    snapshot,
    maxAgeSeconds,
    question: [dataset, [...filters], period, limitRows, after],
    async body() {
      const selection = await selector.select(snapshot, dataset, compile(query, table), leaving(response));
      const { positions, hasMore } = pageOf(selection, after, limitRows);
      const last = positions.at(-1);
      const cursor = hasMore && last !== undefined ? encodeCursor(query, walked, last) : null;
      return renderPage(table, positions, { filtersApplied: filtersApplied(query, table), cursor });
    },
  });
}

/** Aborts when the client leaves before it was answered. */
function leaving(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => controller.abort());
  return controller.signal;
}
