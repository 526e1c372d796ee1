// Handles the requests of all endpoints: parses the query, leases a snapshot, finds or renders the body, sends it.

import type { Request, RequestHandler, Response } from 'express';
import type { BufferPool } from '../../cache/bufferPool.ts';
import type { Caches } from '../../cache/caches.ts';
import type { ContentEncoding } from '../../cache/compression.ts';
import type { Prefetch } from '../../cache/prefetch.ts';
import type { Rendering } from '../../cache/rendering.ts';
import type { Body, ResponseCache } from '../../cache/responseCache.ts';
import type { Snapshots } from '../../catalog/snapshots.ts';
import type { Computations } from '../../query/computations/computations.ts';
import type { Representation } from '../../query/rendering/representation.ts';
import type { Selector } from '../../query/selection/selector.ts';
import type { Yielding } from '../../query/yielding.ts';
import { rawPath, rawQuery } from '../server/requestUrl.ts';
import { setSnapshotId } from '../server/responseFacts.ts';
import { isNotModified, matchesAnyEtag, sendContent, sendEmpty } from '../server/send.ts';
import { disconnectSignalOf } from './clientDisconnect.ts';
import type { Endpoint, EndpointQuery, RenderSource } from './endpoint.ts';
import { expectAnswerable } from './expectAnswerable.ts';
import { type Identity, identityOf } from './identity.ts';
import {
  callerOf,
  isImmutable,
  type Leases,
  leaseSnapshots,
  namedByHeader,
  releaseAll,
  type WantedSnapshots,
  wantedSnapshots,
} from './leaseSnapshots.ts';
import { encodingOf, JSON_ONLY, representationOf, STRICT_APPLIED, wantsStrict } from './negotiate.ts';
import { nextPageOf } from './nextPage.ts';
import { ParsedQueries, type ParsedQuery } from './parsedQueries.ts';
import { renderingVersion } from './renderingVersion.ts';

export interface HandlerOptions {
  readonly snapshots: Snapshots;
  readonly selector: Selector;
  readonly computations: Computations;
  readonly cacheMaxAgeSeconds: number;
  readonly caches: Caches;
  readonly yielding: Yielding;
  /** The path of the server's public address, which the links to next pages begin with. */
  readonly basePath: string;
}

export type CreateHandler = <Query extends EndpointQuery>(endpoint: Endpoint<Query>) => RequestHandler;

/** Makes the handlers of all endpoints. They share their caches. */
export function createHandlers({ cacheMaxAgeSeconds, caches, ...sources }: HandlerOptions): CreateHandler {
  const cacheControl = `private, max-age=${cacheMaxAgeSeconds}`;
  const shared: HandlerResources = {
    ...sources,
    caches,
    responses: caches.responseCache(RESPONSES_BYTES, 'responses'),
    prefetch: caches.prefetch(),
    buffers: caches.bufferPool('pages'),
    renderingVersion: renderingVersion(),
    cacheControl,
    immutable: `${cacheControl}, immutable`,
  };
  const names = new Set<string>();
  return (endpoint) => {
    // Two endpoints with one name would have the same keys in the response cache.
    if (names.has(endpoint.name)) throw new Error(`two endpoints have the name ${endpoint.name}`);
    names.add(endpoint.name);
    const handler = new EndpointHandler(endpoint, shared);
    return (request, response) => handler.handle(request, response);
  };
}

interface HandlerResources extends Omit<HandlerOptions, 'cacheMaxAgeSeconds'> {
  readonly responses: ResponseCache;
  readonly prefetch: Prefetch;
  readonly buffers: BufferPool;
  /** The version of the code that renders bodies. */
  readonly renderingVersion: string;
  /** `Cache-Control` of an answer that may be different when another snapshot is current. */
  readonly cacheControl: string;
  /** `Cache-Control` of an answer that never changes. */
  readonly immutable: string;
}

class EndpointHandler<Query extends EndpointQuery> {
  readonly #endpoint: Endpoint<Query>;
  readonly #shared: HandlerResources;
  readonly #queries: ParsedQueries<Query>;

  constructor(endpoint: Endpoint<Query>, shared: HandlerResources) {
    this.#endpoint = endpoint;
    this.#shared = shared;
    this.#queries = new ParsedQueries(endpoint, shared.caches);
  }

  async handle(request: Request, response: Response): Promise<void> {
    const { responses, prefetch, yielding } = this.#shared;
    yielding.countPage();
    const parsed = this.#queries.parse(rawQuery(request), 'requested');
    const { readsSnapshotHeader = true } = this.#endpoint;
    const header = readsSnapshotHeader ? namedByHeader(request) : null;
    const wanted = wantedSnapshots(parsed, header, new Date());
    const isStrict = parsed.query.filters !== undefined && wantsStrict(request);
    const leases = await this.#lease(parsed, wanted, { isStrict, caller: callerOf(request) });
    try {
      setSnapshotId(response, leases.lease.snapshot.id);
      const { asOf } = wanted;
      const representation = representationOf(request, this.#endpoint.representations ?? JSON_ONLY);
      const version = this.#endpoint.version ? await this.#endpoint.version(asOf) : '';
      const identity = this.#identityOf(parsed, leases, representation, version);
      const headers = this.#headersOf(parsed.query, { asOf, isStrict }, identity);
      const notModified = isNotModified(request, identity.etag);
      // A client that sends the right ETag has received the answer, so 304 is right. A client that sends `*` may not
      // have received it. The answer is rendered first, because it may be an error, such as refused sums.
      if (notModified && !matchesAnyEtag(request)) return sendEmpty(response, 304, headers);
      const encoding = encodingOf(request);
      const disconnectSignal = () => disconnectSignalOf(response);
      const render = () => this.#render(parsed, leases, { asOf, representation, disconnectSignal });
      const body = await responses.getOrRender(identity.key, encoding, render);
      if (notModified) {
        body.release();
        return sendEmpty(response, 304, headers);
      }
      if (body.metaHeader !== null) headers.push('X-Meta', body.metaHeader);
      const { nextCursor } = body;
      const path = `${this.#shared.basePath}${rawPath(request)}`;
      const next = nextCursor === null ? null : nextPageOf(identity, path, parsed.raw, nextCursor);
      if (next !== null) headers.push('Link', next.link);
      send(response, representation, headers, body);
      // A client that has followed a cursor will probably request the next page.
      if (next !== null && parsed.cursor !== null)
        whenSent(response, () =>
          prefetch.schedule(() => this.#prefetchPage(next.query, representation, encoding)),
        );
    } finally {
      releaseAll(leases);
    }
  }

  /** Renders the page that will probably be requested next, and stores it in the response cache. */
  async #prefetchPage(raw: string, representation: Representation, encoding: ContentEncoding): Promise<void> {
    const parsed = this.#queries.parse(raw, 'expected');
    const wanted = wantedSnapshots(parsed, null, new Date());
    const { asOf } = wanted;
    // The request for the page will check filter values, so `isStrict` is false here. The snapshot of the walk is already
    // open, so `caller` may be null.
    const leases = await this.#lease(parsed, wanted, { isStrict: false, caller: null });
    try {
      const version = this.#endpoint.version ? await this.#endpoint.version(asOf) : '';
      const { key } = this.#identityOf(parsed, leases, representation, version);
      const render = () =>
        this.#render(parsed, leases, { asOf, representation, disconnectSignal: undefined });
      await this.#shared.responses.prefetch(key, encoding, render);
    } finally {
      releaseAll(leases);
    }
  }

  #lease(
    { query, cursor }: ParsedQuery<Query>,
    wanted: WantedSnapshots,
    { isStrict, caller }: { isStrict: boolean; caller: string | null },
  ): Leases | Promise<Leases> {
    return leaseSnapshots(this.#shared.snapshots, wanted, {
      caller,
      check: (manifest, base) =>
        expectAnswerable({ query, isStrict, cursor, endpoint: this.#endpoint }, manifest, base),
    });
  }

  #identityOf(
    parsed: ParsedQuery<Query>,
    leases: Leases,
    representation: Representation,
    version: string,
  ): Identity {
    const { renderingVersion } = this.#shared;
    return identityOf(parsed, leases, representation, {
      endpoint: this.#endpoint.name,
      version,
      renderingVersion,
    });
  }

  /** The headers that a 200 and the 304 in its place have in common. */
  #headersOf(
    { since }: Query,
    { asOf, isStrict }: { asOf: string | null; isStrict: boolean },
    { etag, inputs }: Identity,
  ): string[] {
    const { immutable, cacheControl } = this.#shared;
    const neverChanges = isImmutable(asOf) && (since === undefined || isImmutable(since));
    const caching = neverChanges ? immutable : cacheControl;
    const headers = ['ETag', etag, 'Cache-Control', caching, 'X-Snapshot', inputs.id];
    if (isStrict) headers.push(...STRICT_APPLIED);
    return headers;
  }

  async #render(
    { query, cursor }: ParsedQuery<Query>,
    { lease: { snapshot }, base }: Leases,
    {
      asOf,
      representation,
      disconnectSignal,
    }: Pick<RenderSource, 'asOf' | 'representation' | 'disconnectSignal'>,
  ): Promise<Rendering> {
    const { selector, computations, buffers } = this.#shared;
    await representation.prepare?.();
    const after = cursor === null || cursor === 'malformed' ? -1 : cursor.position;
    const source = {
      asOf,
      representation,
      disconnectSignal,
      snapshot,
      base: base?.snapshot ?? null,
      after,
      selector,
      computations,
      buffers,
    };
    return this.#endpoint.render(query, source);
  }
}

/** The capacity of the response cache, which all endpoints share. */
const RESPONSES_BYTES = 64 * 2 ** 20;

function send(
  response: Response,
  { contentType }: Representation,
  headers: string[],
  { bytes, encoding, release }: Body,
): void {
  headers.push('Content-Type', contentType, 'Content-Length', String(bytes.length));
  if (encoding === 'gzip') headers.push('Content-Encoding', 'gzip');
  sendContent(response, 200, { headers, body: bytes });
  // If the kernel has taken all bytes, the pool can reuse the buffer. Otherwise the garbage collector frees it.
  if (response.writableFinished) release();
}

/** Calls back when the response is sent. Never calls back when the client leaves before that. */
function whenSent(response: Response, callback: () => void): void {
  if (response.writableFinished) callback();
  else response.once('finish', callback);
}
