// The interface of an endpoint, which parses queries and renders answers.

import type { BufferPool } from '../../cache/bufferPool.ts';
import type { Rendering } from '../../cache/rendering.ts';
import type { DatasetName } from '../../catalog/datasets.ts';
import type { AnyManifest } from '../../catalog/manifest.ts';
import type { Snapshot } from '../../catalog/snapshot.ts';
import type { Computations } from '../../query/computations/computations.ts';
import type { CursorPosition } from '../../query/cursor.ts';
import type { RowQuery } from '../../query/parameters/parse.ts';
import type { Representation } from '../../query/rendering/representation.ts';
import type { Selector } from '../../query/selection/selector.ts';

/** An endpoint. `app.ts` lists all endpoints, and `handler.ts` handles their requests. */
export interface Endpoint<Query extends EndpointQuery> {
  /** A unique name, which is part of the cache key and of the ETag. */
  readonly name: string;
  /** The formats of its answers, the default first; only JSON when left out. */
  readonly representations?: readonly Representation[];
  /** Whether the header X-Snapshot chooses the snapshot; true when left out. */
  readonly readsSnapshotHeader?: boolean;
  /**
   * A text that changes with everything that the body depends on, except the query and its snapshots. It is part of the
   * cache key and of the ETag.
   *
   * @param asOf how the client named the snapshot; null when it named none.
   * @throws {ApiError} 503 when the text cannot be determined.
   */
  version?(asOf: string | null): Promise<string>;
  /** @throws {ApiError} 400 when the query string is not valid. */
  parse(rawQuery: string): Query;
  /**
   * Checks that the cursor belongs to the query. The check needs only manifests, so it can run before a snapshot is
   * opened.
   *
   * @throws {ApiError} 400 when the cursor belongs to another query.
   */
  checkCursor?(query: Query, cursor: CursorPosition, manifest: AnyManifest, base: AnyManifest | null): void;
  /** @throws {ApiError} 400 or 503 when the answer cannot be given. */
  render(query: Query, source: RenderSource): Promise<Rendering>;
}

export interface EndpointQuery {
  /** The cursor as the client sent it; null without a cursor. */
  readonly cursor?: string | null;
  /** The query's dataset; the snapshot must have it. */
  readonly dataset?: DatasetName;
  /** The parameter that names the dataset; `dataset` when left out. */
  readonly datasetParameter?: 'metric' | 'dataset';
  /** The values that `Prefer: handling=strict` checks. */
  readonly filters?: RowQuery['filters'];
  /**
   * The snapshot that the parameter `until` names. When it is null or left out, the header X-Snapshot may name the
   * snapshot.
   */
  readonly until?: string | null;
  /**
   * The snapshot that the parameter `since` names. The endpoint compares it with the snapshot that answers, which is
   * usually newer.
   */
  readonly since?: string;
}

/** Everything that an answer is rendered from. */
export interface RenderSource {
  readonly snapshot: Snapshot;
  /**
   * The text by which the client named the snapshot; null when it named none. An endpoint whose body depends on this
   * text has a `version`.
   */
  readonly asOf: string | null;
  /** The snapshot that `since` names; null without it. */
  readonly base: Snapshot | null;
  /** The page begins after this position, which the cursor names; -1 for the first page. */
  readonly after: number;
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
