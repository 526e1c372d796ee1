// Reads and checks the directory of a zip file: which parts it holds, and where.

import type { FileHandle } from 'node:fs/promises';
import { UnreadableError, unreadableFile } from '../../../messages/fault.ts';
import { count as grouped } from '../../../messages/numbers.ts';
import { type Place, wholeFile } from '../../../messages/place.ts';
import { readAt } from '../readAt.ts';
import { LIMITS, megabytes, OVER_LIMIT } from '../sourceLimits.ts';
import { DAMAGED } from '../xml/damage.ts';

/** A file inside of a zip file. */
export interface ZipPart {
  readonly name: string;
  /** The unpacked size that the directory declares. Reading a part of another size fails. */
  readonly bytes: number;
}

/** A part as the directory describes it. */
export interface DirectoryEntry extends ZipPart {
  /** The name as it is written in the file. Some programs separate folders by backslashes. */
  readonly writtenName: string;
  readonly method: number;
  readonly packedBytes: number;
  readonly crc: number;
  readonly headerAt: number;
}

/**
 * The parts of a zip file by name.
 *
 * @throws {UnreadableError} when the file is not a zip file, is cut off, encrypted or damaged, or exceeds LIMITS.
 */
export async function readDirectory(
  handle: FileHandle,
  name: string,
  extension: string,
): Promise<Map<string, DirectoryEntry>> {
  const { size } = await handle.stat();
  await refuseOtherFormats(handle, size, name, extension);
  const { count, bytes, at } = await findDirectory(handle, size, name);
  if (count > LIMITS.zipEntries || bytes > LIMITS.zipDirectoryBytes) {
    const problem = `holds ${grouped(count)} parts, more than a workbook may (${grouped(LIMITS.zipEntries)})`;
    throw unreadableFile(name, problem, 'save it again as .xlsx', 'holds more parts than a workbook may');
  }
  const directory = parseDirectory(await readAt(handle, at, bytes), count, name);
  refuseBombs(directory, name);
  return directory;
}

async function refuseOtherFormats(
  handle: FileHandle,
  size: number,
  name: string,
  extension: string,
): Promise<void> {
  if (size === 0) throw unreadableFile(name, 'is empty (0 bytes)', COPY_AGAIN);
  const head = await readAt(handle, 0, 8);
  if (head.equals(OLE2))
    throw unreadableFile(
      name,
      'is encrypted or an old .xls',
      'remove the password, or save it as .xlsx in Excel (File > Save As)',
    );
  if (head.toString('latin1', 0, 2) !== 'PK')
    throw unreadableFile(
      name,
      `is not an ${extension} workbook, whatever its name says`,
      'open it in a spreadsheet program and save it as .xlsx',
    );
}

async function findDirectory(
  handle: FileHandle,
  size: number,
  name: string,
): Promise<{ count: number; bytes: number; at: number }> {
  const tailBytes = Math.min(size, END.bytes + LONGEST_COMMENT);
  const tail = await readAt(handle, size - tailBytes, tailBytes);
  const end = findEnd(tail, name);
  const short = {
    count: tail.readUInt16LE(end + 10),
    bytes: tail.readUInt32LE(end + 12),
    at: tail.readUInt32LE(end + 16),
  };
  let record = short;
  const locator = end - LOCATOR64.bytes;
  if (locator >= 0 && tail.readUInt32LE(locator) === LOCATOR64.signature) {
    const end64 = await readAt(handle, Number(tail.readBigUInt64LE(locator + 8)), END64.bytes);
    if (end64.length < END64.bytes || end64.readUInt32LE(0) !== END64.signature)
      throw damagedZip(wholeFile(name));
    record = {
      count: Number(end64.readBigUInt64LE(32)),
      bytes: Number(end64.readBigUInt64LE(40)),
      at: Number(end64.readBigUInt64LE(48)),
    };
    const agree =
      [0xffff, record.count].includes(short.count) &&
      [NOT_HERE, record.bytes].includes(short.bytes) &&
      [NOT_HERE, record.at].includes(short.at);
    if (!agree) throw damagedZip(wholeFile(name), 'its two directories disagree');
  }
  if (record.at + record.bytes > size) throw damagedZip(wholeFile(name));
  return record;
}

/**
 * The position of the end record, whose comment reaches to the end of the file. When extra bytes follow the comment of
 * every end record, the last end record counts.
 *
 * Two records whose comments reach to the end are an error, because programs differ in which of the two they use.
 */
function findEnd(tail: Buffer, name: string): number {
  const found: number[] = [];
  for (let at = tail.length - END.bytes; at >= 0; at--) {
    at = tail.lastIndexOf(END.signature, at);
    if (at < 0) break;
    found.push(at);
  }
  const whole = found.filter((at) => at + END.bytes + tail.readUInt16LE(at + 20) === tail.length);
  if (whole.length > 1) throw damagedZip(wholeFile(name), 'it has two directories');
  const end = whole[0] ?? found[0];
  if (end !== undefined) return end;
  throw unreadableFile(name, 'is cut off: its end is missing', COPY_AGAIN);
}

function parseDirectory(bytes: Buffer, count: number, name: string): Map<string, DirectoryEntry> {
  const directory = new Map<string, DirectoryEntry>();
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + CENTRAL.bytes > bytes.length || bytes.readUInt32LE(at) !== CENTRAL.signature)
      throw damagedZip(wholeFile(name));
    const nameEnd = at + CENTRAL.bytes + bytes.readUInt16LE(at + 28);
    const extraEnd = nameEnd + bytes.readUInt16LE(at + 30);
    const next = extraEnd + bytes.readUInt16LE(at + 32);
    if (next > bytes.length) throw damagedZip(wholeFile(name));
    const entry = entryAt(bytes, at, { nameEnd, extraEnd }, name);
    const partName = entry.name;
    if (bytes.readUInt16LE(at + 8) & ENCRYPTED)
      throw unreadableFile(name, 'is encrypted', 'remove the password and save it as .xlsx');
    if (directory.has(keyOf(partName))) {
      const problem = `holds the part ${partName} twice, so it is unclear which one counts`;
      throw unreadableFile(name, problem, 'save it again as .xlsx', 'holds a part twice');
    }
    if (!partName.endsWith('/')) directory.set(keyOf(partName), entry);
    at = next;
  }
  if (at !== bytes.length)
    throw damagedZip(wholeFile(name), 'its directory holds more parts than it declares');
  return directory;
}

/**
 * The entry that begins at `at`. Its name and then its extra field follow its header, and end at `nameEnd` and `extraEnd`.
 */
function entryAt(
  bytes: Buffer,
  at: number,
  { nameEnd, extraEnd }: { readonly nameEnd: number; readonly extraEnd: number },
  file: string,
): DirectoryEntry {
  const writtenName = bytes.toString('utf8', at + CENTRAL.bytes, nameEnd);
  const long = longSizes(bytes.subarray(nameEnd, extraEnd), file);
  return {
    name: withSlashes(writtenName),
    writtenName,
    method: bytes.readUInt16LE(at + 10),
    crc: bytes.readUInt32LE(at + 16),
    // A zip64 field has the numbers that do not fit here, in this order.
    bytes: long(bytes.readUInt32LE(at + 24)),
    packedBytes: long(bytes.readUInt32LE(at + 20)),
    headerAt: long(bytes.readUInt32LE(at + 42)),
  };
}

/** A function that returns the given value, or the next value of the zip64 field when the given value is NOT_HERE. */
function longSizes(extra: Buffer, name: string): (value: number) => number {
  let at = 0;
  while (at + 4 <= extra.length && extra.readUInt16LE(at) !== 1) at += 4 + extra.readUInt16LE(at + 2);
  at += 4;
  return (value) => {
    if (value !== NOT_HERE) return value;
    if (at + 8 > extra.length) throw damagedZip(wholeFile(name));
    at += 8;
    return Number(extra.readBigUInt64LE(at - 8));
  };
}

function refuseBombs(directory: ReadonlyMap<string, DirectoryEntry>, name: string): void {
  let total = 0;
  for (const part of directory.values()) {
    total += part.bytes;
    if (part.bytes > LIMITS.unpackFreelyBytes && part.bytes > part.packedBytes * LIMITS.unpackRatio) {
      throw unreadableFile(
        name,
        `its part ${part.name} would unpack to more than ${LIMITS.unpackRatio} times its size (${megabytes(part.bytes)}), as a zip bomb does`,
        'save it again as .xlsx with only the cells in use',
        'would unpack as a zip bomb does',
      );
    }
  }
  if (total <= LIMITS.unpackedBytes) return;
  const problem = `would unpack to ${megabytes(total)}, more than the limit of ${megabytes(LIMITS.unpackedBytes)}`;
  throw unreadableFile(name, problem, 'split it', OVER_LIMIT);
}

/**
 * The error for a damaged zip file.
 *
 * @param damage The damage in words, which the message has in brackets after "is damaged".
 */
export const damagedZip = (place: Place, damage = 'its directory cannot be read') =>
  new UnreadableError({ place, problem: `is damaged (${damage})`, remedy: COPY_AGAIN, kind: DAMAGED });

const COPY_AGAIN = 'copy it again from where it came from, or save it again as .xlsx';

/** The key of a part. Names that differ only in case are the same (OPC §6.2.2.3). */
export const keyOf = (name: string) => withSlashes(name).replace(/^\//, '').toLowerCase();

const withSlashes = (name: string) => name.replaceAll('\\', '/');

// Signatures and lengths from APPNOTE.TXT, sections 4.3.12, 4.3.14, 4.3.15 and 4.3.16.
const CENTRAL = { signature: 0x02014b50, bytes: 46 };
const END = { signature: Buffer.from('PK\x05\x06'), bytes: 22 };
const END64 = { signature: 0x06064b50, bytes: 56 };
const LOCATOR64 = { signature: 0x07064b50, bytes: 20 };
const LONGEST_COMMENT = 0xffff;
/** Stands in place of a number that is in the zip64 field. */
const NOT_HERE = 0xffffffff;
const ENCRYPTED = 1;
const OLE2 = Buffer.from('d0cf11e0a1b11ae1', 'hex');
