// The interface of a representation, which writes a page in one media type.

import type { BufferPool } from '../../cache/bufferPool.ts';
import type { Draft } from '../../cache/rendering.ts';
import type { Table } from '../../catalog/columns.ts';
import type { BytesWriter } from './bytesWriter.ts';
import type { Frame } from './frame.ts';

/** A media type in which pages can be sent. `http/api/negotiate.ts` lists all of them. */
export interface Representation {
  /** Short and unique: part of the ETag. */
  readonly name: string;
  /** The value of the `Content-Type` header. */
  readonly contentType: string;
  /** Loads what only this representation needs. It is awaited before `draftPage` is called. */
  prepare?(): Promise<void>;
  /** Begins to write a page. */
  draftPage(page: RenderedPage, buffers: BufferPool): Draft;
}

/** A page that every representation can write. */
export interface RenderedPage {
  /** Begins to write the page as JSON, which also has metadata and a cursor. */
  draftJson(buffers: BufferPool): Draft;
  /** The rows as columns, for all other formats. */
  frame(): Frame;
  /** Where the rows are in their table, if they are rows of a table. Some formats write them faster from there. */
  readonly rows?: TableRows;
  /** The member `meta` of the JSON body, for other formats that have a place for it. */
  readonly meta?: object;
}

export interface TableRows {
  readonly table: Table;
  readonly positions: Uint32Array;
}

/** How many rows a draft writes in one step. They take about a tenth of a millisecond. */
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
