// Makes the identity of an answer: its key in the response cache and its ETag (ruling 19).

import { sha256 } from '../../basics/sha256.ts';
import type { Representation } from '../../query/rendering/render.ts';
import type { Leases } from './lease.ts';
import type { NextPage } from './nextPage.ts';

export interface Identity {
  readonly sources: Sources;
  /** The key of the body in the response cache. */
  readonly key: string;
  readonly etag: string;
  /** The next page; null until an answer needs it. */
  next: NextPage | null;
}

/** The sources of a body. Snapshots are ids here, because a reference would keep a closed snapshot in memory. */
interface Sources {
  readonly id: string;
  readonly fingerprint: string;
  /** The id and fingerprint of the snapshot to compare with; empty without one. */
  readonly since: string;
  readonly representation: string;
  readonly version: string;
}

/**
 * The identity of an answer. The identity of the query's last answer is reused if both answers have the same sources,
 * because a new identity needs a hash.
 *
 * @param endpoint the name of the endpoint.
 * @param version the result of `Endpoint.version`; empty for an endpoint without it.
 * @param rendering the version of the code that renders bodies.
 */
export function identify(
  parsed: { readonly raw: string; identity: Identity | null },
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
  parsed.identity = { sources, key, etag: etagOf(key, rendering), next: null };
  return parsed.identity;
}

const isSame = (a: Sources, b: Sources): boolean =>
  a.id === b.id &&
  a.fingerprint === b.fingerprint &&
  a.since === b.since &&
  a.representation === b.representation &&
  a.version === b.version;

/** A text that names everything that a body depends on, except the code that renders it. */
const keyOf = (endpoint: string, raw: string, sources: Sources): string => {
  const { id, fingerprint, since, representation, version } = sources;
  return `${id} ${fingerprint} ${endpoint} ${representation} ${since}${version && `${version} `}${raw}`;
};

/**
 * The ETag of a body. It can be made before the body is rendered. It is the same on every server, and weak, because the
 * body may be sent compressed.
 *
 * @param key names everything that the body depends on.
 * @param version the version of the code that renders the body.
 */
export const etagOf = (key: string, version: string): string =>
  `W/"${sha256(`${version} ${key}`, 'base64url').slice(0, 22)}"`;
