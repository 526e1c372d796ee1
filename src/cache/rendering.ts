// The interface by which the response cache lets a body be written, all at once or in steps.

import type { BufferLease } from './bufferPool.ts';

/** The result of `render`: an answer whose body is not written yet. */
export interface Rendering {
  /** Begins to write the body. It is not called when a concurrent rendering of the same answer has written the body. */
  startDraft(): Draft;
  /** The cursor of the next page; null on the last one. */
  readonly nextCursor: string | null;
  /** The value of the header `X-Meta`; left out or null for an answer without it. */
  readonly metaHeader?: string | null;
}

/** Makes an answer whose body is not written yet. */
export type Render = () => Promise<Rendering>;

/** A body that is still being written. */
export interface Draft {
  /** The memory that the draft occupies until `finish`. */
  readonly bufferBytes: number;
  /** Writes for about a tenth of a millisecond. Returns whether everything is written. */
  writeSome(): boolean;
  /** Writes the rest, and gives the body. Must be called at most once. */
  finish(): BufferLease;
}

/** A draft of a complete body. */
export const finishedDraft = (body: BufferLease): Draft => ({
  bufferBytes: body.bytes.buffer.byteLength,
  writeSome: () => true,
  finish: () => body,
});
