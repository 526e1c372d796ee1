// Puts parts into a zip file: honestly in any of the forms the format allows, or with forged headers.

import { crc32, deflateRawSync } from 'node:zlib';
import type { Random } from './random.ts';
import type { Part } from './render.ts';

export interface ZipForm {
  /** Extra fields, comments, dates, data descriptors, zip64: as the format allows. */
  readonly odd: Random | null;
  /** One thing that is not so. */
  readonly forge?: Forgery;
}

/** Changes numbers of one part's headers, or of the end of the directory, before they are written. */
export interface Forgery {
  readonly local?: (numbers: Numbers, part: number) => void;
  readonly central?: (numbers: Numbers, part: number) => void;
  readonly end?: (numbers: EndNumbers) => void;
}

export interface Numbers {
  name: Buffer;
  version: number;
  flags: number;
  method: number;
  crc: number;
  packed: number;
  bytes: number;
  headerAt: number;
  extra: Buffer;
}

export interface EndNumbers {
  disk: number;
  countHere: number;
  count: number;
  bytes: number;
  at: number;
  comment: Buffer;
}

/** The bytes of a zip file that holds these parts, in their order. */
export function zipped(parts: readonly Part[], { odd, forge }: ZipForm = { odd: null }): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const [i, part] of parts.entries()) {
    const stored = odd?.chance(0.2) ?? false;
    const long = odd?.chance(0.1) ?? false;
    const streamed = !long && (odd?.chance(0.3) ?? false);
    const data = stored ? part.content : deflateRawSync(part.content, { level: odd?.pick([1, 6, 9]) ?? 1 });
    const truth: Numbers = {
      name: Buffer.from(part.name),
      version: long ? 45 : 20,
      flags: (streamed ? 8 : 0) | 0x800,
      method: stored ? 0 : 8,
      crc: crc32(part.content),
      packed: data.length,
      bytes: part.content.length,
      headerAt: at,
      extra: odd?.chance(0.2) ? UNIX_TIME : Buffer.alloc(0),
    };
    const inLocal = { ...truth };
    if (streamed) Object.assign(inLocal, { crc: 0, packed: 0, bytes: 0 });
    if (long) inLocal.extra = Buffer.concat([inLocal.extra, zip64Field([truth.bytes, truth.packed])]);
    forge?.local?.(inLocal, i);
    const inCentral = { ...truth };
    if (long)
      inCentral.extra = Buffer.concat([
        inCentral.extra,
        zip64Field([truth.bytes, truth.packed, truth.headerAt]),
      ]);
    forge?.central?.(inCentral, i);
    const local = Buffer.concat([
      localHeader(inLocal, long),
      data,
      streamed ? descriptor(truth, odd) : NOTHING,
    ]);
    const comment = odd?.chance(0.1) ? Buffer.from('a comment of a part') : NOTHING;
    entries.push(centralHeader(inCentral, long, comment));
    locals.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(entries);
  const end: EndNumbers = {
    disk: 0,
    countHere: parts.length,
    count: parts.length,
    bytes: directory.length,
    at,
    comment: odd?.chance(0.2)
      ? Buffer.from(odd.pick(['a comment', 'PK', `PK\x05\x06 ${'x'.repeat(300)}`]))
      : NOTHING,
  };
  forge?.end?.(end);
  return Buffer.concat([...locals, directory, ...endRecords(end, odd?.chance(0.15) ?? false)]);
}

const NOTHING = Buffer.alloc(0);
/** An extended timestamp, as Unix programs add it. */
const UNIX_TIME = Buffer.from('55540500030000000000', 'hex').subarray(0, 9);

function zip64Field(sizes: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * sizes.length);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(8 * sizes.length, 2);
  for (const [i, size] of sizes.entries()) field.writeBigUInt64LE(BigInt(size), 4 + 8 * i);
  return field;
}

function localHeader(
  { name, version, flags, method, crc, packed, bytes, extra }: Numbers,
  long: boolean,
): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(version, 4);
  header.writeUInt16LE(flags, 6);
  header.writeUInt16LE(method, 8);
  header.writeUInt32LE(0x21, 10);
  header.writeUInt32LE(crc >>> 0, 14);
  header.writeUInt32LE(long ? 0xffffffff : packed >>> 0, 18);
  header.writeUInt32LE(long ? 0xffffffff : bytes >>> 0, 22);
  header.writeUInt16LE(name.length, 26);
  header.writeUInt16LE(extra.length, 28);
  return Buffer.concat([header, name, extra]);
}

function descriptor({ crc, packed, bytes }: Numbers, odd: Random | null): Buffer {
  const after = Buffer.alloc(16);
  after.writeUInt32LE(0x08074b50, 0);
  after.writeUInt32LE(crc, 4);
  after.writeUInt32LE(packed, 8);
  after.writeUInt32LE(bytes, 12);
  return odd?.chance(0.5) ? after.subarray(4) : after;
}

function centralHeader(
  { name, version, flags, method, crc, packed, bytes, headerAt, extra }: Numbers,
  long: boolean,
  comment: Buffer,
): Buffer {
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(version, 4);
  entry.writeUInt16LE(version, 6);
  entry.writeUInt16LE(flags, 8);
  entry.writeUInt16LE(method, 10);
  entry.writeUInt32LE(0x21, 12);
  entry.writeUInt32LE(crc >>> 0, 16);
  entry.writeUInt32LE(long ? 0xffffffff : packed >>> 0, 20);
  entry.writeUInt32LE(long ? 0xffffffff : bytes >>> 0, 24);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt16LE(extra.length, 30);
  entry.writeUInt16LE(comment.length, 32);
  entry.writeUInt32LE(long ? 0xffffffff : headerAt >>> 0, 42);
  return Buffer.concat([entry, name, extra, comment]);
}

function endRecords({ disk, countHere, count, bytes, at, comment }: EndNumbers, long: boolean): Buffer[] {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(disk & 0xffff, 4);
  end.writeUInt16LE(disk & 0xffff, 6);
  end.writeUInt16LE((long ? 0xffff : countHere) & 0xffff, 8);
  end.writeUInt16LE((long ? 0xffff : count) & 0xffff, 10);
  end.writeUInt32LE(long ? 0xffffffff : bytes >>> 0, 12);
  end.writeUInt32LE(long ? 0xffffffff : at >>> 0, 16);
  end.writeUInt16LE(comment.length, 20);
  if (!long) return [end, comment];
  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(0x06064b50, 0);
  end64.writeBigUInt64LE(44n, 4);
  end64.writeUInt16LE(45, 12);
  end64.writeUInt16LE(45, 14);
  end64.writeBigUInt64LE(BigInt(countHere), 24);
  end64.writeBigUInt64LE(BigInt(count), 32);
  end64.writeBigUInt64LE(BigInt(bytes), 40);
  end64.writeBigUInt64LE(BigInt(at), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(at + bytes), 8);
  locator.writeUInt32LE(1, 16);
  return [end64, locator, end, comment];
}
