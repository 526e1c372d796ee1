// The interface of a representation, which writes a page in one media type.

import type { BufferPool } from '../../cache/bufferPool.ts';
import type { Draft } from '../../cache/rendering.ts';
import type { Table } from '../../catalog/columns.ts';
import type { BytesWriter } from './bytesWriter.ts';
import type { Frame } from './frame.ts';

/** A media type in which pages can be sent. `http/api/negotiate.ts` lists all of them. */
export interface Representation {
  /** A short and unique name. It is a part of the ETag. */
  readonly name: string;
  readonly contentType: string;
  /** Loads the code that only this representation needs. It is awaited before `draftPage` is called. */
  prepare?(): Promise<void>;
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
export const draftInSteps = (
  out: BytesWriter,
  rows: number,
  write: WriteRows,
  finish: () => void = () => {},
): Draft => new DraftInSteps(out, rows, write, finish);

type WriteRows = (begin: number, end: number) => void;

/** It is a class because V8 allocates the getters of an object literal as long-lived objects. */
class DraftInSteps implements Draft {
  readonly #out: BytesWriter;
  readonly #rows: number;
  readonly #write: WriteRows;
  readonly #finish: () => void;
  #written = 0;

  constructor(out: BytesWriter, rows: number, write: WriteRows, finish: () => void) {
    this.#out = out;
    this.#rows = rows;
    this.#write = write;
    this.#finish = finish;
  }

  get bufferBytes() {
    return this.#out.bufferBytes;
  }

  writeSome() {
    this.#writeUpTo(Math.min(this.#written + ROWS_PER_STEP, this.#rows));
    return this.#written === this.#rows;
  }

  finish() {
    this.#writeUpTo(this.#rows);
    this.#finish();
    return this.#out.take();
  }

  #writeUpTo(end: number) {
    this.#write(this.#written, end);
    this.#written = end;
  }
}
