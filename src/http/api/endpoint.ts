// The interface of an endpoint, which parses queries and renders answers.

import type { BufferPool } from '../../cache/bufferPool.ts';
import type { Rendering } from '../../cache/rendering.ts';
import type { DatasetName } from '../../catalog/datasets.ts';
import type { AnyManifest } from '../../catalog/manifest.ts';
import type { Snapshot } from '../../catalog/snapshot.ts';
import type { Computations } from '../../query/computations/computations.ts';
import type { CursorPosition } from '../../query/cursor.ts';
import type { RowQuery } from '../../query/parameters/parse.ts';
import type { Representation } from '../../query/rendering/render.ts';
import type { Selector } from '../../query/selection/select.ts';

/** An endpoint. `app.ts` lists all endpoints, and `handler.ts` handles their requests. */
export interface Endpoint<Query extends EndpointQuery> {
  /** A unique name, which is part of the cache key and of the ETag. */
  readonly name: string;
  /** The formats of its answers, the default first; only JSON when left out. */
  readonly representations?: readonly Representation[];
  /** Whether the header X-Snapshot chooses the snapshot; true when left out. */
  readonly readsSnapshotHeader?: boolean;
  /**
   * A text that changes with everything that the body depends on besides the query and its snapshots. It is part of the
   * cache key and of the ETag.
   *
   * @param asOf how the client named the snapshot; null when it named none.
   * @throws {ApiError} 503 when it cannot be determined.
   */
  version?(asOf: string | null): Promise<string>;
  /** @throws {ApiError} 400 when the query string is not valid. */
  parse(rawQuery: string): Query;
  /**
   * Checks that the cursor belongs to the query. It needs only manifests, so it can run before a snapshot is opened.
   *
   * @throws {ApiError} 400 when it does not.
   */
  checkCursor?(query: Query, cursor: CursorPosition, manifest: AnyManifest, base: AnyManifest | null): void;
  /** @throws {ApiError} 400 or 503 when the answer cannot be given. */
  render(query: Query, source: Source): Promise<Rendering>;
}

export interface EndpointQuery {
  /** The content of the query's cursor, which also names a snapshot; null without a cursor. */
  readonly cursorPosition?: CursorPosition | 'malformed' | null;
  /** The query's dataset; the snapshot must have it. */
  readonly dataset?: DatasetName;
  /** The parameter that names the dataset; `dataset` when left out. */
  readonly datasetParameter?: 'metric' | 'dataset';
  /** The values that `Prefer: handling=strict` checks. */
  readonly filters?: RowQuery['filters'];
  /** The snapshot that the parameter `until` names; null for the one that the header X-Snapshot names. */
  readonly until?: string | null;
  /** The snapshot to compare with, which the parameter `since` names; usually an older one. */
  readonly since?: string;
}

/** Everything that an answer is rendered from. */
export interface Source {
  readonly snapshot: Snapshot;
  /** How the client named the snapshot; null when it named none. A body that depends on it has a `version`. */
  readonly asOf: string | null;
  /** The snapshot that `since` names; null without it. */
  readonly base: Snapshot | null;
  readonly representation: Representation;
  readonly selector: Selector;
  readonly computations: Computations;
  readonly buffers: BufferPool;
  /**
   * Creates the signal that aborts when the client leaves; undefined when no client waits. `render` may call it only
   * before its first await.
   */
  readonly disconnectSignal: (() => AbortSignal) | undefined;
}

/**
 * The query string of the next page: the same query with its cursor set. The prefetch relies on this text, because a
 * client that follows cursors will probably send exactly the same.
 */
export function withCursor(rawQuery: string, cursor: string): string {
  if (!MAY_HOLD_CURSOR.test(rawQuery)) return `${rawQuery}&cursor=${cursor}`;
  const query = ESCAPED_NAME.test(rawQuery) ? withPlainNames(rawQuery) : rawQuery;
  const replaced = query.replace(CURSOR, `$1cursor=${cursor}`);
  return replaced === query && !CURSOR.test(query) ? `${query}&cursor=${cursor}` : replaced;
}

const MAY_HOLD_CURSOR = /cursor=|%/;
const CURSOR = /(^|&)cursor=[^&]*/;
const ESCAPED_NAME = /(?:^|&)[^=&%]*%[^=&]*(?:=|&|$)/;

/** The same query, with the parameter name `cursor` written without percent escapes. */
const withPlainNames = (rawQuery: string): string =>
  rawQuery
    .split('&')
    .map((part) => {
      const [name = ''] = part.split('=', 1);
      return decodeURIComponent(name) === 'cursor' ? `cursor${part.slice(name.length)}` : part;
    })
    .join('&');

/** The position after which the page of a query begins; -1 for the first page. The cursor must have been checked. */
export const positionOf = ({ cursorPosition = null }: EndpointQuery): number =>
  cursorPosition === null || cursorPosition === 'malformed' ? -1 : cursorPosition.position;
