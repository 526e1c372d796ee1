// Makes zip files that are wrong on purpose, and workbooks with parts written by hand.

import { crc32, deflateRawSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { workbook } from '../../ingest/sample/workbook.ts';

export interface PartInput {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Whether it is stored without compression. */
  readonly stored?: boolean;
  /** False facts for the directory. */
  readonly claims?: Partial<
    Record<'method' | 'flags' | 'crc' | 'bytes' | 'packedBytes' | 'headerAt', number>
  >;
  /** Another name for the part's own header. */
  readonly localName?: string;
}

/** A zip file of these parts; `long` writes sizes and offsets as zip64 does. */
export function zipOf(parts: readonly PartInput[], { long = false } = {}): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const part of parts) {
    const content = Buffer.from(part.content);
    const packed = part.stored ? content : deflateRawSync(content);
    const truth = {
      method: part.stored ? 0 : 8,
      flags: 0,
      crc: crc32(content),
      bytes: content.length,
      packedBytes: packed.length,
      headerAt: at,
    };
    const local = Buffer.concat([localHeader(part.localName ?? part.name, truth), packed]);
    directory.push(directoryEntry(part.name, { ...truth, ...part.claims }, long));
    locals.push(local);
    at += local.length;
  }
  const entries = Buffer.concat(directory);
  return Buffer.concat([...locals, entries, ...endOf(parts.length, entries.length, at, long)]);
}

/** The name of the part that holds the only sheet of `workbookWith`. */
export const SHEET_PART = 'xl/worksheets/sheet1.xml';

const PLAIN = unzipSync(workbook([{ name: 'Data', rows: [['a', 'b']] }], { level: 0 }));

/** A workbook whose parts of these names are replaced, added, or with `null` left out. */
export function workbookWith(
  parts: Readonly<Record<string, string | Uint8Array | null>>,
  original?: Uint8Array,
): Buffer {
  const unchanged = original === undefined ? PLAIN : unzipSync(original);
  const all: Record<string, string | Uint8Array | null> = { ...unchanged, ...parts };
  return zipOf(
    Object.entries(all).flatMap(([name, content]) => (content === null ? [] : [{ name, content }])),
  );
}

/** A workbook whose only sheet has these rows, written as XML. */
export const workbookOfXml = (rows: string): Buffer =>
  workbookWith({
    [SHEET_PART]: `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`,
  });

type Numbers = Required<NonNullable<PartInput['claims']>>;

function localHeader(name: string, { method, flags, crc, bytes, packedBytes }: Numbers): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(flags, 6);
  header.writeUInt16LE(method, 8);
  header.writeUInt32LE(crc, 14);
  header.writeUInt32LE(packedBytes, 18);
  header.writeUInt32LE(bytes, 22);
  header.writeUInt16LE(Buffer.byteLength(name), 26);
  return Buffer.concat([header, Buffer.from(name)]);
}

function directoryEntry(name: string, numbers: Numbers, long: boolean): Buffer {
  const { method, flags, crc, bytes, packedBytes, headerAt } = numbers;
  const sizes = [bytes, packedBytes, headerAt];
  const extra = Buffer.alloc(long ? 28 : 0);
  if (long) {
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(24, 2);
    for (const [i, size] of sizes.entries()) extra.writeBigUInt64LE(BigInt(size), 4 + 8 * i);
  }
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(flags, 8);
  entry.writeUInt16LE(method, 10);
  entry.writeUInt32LE(crc, 16);
  for (const [i, place] of [24, 20, 42].entries()) {
    entry.writeUInt32LE(long ? 0xffffffff : (sizes[i] ?? 0), place);
  }
  entry.writeUInt16LE(Buffer.byteLength(name), 28);
  entry.writeUInt16LE(extra.length, 30);
  return Buffer.concat([entry, Buffer.from(name), extra]);
}

function endOf(count: number, bytes: number, at: number, long: boolean): Buffer[] {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(long ? 0xffff : count, 10);
  end.writeUInt32LE(long ? 0xffffffff : bytes, 12);
  end.writeUInt32LE(long ? 0xffffffff : at, 16);
  if (!long) return [end];
  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(0x06064b50, 0);
  end64.writeBigUInt64LE(44n, 4);
  end64.writeBigUInt64LE(BigInt(count), 32);
  end64.writeBigUInt64LE(BigInt(bytes), 40);
  end64.writeBigUInt64LE(BigInt(at), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(at + bytes), 8);
  return [end64, locator, end];
}
