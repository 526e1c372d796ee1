// Handles the requests of every endpoint: parse → lease a snapshot → cached or rendered → send.

import type { Request, RequestHandler, Response } from 'express';
import type { Caches } from '../../cache/caches.ts';
import type { Body, Encoding } from '../../cache/responseCache.ts';
import type { Snapshots } from '../../catalog/currentSnapshot.ts';
import type { Computations } from '../../query/computations.ts';
import type { Representation } from '../../query/render.ts';
import type { Selector } from '../../query/select.ts';
import { setSnapshotId } from '../server/requestFacts.ts';
import { isNotModified, sendContent, sendEmpty } from '../server/send.ts';
import { rawPath, rawQuery } from '../server/url.ts';
import { expectAnswerable } from './check.ts';
import type { Endpoint, EndpointQuery, Source } from './endpoint.ts';
import { etagOf } from './etag.ts';
import { isImmutable, type Leases, leaseSnapshots, releaseAll } from './lease.ts';
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
  const responses = caches.responseCache(RESPONSES_BYTES, 'responses');
  const prefetch = caches.prefetch();
  const buffers = caches.bufferPool('pages');
  const rendering = renderingVersion();
  const cacheControl = `private, max-age=${cacheMaxAgeSeconds}`;
  const immutable = `${cacheControl}, immutable`;

  return <Query extends EndpointQuery>(endpoint: Endpoint<Query>): RequestHandler => {
    const { representations = JSON_ALONE, isAsOf = true } = endpoint;
    const queries = caches.lruCache<ParsedQuery<Query>>(QUERIES_BYTES, 'queries');

    async function handle(request: Request, response: Response): Promise<void> {
      const parsed = parse(rawQuery(request));
      const { query } = parsed;
      const strict = query.filters !== undefined && isStrict(request);
      const asOf = isAsOf ? asOfText(query, request) : null;
      const leases = await lease(query, strict, asOf, callerOf(request));
      try {
        const { snapshot } = leases.lease;
        setSnapshotId(response, snapshot.id);
        const representation = representationOf(request, representations);
        const version = endpoint.version ? await endpoint.version() : '';
        const identity = identify(parsed, leases, representation, version);
        const { key, etag } = identity;
        const isForGood = isImmutable(asOf) && (query.since === undefined || isImmutable(query.since));
        const cacheFor = isForGood ? immutable : cacheControl;
        const headers = ['ETag', etag, 'Cache-Control', cacheFor, 'X-Snapshot', snapshot.id];
        if (strict) headers.push(...STRICT_APPLIED);
        if (isNotModified(request, etag)) return sendEmpty(response, 304, headers);
        const encoding = encodingOf(request);
        const render = () => endpoint.render(query, sourceOf(leases, representation, response));
        const body = await responses.getOrRender(key, encoding, render);
        const { followUp } = body;
        if (followUp !== null) headers.push('Link', linkOf(identity, request, followUp));
        send(response, representation, headers, body);
        // A client that has followed a cursor will probably request the next page.
        if (followUp !== null && query.cursorPosition)
          whenSent(response, () => prefetch.schedule(() => prefetchPage(followUp, representation, encoding)));
      } finally {
        releaseAll(leases);
      }
    }

    /** Renders the page that will probably be requested next into the response cache. */
    async function prefetchPage(
      raw: string,
      representation: Representation,
      encoding: Encoding,
    ): Promise<void> {
      const parsed = parse(raw);
      const { query } = parsed;
      // `caller: null` opens nothing, because the walk's snapshot is open already.
      const leases = await lease(query, false, query.until ?? null, null);
      try {
        const version = endpoint.version ? await endpoint.version() : '';
        const { key } = identify(parsed, leases, representation, version);
        const render = () => endpoint.render(query, sourceOf(leases, representation, null));
        await responses.prefetch(key, encoding, render);
      } finally {
        releaseAll(leases);
      }
    }

    function parse(raw: string): ParsedQuery<Query> {
      const known = queries.get(raw);
      if (known !== undefined) return known;
      const parsed = { raw, query: endpoint.parse(raw), identity: null };
      queries.set(raw, parsed, QUERY_BYTES + QUERY_BYTES_PER_CHARACTER * raw.length);
      return parsed;
    }

    /** The identity of an answer. That of a query's last answer is remembered: making it again takes a hash. */
    function identify(
      parsed: ParsedQuery<Query>,
      { lease: { snapshot }, base }: Leases,
      representation: Representation,
      version: string,
    ): Identity {
      const last = parsed.identity;
      const of = {
        id: snapshot.id,
        fingerprint: snapshot.fingerprint,
        since: base === null ? '' : `${base.snapshot.id} ${base.snapshot.fingerprint} `,
        representation: representation.name,
        version,
      };
      if (last !== null && isSame(last.of, of)) return last;
      const key = keyOf(parsed.raw, of);
      parsed.identity = { of, key, etag: etagOf(key, rendering), link: null };
      return parsed.identity;
    }

    function lease(
      query: Query,
      strict: boolean,
      asOf: string | null,
      caller: string | null,
    ): Leases | Promise<Leases> {
      const { cursorPosition: cursor = null, since = null } = query;
      const cursorId = cursor === null || cursor === 'malformed' ? null : cursor.snapshotId;
      return leaseSnapshots(snapshots, { asOf, cursorId, since, caller }, (manifest, base) =>
        expectAnswerable({ query, strict, endpoint }, manifest, base),
      );
    }

    /** Names everything that a body depends on, apart from the code that renders it. */
    function keyOf(raw: string, { id, fingerprint, since, representation, version }: Sources): string {
      return `${id} ${fingerprint} ${endpoint.name} ${representation} ${since}${version && `${version} `}${raw}`;
    }

    /** @param response null when no client waits. */
    function sourceOf(
      { lease: { snapshot }, base }: Leases,
      representation: Representation,
      response: Response | null,
    ): Source {
      const leaving = response === null ? undefined : () => leavingOf(response);
      return {
        snapshot,
        base: base?.snapshot ?? null,
        representation,
        selector,
        computations,
        buffers,
        leaving,
      };
    }

    return handle;
  };
}

/** A query, and the identity of its last answer. */
interface ParsedQuery<Query> {
  readonly raw: string;
  readonly query: Query;
  identity: Identity | null;
}

interface Identity {
  readonly of: Sources;
  /** Of the response cache. */
  readonly key: string;
  readonly etag: string;
  /** The link to the next page, from the first answer on. */
  link: { readonly followUp: string; readonly value: string } | null;
}

/** Names what a body is rendered from, besides its query. Names only: a snapshot must not be kept in memory by them. */
interface Sources {
  readonly id: string;
  readonly fingerprint: string;
  /** The snapshot that is compared with; empty without one. */
  readonly since: string;
  readonly representation: string;
  readonly version: string;
}

const isSame = (a: Sources, b: Sources): boolean =>
  a.id === b.id &&
  a.fingerprint === b.fingerprint &&
  a.since === b.since &&
  a.representation === b.representation &&
  a.version === b.version;

const RESPONSES_BYTES = 64 * 2 ** 20;
/** Per endpoint. */
const QUERIES_BYTES = 8 * 2 ** 20;
/** The approximate memory of a parsed query: a fixed part, and a part for each character of its text. */
const QUERY_BYTES = 1024;
const QUERY_BYTES_PER_CHARACTER = 16;

/** The openings of older snapshots are counted per key. */
const callerOf = ({ headers }: Request): string => String(headers['x-api-key'] ?? '');

/** The snapshot that a client names. A parameter overrides the header. */
function asOfText({ until }: EndpointQuery, { headers }: Request): string | null {
  const header = headers['x-snapshot'];
  return until ?? (header === undefined ? null : String(header));
}

/** The link to the next page, remembered with the answer's identity. */
function linkOf(identity: Identity, request: Request, followUp: string): string {
  if (identity.link?.followUp !== followUp)
    identity.link = { followUp, value: `<${nextUrl(request, followUp)}>; rel="next"` };
  return identity.link.value;
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
  headers: string[],
  { bytes, encoding, release }: Body,
): void {
  headers.push('Content-Type', contentType, 'Content-Length', String(bytes.length));
  if (encoding === 'gzip') headers.push('Content-Encoding', 'gzip');
  sendContent(response, 200, { headers, body: bytes });
  // Fully flushed to the kernel, so the buffer can be reused.
  if (response.writableFinished) release();
}

/** Calls back after the response was sent; never when its client leaves before. */
function whenSent(response: Response, callback: () => void): void {
  if (response.writableFinished) callback();
  else response.once('finish', callback);
}
