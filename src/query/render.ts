// Representations of a page: each writes the same rows in another media type.

import type { BufferPool } from '../cache/bufferPool.ts';
import type { Draft } from '../cache/rendering.ts';
import type { Table } from '../catalog/columns.ts';
import type { BytesWriter } from './bytesWriter.ts';
import type { Frame } from './frame.ts';

/** One media type that answers can be sent in. A new one is one file and an entry in `http/api/negotiate.ts`. */
export interface Representation {
  /** Short and unique: part of the ETag. */
  readonly name: string;
  /** The value of the `Content-Type` header. */
  readonly contentType: string;
  /** Loads what only this representation needs. It settles before the first page is begun. */
  prepare?(): Promise<void>;
  /** Begins a page. */
  draftPage(page: RenderedPage, buffers: BufferPool): Draft;
}

/** A page that every representation can write. */
export interface RenderedPage {
  /** Begins the page as JSON, which also has metadata and a cursor. */
  draftJson(buffers: BufferPool): Draft;
  /** The rows as columns, for all other formats. */
  frame(): Frame;
  /** The same rows by their positions, where they are rows of a table: some formats write them faster from there. */
  readonly rows?: TableRows;
  /** What JSON has as `meta`, for formats that have a place for it. */
  readonly meta?: object;
}

export interface TableRows {
  readonly table: Table;
  readonly positions: Uint32Array;
}

/** Rows written in one step of a draft: about a tenth of a millisecond. */
const ROWS_PER_STEP = 200;

/**
 * A draft of `rows` rows.
 *
 * @param write writes the rows from `begin` up to, not including, `end`.
 * @param finish writes what follows the last row.
 */
export function draftInSteps(
  out: BytesWriter,
  rows: number,
  write: (begin: number, end: number) => void,
  finish: () => void = () => {},
): Draft {
  let written = 0;
  const writeUpTo = (end: number) => {
    write(written, end);
    written = end;
  };
  return {
    get bufferBytes() {
      return out.bufferBytes;
    },
    writeSome() {
      writeUpTo(Math.min(written + ROWS_PER_STEP, rows));
      return written === rows;
    },
    finish() {
      writeUpTo(rows);
      finish();
      return out.take();
    },
  };
}
