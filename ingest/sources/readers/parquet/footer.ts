// Reads from the footer of a Parquet file the numbers of its rows and the positions of its parts.
//
// The field numbers in this file are those of parquet.thrift.

import { CompactThrift } from './compactThrift.ts';

/** The column of a row group, as the footer describes it. */
export interface Chunk {
  readonly column: string;
  /** How many values its pages have, including empty ones. */
  readonly values: number;
  /** The position of its first page in the file. */
  readonly start: number;
  /** The size of its pages with their headers. */
  readonly bytes: number;
}

/** A part of the file, from the position of its first byte to the position after its last. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

interface RowGroup {
  readonly rows: number;
  readonly chunks: readonly Chunk[];
}

/** The content of a footer, as far as checks need it. */
export interface Footer {
  readonly rows: number;
  readonly groups: readonly RowGroup[];
  /** The parts that hold no pages: indexes of pages, and bloom filters. */
  readonly partsWithoutPages: readonly Part[];
}

/** The content of a footer; null when it cannot be read. */
export function footerOf(bytes: Buffer): Footer | null {
  return nullIfCutOff(() => {
    const thrift = new CompactThrift(bytes);
    const groups: RowGroup[] = [];
    const partsWithoutPages: Part[] = [];
    const { 3: rows = 0 } = thrift.struct([3], {
      4: () => thrift.list(() => groups.push(rowGroupOf(thrift, partsWithoutPages))),
    });
    return { rows, groups, partsWithoutPages };
  });
}

function rowGroupOf(thrift: CompactThrift, partsWithoutPages: Part[]): RowGroup {
  const chunks: Chunk[] = [];
  const { 3: rows = 0 } = thrift.struct([3], {
    1: () => thrift.list(() => columnOf(thrift, chunks, partsWithoutPages)),
  });
  return { rows, chunks };
}

function columnOf(thrift: CompactThrift, chunks: Chunk[], partsWithoutPages: Part[]): void {
  const fields = thrift.struct([4, 5, 6, 7], { 3: () => chunks.push(chunkOf(thrift, partsWithoutPages)) });
  partsWithoutPages.push(partOf(fields[4], fields[5]), partOf(fields[6], fields[7]));
}

function chunkOf(thrift: CompactThrift, partsWithoutPages: Part[]): Chunk {
  const names: string[] = [];
  const fields = thrift.struct([5, 7, 9, 11, 14, 15], {
    3: () => thrift.list(() => names.push(thrift.text())),
  });
  partsWithoutPages.push(partOf(fields[14], fields[15]));
  const { 5: values = 0, 7: bytes = 0, 9: data = 0, 11: dictionary = 0 } = fields;
  // Some programs write 0 where there is no dictionary.
  const start = dictionary > 0 && dictionary < data ? dictionary : data;
  return { column: names.join('.'), values, start, bytes };
}

/** The part of `length` bytes that begins at `start`. A number that the footer lacks is 0. */
const partOf = (start = 0, length = 0): Part => ({ start, end: start + length });

/** The result of `read`; null when it comes to the end of the bytes or to an unknown type. */
export function nullIfCutOff<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
