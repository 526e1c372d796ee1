// GET /v1/financials and GET /v1/reference: parse → compile → select → page → render.

import type { RequestHandler, Response } from 'express';
import { keepWithin } from '../../cache/lruCache.ts';
import type { Snapshots } from '../../catalog/currentSnapshot.ts';
import type { Snapshot } from '../../catalog/snapshot.ts';
import type { Lease } from '../../catalog/snapshotPool.ts';
import { unavailable } from '../../errors.ts';
import { compile } from '../../query/compile.ts';
import {
  decodeCursor,
  encodeCursor,
  expectSameWalk,
  invalidCursor,
  type Page,
  type Place,
} from '../../query/page.ts';
import { parseFinancials, parseReference, type RowQuery } from '../../query/parse.ts';
import { draftPage, filtersApplied } from '../../query/render.ts';
import type { Selector } from '../../query/select.ts';
import { rawQuery } from '../server/url.ts';
import { aheadOf } from './prefetch.ts';
import type { Answers, Asked, Written } from './responseCache.ts';

export interface RowsDeps {
  readonly snapshots: Snapshots;
  readonly selector: Selector;
  readonly answers: Answers;
}

export const financials = (deps: RowsDeps): RequestHandler => rows('financials', parseFinancials, deps);

export const reference = (deps: RowsDeps): RequestHandler => rows('reference', parseReference, deps);

/** A query string that was found valid, taken apart. */
interface Question {
  readonly raw: string;
  readonly query: RowQuery;
  /** What its cursor names. */
  readonly place: Place | null;
}

/** Query strings are taken apart once: what is kept of them may take as much. */
const KEPT_QUERIES_BYTES = 8 * 2 ** 20;
/** A query taken apart takes about so much of its length. */
const QUERY_BYTES_PER_CHARACTER = 16;

function rows(endpoint: string, parse: (raw: string) => RowQuery, deps: RowsDeps): RequestHandler {
  const kept = keepWithin<Question>(KEPT_QUERIES_BYTES);
  const takeApart = (raw: string): Question => {
    const query = parse(raw);
    const question = { raw, query, place: query.cursor === null ? null : decodeCursor(query.cursor) };
    kept.set(raw, question, 1024 + QUERY_BYTES_PER_CHARACTER * raw.length);
    return question;
  };
  const asking = (question: Question, snapshot: Snapshot, leaving?: () => AbortSignal): Asked<Page> => ({
    snapshot,
    question: `${endpoint} ${question.raw}`,
    find: () => find(question, snapshot, deps.selector, leaving),
    write: (page) => write(question, snapshot, page),
  });
  const readAhead = aheadOf(async (raw, zipped) => {
    const question = kept.get(raw) ?? takeApart(raw);
    const lease = await leaseFor(question, deps.snapshots);
    try {
      await deps.answers.prepare(asking(question, lease.snapshot), zipped);
    } finally {
      lease.release();
    }
  });
  return async (request, response) => {
    const raw = rawQuery(request);
    const question = kept.get(raw) ?? takeApart(raw);
    const lease = await leaseFor(question, deps.snapshots);
    try {
      const asked = asking(question, lease.snapshot, () => leaving(response));
      const next = await deps.answers.send(request, response, asked);
      if (next !== null) readAhead(response, next);
    } finally {
      lease.release();
    }
  };
}

/** The snapshot that answers a question. Throws the ApiError of a cursor that does not lead there. */
async function leaseFor({ query, place }: Question, snapshots: Snapshots): Promise<Lease> {
  if (place === null) return currentOf(snapshots);
  const lease = await retainedOf(place, snapshots);
  try {
    expectSameWalk(place, query, walkOn(lease.snapshot, query));
    return lease;
  } catch (error) {
    lease.release();
    throw error;
  }
}

function currentOf(snapshots: Snapshots): Lease {
  const lease = snapshots.current();
  if (!lease) throw unavailable();
  return lease;
}

/** The snapshot a walk began with (ruling 14); without any snapshot nothing is known of old ones either. */
async function retainedOf(place: Place, snapshots: Snapshots): Promise<Lease> {
  currentOf(snapshots).release();
  const lease = await snapshots.retained(place.snapshotId);
  if (!lease) throw invalidCursor();
  return lease;
}

const walkOn = ({ id, fingerprint, tables }: Snapshot, { dataset }: RowQuery) => ({
  id,
  fingerprint,
  rows: tables[dataset].rows,
});

function find(
  { query, place }: Question,
  snapshot: Snapshot,
  selector: Selector,
  leaving?: () => AbortSignal,
) {
  const compiled = compile(query, snapshot.tables[query.dataset]);
  const asked = { after: place?.position ?? -1, limitRows: query.limitRows };
  return selector.page(snapshot, query.dataset, compiled, asked, leaving);
}

function write({ raw, query }: Question, snapshot: Snapshot, { positions, hasMore }: Page): Written {
  const table = snapshot.tables[query.dataset];
  const last = positions.at(-1);
  const cursor = hasMore && last !== undefined ? encodeCursor(query, walkOn(snapshot, query), last) : null;
  return {
    draft: draftPage(table, positions, { filtersApplied: filtersApplied(query, table), cursor }),
    // Who has asked for one page behind another will do so again, in the same words.
    next: cursor === null || query.cursor === null ? null : raw.replace(query.cursor, cursor),
  };
}

/** Aborts when the client leaves before it was answered. */
function leaving(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
