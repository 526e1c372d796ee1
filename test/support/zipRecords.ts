// The records of a zip file: the headers of a part, and the end of the directory. Tests may write false values into them.

/** The values in the headers of a part. */
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

/** The values in the end of the directory. */
export interface EndNumbers {
  disk: number;
  countHere: number;
  count: number;
  bytes: number;
  at: number;
  comment: Buffer;
}

/** The zip64 field, for sizes and offsets that do not fit into a header. */
export function zip64Field(sizes: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * sizes.length);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(8 * sizes.length, 2);
  for (const [i, size] of sizes.entries()) field.writeBigUInt64LE(BigInt(size), 4 + 8 * i);
  return field;
}

/** The header before a part. `long` leaves its sizes to a zip64 field. */
export function localHeader(
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

/** The entry of a part in the directory. `long` leaves its sizes and its offset to a zip64 field. */
export function centralHeader(
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

/** The end of the directory; `long` adds that of zip64. */
export function endRecords(
  { disk, countHere, count, bytes, at, comment }: EndNumbers,
  long: boolean,
): Buffer[] {
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
