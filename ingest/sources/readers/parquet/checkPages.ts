// Checks that the parts of a Parquet file agree: numbers of rows in its footer and its pages, and checksums of pages.
//
// It also checks that the footer lists all pages. DuckDB reads as many rows as each row group states, whatever its pages
// hold, and does not look at checksums.

import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { readAt } from '../readAt.ts';
import { CompactThrift } from './compactThrift.ts';
import { type Footer, footerOf, nullIfCutOff } from './footer.ts';
import { damaged } from './queriedFile.ts';
import { unlistedPages } from './unlistedPages.ts';

interface Page {
  /** The number of values, including empty ones; 0 for a page with a dictionary. */
  readonly values: number;
  readonly start: number;
  readonly end: number;
  readonly crc: number | null;
}

/**
 * Checks a file whose columns are not nested. A part that this function cannot read, such as an encrypted one, is left to
 * DuckDB.
 *
 * @throws {UnreadableError} when rows would be lost or a checksum is wrong.
 */
export async function checkPages(path: string, name: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    const { bytes, start } = await footerBytes(handle);
    const footer = footerOf(bytes);
    if (footer === null) throw damaged(name, 'its footer cannot be read');
    const ends = new Map<number, number>();
    const fault =
      faultOfRows(footer) ??
      (await faultOfPages(new PageReader(handle), footer, ends)) ??
      (await faultOfFooter(handle, footer, ends, start));
    if (fault !== null) throw damaged(name, fault);
  } finally {
    await handle.close();
  }
}

async function faultOfFooter(
  handle: FileHandle,
  footer: Footer,
  ends: ReadonlyMap<number, number>,
  footerStart: number,
): Promise<string | null> {
  const part = await unlistedPages(handle, footer, ends, footerStart);
  return part && `its footer does not list the rows in its bytes ${part.start} to ${part.end - 1}`;
}

function faultOfRows({ rows, groups }: Footer): string | null {
  const sum = groups.reduce((total, group) => total + group.rows, 0);
  if (sum !== rows) return `it states ${rows} rows, and its row groups have ${sum}`;
  for (const group of groups)
    for (const { column, values } of group.chunks)
      if (values !== group.rows)
        return `a row group states ${group.rows} rows, and its column ${column} has ${values} values`;
  return null;
}

/** The most pages that are checked. A file within the limit of size that has more pages was made to do harm. */
const MOST_PAGES = 500_000;

/** @param ends Receives for each column of a row group: position of its first page → position after its last page. */
async function faultOfPages(
  reader: PageReader,
  { groups }: Footer,
  ends: Map<number, number>,
): Promise<string | null> {
  let pages = 0;
  let right = 0;
  let wrong: string | null = null;
  for (const { column, values, start } of groups.flatMap(({ chunks }) => chunks)) {
    let found = 0;
    for (let at = start; found < values && pages < MOST_PAGES; pages++) {
      const page = await reader.page(at);
      if (page === null) return null;
      found += page.values;
      at = page.end;
      ends.set(start, at);
      if (page.crc === null) continue;
      if ((await reader.crc(page)) === page.crc) right += 1;
      else wrong ??= column;
    }
    if (found > values)
      return `a row group states ${values} rows, and the pages of its column ${column} have ${found} values`;
  }
  // When all checksums seem wrong, the program that wrote them computes them in another way.
  return wrong !== null && right > 0 ? `the checksum of a page of its column ${wrong} is wrong` : null;
}

const TAIL_BYTES = 8;

/** The footer, whose length the last eight bytes of the file state, and its position. */
async function footerBytes(handle: FileHandle): Promise<{ readonly bytes: Buffer; readonly start: number }> {
  const { size } = await handle.stat();
  const tail = await readAt(handle, size - TAIL_BYTES, TAIL_BYTES);
  const length = Math.min(tail.readUInt32LE(0), size - TAIL_BYTES);
  const start = size - TAIL_BYTES - length;
  return { bytes: await readAt(handle, start, length), start };
}

/** How many bytes are read at a time to find headers. They often contain the headers of several pages. */
const WINDOW_BYTES = 64 * 1024;
/** The most bytes that a header is expected to have. Its statistics may have two long texts. */
const HEADER_BYTES = 8 * 1024;

/** Reads pages of a file in order. */
class PageReader {
  readonly #handle: FileHandle;
  #window: Buffer = Buffer.alloc(0);
  /** The position of the window in the file. */
  #start = 0;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** The page whose header is at a position; null when there is none that can be read. */
  async page(at: number): Promise<Page | null> {
    if (!Number.isSafeInteger(at) || at < 0) return null;
    const isIn = at >= this.#start && at + HEADER_BYTES <= this.#start + this.#window.length;
    if (!isIn) {
      this.#window = await readAt(this.#handle, at, WINDOW_BYTES);
      this.#start = at;
    }
    return nullIfCutOff(() => pageOf(this.#window, at - this.#start, this.#start));
  }

  /** The checksum of the data of a page, as a signed number. */
  async crc({ start, end }: Page): Promise<number> {
    let crc = 0;
    for (let at = start; at < end; at += CRC_BYTES) {
      const bytes = await readAt(this.#handle, at, Math.min(CRC_BYTES, end - at));
      if (bytes.length === 0) break;
      crc = crc32(bytes, crc);
    }
    return crc | 0;
  }
}

/** How many bytes of a page are read at a time to compute its checksum. */
const CRC_BYTES = 1024 * 1024;

function pageOf(window: Buffer, at: number, windowStart: number): Page {
  const thrift = new CompactThrift(window, at);
  let values = 0;
  const readHeader = () => {
    values = thrift.struct([1])[1] ?? values;
  };
  // The fields 5 and 8 have the headers of the two versions of data pages.
  const { 3: size = 0, 4: crc = null } = thrift.struct([3, 4], { 5: readHeader, 8: readHeader });
  if (size < 0 || values < 0) throw new RangeError('a page has a negative size');
  const start = windowStart + thrift.at;
  return { values, start, end: start + size, crc };
}
