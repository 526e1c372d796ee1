// How a body is rendered for the response cache: begun once, then written at once or in steps.

import type { BufferLease } from './bufferPool.ts';

/** The result of `render`: a body that is not written yet. */
export interface Rendering {
  /** Begins the body. Of several concurrent renderings, at most one is begun. */
  begin(): Draft;
  /** The query string of the next page; null on the last one. */
  readonly nextQuery: string | null;
  /** The value of `X-Meta`, where the answer has that header. */
  readonly metaHeader?: string | null;
}

export type Render = () => Promise<Rendering>;

/** A body that is still being written. */
export interface Draft {
  /** The memory that it occupies until `finish`. */
  readonly bufferBytes: number;
  /** Writes for about a tenth of a millisecond; true when everything is written. */
  writeSome(): boolean;
  /** Writes the rest and ends the draft. Must be called at most once. */
  finish(): BufferLease;
}

/** A draft of a complete body. */
export const finishedDraft = (body: BufferLease): Draft => ({
  bufferBytes: body.bytes.buffer.byteLength,
  writeSome: () => true,
  finish: () => body,
});
