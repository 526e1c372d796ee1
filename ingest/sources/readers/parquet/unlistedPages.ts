// Finds pages that the footer of a Parquet file does not list.
//
// A program that lost a row group from the footer leaves its pages in the file, and readers do not see its rows.

import type { FileHandle } from 'node:fs/promises';
import { readAt } from '../readAt.ts';
import { CompactThrift, INT32, STRUCT } from './compactThrift.ts';
import { type Footer, nullIfCutOff, type Part } from './footer.ts';

/**
 * The first part of the file with a page of data that the footer does not list; null when there is none.
 *
 * @param ends For each column of a row group: position of its first page → position after its last page.
 * @param footerStart The position of the footer.
 */
export async function unlistedPages(
  handle: FileHandle,
  { groups, partsWithoutPages }: Footer,
  ends: ReadonlyMap<number, number>,
  footerStart: number,
): Promise<Part | null> {
  const listed = groups
    .flatMap(({ chunks }) => chunks)
    .map(({ start, bytes }) => ({ start, end: Math.max(start + bytes, ends.get(start) ?? 0) }));
  for (const gap of gapsBetween([...listed, ...partsWithoutPages], footerStart))
    if (await holdsPage(handle, gap)) return gap;
  return null;
}

/** The gaps between the parts, from the end of the magic number to the footer. */
function gapsBetween(parts: readonly Part[], footerStart: number): readonly Part[] {
  const gaps: Part[] = [];
  let end = MAGIC_BYTES;
  for (const part of [...parts, { start: footerStart, end: footerStart }].sort((a, b) => a.start - b.start)) {
    if (part.start - end >= SMALLEST_PAGE) gaps.push({ start: end, end: part.start });
    end = Math.max(end, part.end);
  }
  return gaps;
}

const MAGIC_BYTES = 4;

/** The fewest bytes of a data page with its header. */
const SMALLEST_PAGE = 16;

/**
 * How many bytes of a gap are read. They hold the header of its first page, even behind a copy of a column's description.
 */
const HEAD_BYTES = 16 * 1024;

/** The most structs before the first page that are skipped, such as descriptions of columns and indexes. */
const MOST_SKIPPED = 1_000;

/** Whether a page of data begins in a gap, at its start or behind structs such as copies of a column's description. */
async function holdsPage(handle: FileHandle, gap: Part): Promise<boolean> {
  const bytes = await readAt(handle, gap.start, Math.min(HEAD_BYTES, gap.end - gap.start));
  let at = 0;
  for (let skipped = 0; skipped < MOST_SKIPPED && at < bytes.length; skipped++) {
    const page = nullIfCutOff(() => pageAt(bytes, at));
    if (page !== null && gap.start + page.end <= gap.end && page.holdsRows) return true;
    // A page with a dictionary that is not listed is no fault, because it has no rows.
    const next = page?.end ?? nullIfCutOff(() => endOfStruct(bytes, at));
    if (next === null) return false;
    at = next;
  }
  return false;
}

/** Where the struct at a position ends. */
function endOfStruct(bytes: Buffer, at: number): number {
  const thrift = new CompactThrift(bytes, at);
  thrift.struct();
  return thrift.at;
}

interface PageAt {
  readonly holdsRows: boolean;
  readonly end: number;
}

/**
 * The page at a position of `bytes`.
 *
 * @throws {RangeError} when there is none: a page has a kind, two sizes, and a header of that kind.
 */
function pageAt(bytes: Buffer, at: number): PageAt {
  const thrift = new CompactThrift(bytes, at);
  const fields = new Map<number, number>();
  const int = (field: number) => (type: number) => {
    if (type !== INT32) throw new RangeError('a page begins with integers');
    fields.set(field, thrift.int());
  };
  const header = (field: number) => (type: number) => {
    if (type !== STRUCT) throw new RangeError('the header of a page is a struct');
    const { 1: values } = thrift.struct([1]);
    if (values !== undefined) fields.set(field, values);
  };
  thrift.struct([], { 1: int(1), 2: int(2), 3: int(3), 5: header(5), 7: header(7), 8: header(8) });
  const kind = fields.get(1) ?? -1;
  const [whole = -1, stored = -1, values = 0] = [2, 3, HEADER_OF[kind] ?? 0].map((field) =>
    fields.get(field),
  );
  const isPage = HEADER_OF[kind] !== undefined && fields.has(HEADER_OF[kind]) && whole >= 0 && stored >= 0;
  if (!isPage || values < 0) throw new RangeError('no page');
  return { holdsRows: kind !== DICTIONARY && values > 0, end: thrift.at + stored };
}

/** The Thrift field that holds the header of each kind of page. */
const HEADER_OF: Readonly<Record<number, number>> = { 0: 5, 2: 7, 3: 8 };

const DICTIONARY = 2;
