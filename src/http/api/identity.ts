// Identifies answers: the key of the response cache, the ETag and the link to the next page.

import type { Request } from 'express';
import type { Representation } from '../../query/render.ts';
import { rawPath } from '../server/url.ts';
import { etagOf } from './etag.ts';
import type { Leases } from './lease.ts';

/** A query, and the identity of its last answer. */
export interface ParsedQuery<Query> {
  readonly raw: string;
  readonly query: Query;
  identity: Identity | null;
}

export interface Identity {
  readonly sources: Sources;
  /** The key of the response cache. */
  readonly key: string;
  readonly etag: string;
  /** The link to the next page; null until an answer needs it. */
  link: { readonly nextQuery: string; readonly value: string } | null;
}

/** The snapshots that a body is rendered from, as names: references would keep a closed snapshot in memory. */
interface Sources {
  readonly id: string;
  readonly fingerprint: string;
  /** The snapshot that is compared with; empty without one. */
  readonly since: string;
  readonly representation: string;
  readonly version: string;
}

/**
 * The identity of an answer. The identity of the query's last answer is reused if nothing changed, because a new one
 * costs a hash.
 *
 * @param endpoint the endpoint's name.
 * @param version whatever else the body depends on; empty for most endpoints.
 * @param rendering the version of the code that renders bodies.
 */
export function identify(
  parsed: ParsedQuery<unknown>,
  { lease: { snapshot }, base }: Leases,
  representation: Representation,
  { endpoint, version, rendering }: { endpoint: string; version: string; rendering: string },
): Identity {
  const last = parsed.identity;
  const sources = {
    id: snapshot.id,
    fingerprint: snapshot.fingerprint,
    since: base === null ? '' : `${base.snapshot.id} ${base.snapshot.fingerprint} `,
    representation: representation.name,
    version,
  };
  if (last !== null && isSame(last.sources, sources)) return last;
  const key = keyOf(endpoint, parsed.raw, sources);
  parsed.identity = { sources, key, etag: etagOf(key, rendering), link: null };
  return parsed.identity;
}

const isSame = (a: Sources, b: Sources): boolean =>
  a.id === b.id &&
  a.fingerprint === b.fingerprint &&
  a.since === b.since &&
  a.representation === b.representation &&
  a.version === b.version;

/** Names everything that a body depends on, apart from the code that renders it. */
const keyOf = (endpoint: string, raw: string, sources: Sources): string => {
  const { id, fingerprint, since, representation, version } = sources;
  return `${id} ${fingerprint} ${endpoint} ${representation} ${since}${version && `${version} `}${raw}`;
};

/** The `Link` to the next page, remembered with the answer's identity. */
export function linkOf(identity: Identity, request: Request, nextQuery: string): string {
  if (identity.link?.nextQuery !== nextQuery)
    identity.link = { nextQuery, value: `<${nextUrl(request, nextQuery)}>; rel="next"` };
  return identity.link.value;
}

/** The request's own address with the query of the next page, as a relative reference (RFC 8288). */
const nextUrl = (request: Request, query: string): string =>
  `${rawPath(request)}?${query}`.replace(
    /[^!#-;=?-~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
