// Handles the requests of every endpoint: parse → lease a snapshot → cached or rendered → send.

import type { Request, RequestHandler, Response } from 'express';
import type { Caches } from '../../cache/caches.ts';
import type { Body, Encoding } from '../../cache/responseCache.ts';
import type { Snapshots } from '../../catalog/currentSnapshot.ts';
import type { AnyManifest } from '../../catalog/manifest.ts';
import type { Snapshot } from '../../catalog/snapshot.ts';
import type { Lease } from '../../catalog/snapshotPool.ts';
import type { Computations } from '../../query/computations.ts';
import { invalidCursor } from '../../query/cursor.ts';
import { unknownDataset } from '../../query/parameters.ts';
import type { Representation } from '../../query/render.ts';
import type { Selector } from '../../query/select.ts';
import { expectKnownValues } from '../../query/strict.ts';
import type { HeaderList } from '../server/headers.ts';
import { isNotModified, sendContent, sendEmpty } from '../server/send.ts';
import { rawPath, rawQuery } from '../server/url.ts';
import type { Endpoint, EndpointQuery } from './endpoint.ts';
import { etagOf } from './etag.ts';
import { findSnapshot, isImmutable } from './lease.ts';
import { leavingOf } from './leaving.ts';
import { encodingOf, JSON_ALONE, representationOf } from './negotiate.ts';
import { isStrict, STRICT_APPLIED } from './preferences.ts';
import { renderingVersion } from './renderingVersion.ts';

export interface RoadOptions {
  readonly snapshots: Snapshots;
  readonly selector: Selector;
  readonly computations: Computations;
  readonly cacheMaxAgeSeconds: number;
  readonly caches: Caches;
}

/** Makes the handlers of all endpoints, which share their caches. */
export type Road = <Query extends EndpointQuery>(endpoint: Endpoint<Query>) => RequestHandler;

export function createRoad({
  snapshots,
  selector,
  computations,
  cacheMaxAgeSeconds,
  caches,
}: RoadOptions): Road {
  const responses = caches.responseCache(RESPONSES_BYTES);
  const etags = caches.lruCache<string>(ETAGS_BYTES);
  const prefetch = caches.prefetch();
  const buffers = caches.bufferPool();
  const rendering = renderingVersion();
  const cacheControl = `private, max-age=${cacheMaxAgeSeconds}`;
  const immutable = `${cacheControl}, immutable`;

  return <Query extends EndpointQuery>(endpoint: Endpoint<Query>): RequestHandler => {
    const { representations = JSON_ALONE, isAsOf = true } = endpoint;
    const queries = caches.lruCache<Query>(QUERIES_BYTES);

    async function handle(request: Request, response: Response): Promise<void> {
      const raw = rawQuery(request);
      const query = parse(raw);
      const strict = query.filters !== undefined && isStrict(request);
      const asOf = isAsOf ? asOfText(query, request) : null;
      const leases = await leaseFor(query, { asOf, strict, caller: callerOf(request) });
      try {
        const { snapshot } = leases.lease;
        const base = leases.base?.snapshot ?? null;
        const representation = representationOf(request, representations);
        const version = endpoint.version ? `${await endpoint.version()} ` : '';
        const key = keyOf(snapshot, base, representation, version, raw);
        const etag = etagOf(key, rendering, etags);
        const isForGood = isImmutable(asOf) && (query.since === undefined || isImmutable(query.since));
        const headers = ['ETag', etag, 'Cache-Control', isForGood ? immutable : cacheControl];
        headers.push('X-Snapshot', snapshot.id);
        if (strict) headers.push(...STRICT_APPLIED);
        if (isNotModified(request, etag)) return sendEmpty(response, 304, headers);
        const encoding = encodingOf(request);
        const leaving = () => leavingOf(response);
        const source = { snapshot, base, representation, selector, computations, buffers, leaving };
        const body = await responses.getOrRender(key, encoding, () => endpoint.render(query, source));
        const { followUp } = body;
        if (followUp !== null) headers.push('Link', `<${nextUrl(request, followUp)}>; rel="next"`);
        send(response, representation, headers, body);
        // A client that has followed a cursor will probably request the next page.
        if (followUp !== null && query.cursorPosition)
          whenSent(response, () => prefetch.schedule(() => prefetchPage(followUp, representation, encoding)));
      } finally {
        release(leases);
      }
    }

    /** Renders the page that will probably be requested next into the response cache. */
    async function prefetchPage(
      raw: string,
      representation: Representation,
      encoding: Encoding,
    ): Promise<void> {
      const query = parse(raw);
      // `caller: null` opens nothing, because the walk's snapshot is open already.
      const leases = await leaseFor(query, { asOf: query.until ?? null, strict: false, caller: null });
      try {
        const { snapshot } = leases.lease;
        const base = leases.base?.snapshot ?? null;
        const parts = { representation, selector, computations, buffers };
        const source = { ...parts, snapshot, base, leaving: undefined };
        const version = endpoint.version ? `${await endpoint.version()} ` : '';
        const key = keyOf(snapshot, base, representation, version, raw);
        await responses.prefetch(key, encoding, () => endpoint.render(query, source));
      } finally {
        release(leases);
      }
    }

    function parse(raw: string): Query {
      const known = queries.get(raw);
      if (known !== undefined) return known;
      const query = endpoint.parse(raw);
      queries.set(raw, query, QUERY_BYTES + QUERY_BYTES_PER_CHARACTER * raw.length);
      return query;
    }

    /**
     * Leases the snapshots of a query. The checks that need only a manifest come first, so that a wrong query opens
     * nothing: the snapshot's name, the dataset, the values, the cursor.
     *
     * @throws {ApiError} 400 for a wrong query, 503 when a snapshot cannot be leased now.
     */
    async function leaseFor(query: Query, { asOf, strict, caller }: LeaseOptions): Promise<Leases> {
      const { cursorPosition: cursor = null, since } = query;
      const base =
        since === undefined ? null : await findSnapshot(snapshots, { asOf: since, cursorId: null });
      try {
        const cursorId = cursor === null || cursor === 'malformed' ? null : cursor.snapshotId;
        const found = await findSnapshot(snapshots, { asOf, cursorId });
        try {
          check(query, strict, found.manifest, base?.manifest ?? null);
          const baseLease = base && (await base.lease(caller));
          try {
            return { base: baseLease, lease: await found.lease(caller) };
          } catch (refusal) {
            baseLease?.release();
            throw refusal;
          }
        } finally {
          found.release();
        }
      } finally {
        base?.release();
      }
    }

    /** @throws {ApiError} 400 when the query cannot be answered from these snapshots. */
    function check(query: Query, strict: boolean, manifest: AnyManifest, base: AnyManifest | null): void {
      const { dataset, selector = 'dataset', filters, cursorPosition: cursor = null } = query;
      if (dataset) {
        const described = manifest.datasets[dataset];
        if (!described || (base && !base.datasets[dataset])) throw unknownDataset(selector, dataset);
        if (strict && filters) expectKnownValues(filters, described);
      }
      if (cursor === null) return;
      if (cursor === 'malformed' || cursor.snapshotId !== manifest.id) throw invalidCursor();
      endpoint.checkCursor?.(query, cursor, manifest, base);
    }

    /** Names everything that a body depends on, apart from the code that renders it. */
    function keyOf(
      { id, fingerprint }: Snapshot,
      base: Snapshot | null,
      representation: Representation,
      version: string,
      raw: string,
    ): string {
      const since = base ? `${base.id} ${base.fingerprint} ` : '';
      return `${id} ${fingerprint} ${endpoint.name} ${representation.name} ${since}${version}${raw}`;
    }

    return handle;
  };
}

const RESPONSES_BYTES = 64 * 2 ** 20;
const ETAGS_BYTES = 8 * 2 ** 20;
/** Per endpoint. */
const QUERIES_BYTES = 8 * 2 ** 20;
/** The approximate memory of a parsed query: a fixed part, and a part for each character of its text. */
const QUERY_BYTES = 1024;
const QUERY_BYTES_PER_CHARACTER = 16;

/** The options of a request outside its query string. */
interface LeaseOptions {
  /** The snapshot that the client names; null when it names none. */
  readonly asOf: string | null;
  readonly strict: boolean;
  /** The caller whose quota counts opened snapshots; null opens none. */
  readonly caller: string | null;
}

/** The leased snapshots of a query. */
interface Leases {
  readonly lease: Lease;
  /** The older snapshot that the query compares with. */
  readonly base: Lease | null;
}

function release({ lease, base }: Leases): void {
  lease.release();
  base?.release();
}

/** The openings of older snapshots are counted per key. */
const callerOf = ({ headers }: Request): string => String(headers['x-api-key'] ?? '');

/** The snapshot that a client names. A parameter overrides the header. */
function asOfText({ until }: EndpointQuery, { headers }: Request): string | null {
  const header = headers['x-snapshot'];
  return until ?? (header === undefined ? null : String(header));
}

/** The request's own address with the query of the next page, as a relative reference (RFC 8288). */
const nextUrl = (request: Request, query: string): string =>
  `${rawPath(request)}?${query}`.replace(
    /[^!#-;=?-~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );

function send(
  response: Response,
  { contentType }: Representation,
  headers: HeaderList,
  { bytes, encoding, release }: Body,
): void {
  const ours = ['Content-Type', contentType, 'Content-Length', String(bytes.length)];
  if (encoding === 'gzip') ours.push('Content-Encoding', 'gzip');
  sendContent(response, 200, { headers: ours.concat(headers), body: bytes });
  // Fully flushed to the kernel, so the buffer can be reused.
  if (response.writableFinished) release();
}

/** Calls back after the response was sent; never when its client leaves before. */
function whenSent(response: Response, callback: () => void): void {
  if (response.writableFinished) callback();
  else response.once('finish', callback);
}
