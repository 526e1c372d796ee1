// What tells one endpoint from another: how it reads its query, and how it renders an answer.

import type { BufferPool } from '../../cache/bufferPool.ts';
import type { Rendering } from '../../cache/responseCache.ts';
import type { AnyManifest } from '../../catalog/manifest.ts';
import type { Snapshot } from '../../catalog/snapshot.ts';
import type { CursorPosition } from '../../query/cursor.ts';
import type { Representation } from '../../query/render.ts';
import type { Selector } from '../../query/select.ts';

/** An entry of the table in `app.ts`. `handler.ts` leads its requests through the stages. */
export interface Endpoint<Query extends EndpointQuery> {
  /** Unique: part of the cache key and of the ETag. */
  readonly name: string;
  /** @throws {ApiError} 400 when the query string is not valid. */
  parse(rawQuery: string): Query;
  /**
   * Checks what only the snapshot can tell, by its manifest: called before an older snapshot is opened.
   *
   * @throws {ApiError} 400 when the query cannot be answered from that snapshot.
   */
  check(query: Query, manifest: AnyManifest): void;
  /** @throws {ApiError} 503 when the answer cannot be found in time. */
  render(query: Query, source: Source): Promise<Rendering>;
}

export interface EndpointQuery {
  /** What the query's cursor says; null without one. A cursor names its snapshot. */
  readonly cursorPosition: CursorPosition | null;
}

/** What an answer is rendered from. */
export interface Source {
  readonly snapshot: Snapshot;
  readonly representation: Representation;
  readonly selector: Selector;
  readonly buffers: BufferPool;
  /**
   * Gives the signal that aborts when the client leaves; undefined when no client waits. To be called, if at all,
   * before `render` first awaits.
   */
  readonly leaving: (() => AbortSignal) | undefined;
}
