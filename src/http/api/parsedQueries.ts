// Parses the queries of an endpoint, and caches those that are requested more than once.

import type { Caches } from '../../cache/caches.ts';
import type { LruCache } from '../../cache/lruCache.ts';
import type { RecentTexts } from '../../cache/recentTexts.ts';
import { type CursorPosition, decodeCursor } from '../../query/cursor.ts';
import type { Endpoint, EndpointQuery } from './endpoint.ts';
import type { Identity } from './identity.ts';

/** A query with the identity of its last answer. */
export interface ParsedQuery<Query> {
  readonly raw: string;
  readonly query: Query;
  /** The content of the query's cursor. It is null without a cursor, and `malformed` if the cursor cannot be decoded. */
  readonly cursor: CursorPosition | 'malformed' | null;
  identity: Identity | null;
}

/** The queries of one endpoint. */
export class ParsedQueries<Query extends EndpointQuery> {
  readonly #endpoint: Endpoint<Query>;
  readonly #cached: LruCache<ParsedQuery<Query>>;
  readonly #repeats: RecentTexts;

  constructor(endpoint: Endpoint<Query>, caches: Caches) {
    this.#endpoint = endpoint;
    this.#cached = caches.lruCache(CAPACITY_BYTES, 'queries');
    this.#repeats = caches.recentTexts();
  }

  /**
   * The parsed query, cached or new. Most queries are requested only once, so a query is cached at its second request, or
   * at once if a client is expected to send it.
   *
   * @throws {ApiError} 400 when the query string is not valid.
   */
  parse(raw: string, origin: 'requested' | 'expected'): ParsedQuery<Query> {
    const cached = this.#cached.get(raw);
    if (cached !== undefined) return cached;
    const query = this.#endpoint.parse(raw);
    const { cursor = null } = query;
    const parsed = { raw, query, cursor: cursor === null ? null : decodeCursor(cursor), identity: null };
    if (origin === 'expected' || this.#repeats.isRepeated(raw))
      this.#cached.set(raw, parsed, QUERY_BYTES + QUERY_BYTES_PER_CHARACTER * raw.length);
    return parsed;
  }
}

const CAPACITY_BYTES = 8 * 2 ** 20;
/** The approximate memory of a parsed query: a fixed part, and a part for each character of its text. */
const QUERY_BYTES = 1024;
const QUERY_BYTES_PER_CHARACTER = 16;
