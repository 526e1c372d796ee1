// Makes the identity of an answer: its key in the response cache and its ETag (ruling 19).

import { sha256 } from '../../basics/sha256.ts';
import type { Representation } from '../../query/rendering/representation.ts';
import type { Leases } from './leaseSnapshots.ts';
import type { NextPage } from './nextPage.ts';

export interface Identity {
  readonly inputs: BodyInputs;
  /** The key of the body in the response cache. */
  readonly key: string;
  readonly etag: string;
  /** The next page; null until an answer needs it. */
  next: NextPage | null;
}

/** What a body depends on. Snapshots are ids here, because a reference would keep a closed snapshot in memory. */
interface BodyInputs {
  readonly id: string;
  readonly fingerprint: string;
  /** The id and fingerprint of the snapshot to compare with; empty without one. */
  readonly since: string;
  readonly representation: string;
  readonly version: string;
}

/**
 * The identity of an answer. The identity of the query's last answer is reused if both answers have the same inputs,
 * because a new identity needs a hash.
 *
 * @param endpoint the name of the endpoint.
 * @param version the result of `Endpoint.version`; empty for an endpoint without it.
 * @param renderingVersion the version of the code that renders bodies.
 */
export function identityOf(
  parsed: { readonly raw: string; identity: Identity | null },
  { lease: { snapshot }, base }: Leases,
  representation: Representation,
  { endpoint, version, renderingVersion }: { endpoint: string; version: string; renderingVersion: string },
): Identity {
  const last = parsed.identity;
  const inputs: BodyInputs = {
    id: snapshot.id,
    fingerprint: snapshot.fingerprint,
    since: base === null ? '' : `${base.snapshot.id} ${base.snapshot.fingerprint} `,
    representation: representation.name,
    version,
  };
  if (last !== null && haveSameInputs(last.inputs, inputs)) return last;
  const key = keyOf(endpoint, parsed.raw, inputs);
  parsed.identity = { inputs, key, etag: etagOf(key, renderingVersion), next: null };
  return parsed.identity;
}

const haveSameInputs = (a: BodyInputs, b: BodyInputs): boolean =>
  a.id === b.id &&
  a.fingerprint === b.fingerprint &&
  a.since === b.since &&
  a.representation === b.representation &&
  a.version === b.version;

/** A text that names everything that a body depends on, except the code that renders it. */
const keyOf = (endpoint: string, raw: string, inputs: BodyInputs): string => {
  const { id, fingerprint, since, representation, version } = inputs;
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
