// The road of a request: parse → lease a snapshot → cached or rendered → send. One handler for every endpoint.

import type { IncomingMessage } from 'node:http';
import type { RequestHandler, Response } from 'express';
import type { Caches } from '../../cache/caches.ts';
import type { Body, Encoding } from '../../cache/responseCache.ts';
import type { Snapshots } from '../../catalog/currentSnapshot.ts';
import type { Snapshot } from '../../catalog/snapshot.ts';
import type { Lease } from '../../catalog/snapshotPool.ts';
import { unavailable } from '../../errors.ts';
import { invalidCursor } from '../../query/cursor.ts';
import type { Representation } from '../../query/render.ts';
import type { Selector } from '../../query/select.ts';
import type { HeaderList } from '../server/headers.ts';
import { isNotModified, sendEmpty, sendReady } from '../server/send.ts';
import { rawQuery } from '../server/url.ts';
import type { Endpoint, EndpointQuery } from './endpoint.ts';
import { etagOf } from './etag.ts';
import { encodingOf, representationOf } from './negotiate.ts';
import { renderingVersion } from './renderingVersion.ts';

export interface RoadOptions {
  readonly snapshots: Snapshots;
  readonly selector: Selector;
  readonly cacheMaxAgeSeconds: number;
  readonly caches: Caches;
}

/** Makes the handlers of all endpoints, which share their caches. */
export type Road = <Query extends EndpointQuery>(endpoint: Endpoint<Query>) => RequestHandler;

export function createRoad({ snapshots, selector, cacheMaxAgeSeconds, caches }: RoadOptions): Road {
  const responses = caches.responseCache(RESPONSES_BYTES);
  const etags = caches.lruCache<string>(ETAGS_BYTES);
  const prefetch = caches.prefetch();
  const buffers = caches.bufferPool();
  const version = renderingVersion();
  const cacheControl = `private, max-age=${cacheMaxAgeSeconds}`;

  return <Query extends EndpointQuery>(endpoint: Endpoint<Query>): RequestHandler => {
    const queries = caches.lruCache<Query>(QUERIES_BYTES);

    async function handle(request: Parameters<RequestHandler>[0], response: Response): Promise<void> {
      const raw = rawQuery(request);
      const query = parse(raw);
      const lease = await leaseFor(query, callerOf(request));
      try {
        const { snapshot } = lease;
        const representation = representationOf(request);
        const key = keyOf(snapshot, representation, raw);
        const etag = etagOf(key, version, etags);
        const headers = ['ETag', etag, 'Cache-Control', cacheControl, 'X-Snapshot', snapshot.id];
        if (isNotModified(request, etag)) return sendEmpty(response, 304, headers);
        const encoding = encodingOf(request);
        const source = { snapshot, representation, selector, buffers, leaving: () => leavingOf(response) };
        const body = await responses.getOrRender(key, encoding, () => endpoint.render(query, source));
        send(response, representation, headers, body);
        const { followUp } = body;
        if (followUp !== null)
          whenSent(response, () => prefetch.schedule(() => renderAhead(followUp, representation, encoding)));
      } finally {
        lease.release();
      }
    }

    /** Renders what will probably be asked for next, and leaves it in the response cache. */
    async function renderAhead(
      raw: string,
      representation: Representation,
      encoding: Encoding,
    ): Promise<void> {
      const query = parse(raw);
      // Opens nothing: a walk goes on in a snapshot that is open.
      const lease = await leaseFor(query, null);
      try {
        const { snapshot } = lease;
        const source = { snapshot, representation, selector, buffers, leaving: undefined };
        const key = keyOf(snapshot, representation, raw);
        await responses.prefetch(key, encoding, () => endpoint.render(query, source));
      } finally {
        lease.release();
      }
    }

    function parse(raw: string): Query {
      const known = queries.get(raw);
      if (known !== undefined) return known;
      const query = endpoint.parse(raw);
      queries.set(raw, query, QUERY_BYTES + QUERY_BYTES_PER_CHARACTER * raw.length);
      return query;
    }

    /** @throws {ApiError} 503 without any snapshot, 400 when the query cannot be answered from its snapshot. */
    async function leaseFor(query: Query, caller: string | null): Promise<Lease> {
      const current = snapshots.current();
      if (!current) throw unavailable();
      const { cursorPosition } = query;
      if (cursorPosition === null) return checked(query, current);
      current.release();
      const found = await snapshots.find(cursorPosition.snapshotId);
      if (!found) throw invalidCursor();
      // What the manifest alone can refute opens nothing.
      endpoint.check(query, found.manifest);
      const lease = await found.lease(caller);
      if (!lease) throw invalidCursor();
      return lease;
    }

    function checked(query: Query, lease: Lease): Lease {
      try {
        endpoint.check(query, lease.snapshot.manifest);
        return lease;
      } catch (error) {
        lease.release();
        throw error;
      }
    }

    /** Names everything that a body depends on, apart from the code that renders it. */
    const keyOf = ({ id, fingerprint }: Snapshot, representation: Representation, raw: string) =>
      `${id} ${fingerprint} ${endpoint.name} ${representation.name} ${raw}`;

    return handle;
  };
}

const RESPONSES_BYTES = 64 * 2 ** 20;
const ETAGS_BYTES = 8 * 2 ** 20;
/** Per endpoint. */
const QUERIES_BYTES = 8 * 2 ** 20;
/** What a parsed query takes: this, and about so much for each character of its text. */
const QUERY_BYTES = 1024;
const QUERY_BYTES_PER_CHARACTER = 16;

/** Whose openings of older snapshots are counted together: those of one key. */
const callerOf = ({ headers }: IncomingMessage): string => String(headers['x-api-key'] ?? '');

function send(
  response: Response,
  { contentType }: Representation,
  headers: HeaderList,
  { bytes, encoding, release }: Body,
): void {
  const ours = ['Content-Type', contentType, 'Content-Length', String(bytes.length)];
  if (encoding === 'gzip') ours.push('Content-Encoding', 'gzip');
  sendReady(response, 200, { headers: ours.concat(headers), body: bytes });
  // Fully flushed to the kernel, so the buffer can be reused.
  if (response.writableFinished) release();
}

/** Calls back once the response has left for good; never when its client leaves before. */
function whenSent(response: Response, callback: () => void): void {
  if (response.writableFinished) callback();
  else response.once('finish', callback);
}

/** Aborts when the client leaves before it has the whole answer. */
function leavingOf(response: Response): AbortSignal {
  const controller = new AbortController();
  if (response.destroyed) controller.abort();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
