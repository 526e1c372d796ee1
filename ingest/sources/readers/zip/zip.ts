// Reads the parts of a zip file. A library for readers: every claim of the directory is checked.

import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { crc32 } from '../../../../src/crc32.ts';
import { type Place, wholeFile, wholePart } from '../../../messages/place.ts';
import { LIMITS, megabytes, OVER_LIMIT } from '../limits.ts';
import { UnreadableError } from '../raw.ts';
import { DAMAGED } from '../xml/damage.ts';

export interface ZipPart {
  readonly name: string;
  /** Unpacked size as the directory declares it. Reading fails when the part has another. */
  readonly bytes: number;
}

export interface Zip {
  /** The part of that name; upper and lower case, slash and backslash are the same. */
  find(name: string): ZipPart | undefined;
  /** The content piece by piece. Size and checksum are checked behind the last piece. */
  read(part: ZipPart): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

/**
 * Opens a zip file and checks its whole directory, so that a bomb is refused before a byte is unpacked.
 *
 * `name` is what messages call the file, `ending` its format. Throws UnreadableError for what is no zip, cut, encrypted, damaged
 * or beyond LIMITS.
 */
export async function openZip(path: string, name: string, ending = '.xlsx'): Promise<Zip> {
  const handle = await open(path, 'r');
  try {
    const directory = await readDirectory(handle, name, ending);
    return {
      find: (part) => directory.get(keyOf(part)),
      read: (part) => readPart(handle, name, directory.get(keyOf(part.name)) as DirectoryEntry),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

interface DirectoryEntry extends ZipPart {
  /** As the file spells it: some writers separate folders by backslashes. */
  readonly writtenName: string;
  readonly method: number;
  readonly packedBytes: number;
  readonly crc: number;
  readonly headerAt: number;
}

// Signatures and lengths of APPNOTE.TXT, sections 4.3.7, 4.3.12, 4.3.14, 4.3.15 and 4.3.16.
const LOCAL = { signature: 0x04034b50, bytes: 30 };
const CENTRAL = { signature: 0x02014b50, bytes: 46 };
const END = { signature: Buffer.from('PK\x05\x06'), bytes: 22 };
const END64 = { signature: 0x06064b50, bytes: 56 };
const LOCATOR64 = { signature: 0x07064b50, bytes: 20 };
const LONGEST_COMMENT = 0xffff;
/** Stands for a number that is in a zip64 field. */
const NOT_HERE = 0xffffffff;
const ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;
const PIECE_BYTES = 256 * 1024;
const OLE2 = Buffer.from('d0cf11e0a1b11ae1', 'hex');

const COPY_AGAIN = 'copy it again from where it came from, or save it again as .xlsx';

/** Part names are equal whatever their case (OPC §6.2.2.3). */
const keyOf = (name: string) => withSlashes(name).replace(/^\//, '').toLowerCase();

const withSlashes = (name: string) => name.replaceAll('\\', '/');

async function readDirectory(
  handle: FileHandle,
  name: string,
  ending: string,
): Promise<Map<string, DirectoryEntry>> {
  const { size } = await handle.stat();
  await refuseOtherFormats(handle, size, name, ending);
  const { count, bytes, at } = await findDirectory(handle, size, name);
  if (count > LIMITS.zipEntries || bytes > LIMITS.zipDirectoryBytes) {
    throw new UnreadableError({
      place: wholeFile(name),
      problem: `holds ${count} parts, more than a workbook may (${LIMITS.zipEntries})`,
      remedy: 'save it again as .xlsx',
      kind: 'holds more parts than a workbook may',
    });
  }
  const directory = parseDirectory(await readAt(handle, at, bytes), count, name);
  refuseBombs(directory, name);
  return directory;
}

async function refuseOtherFormats(
  handle: FileHandle,
  size: number,
  name: string,
  ending: string,
): Promise<void> {
  const place = wholeFile(name);
  if (size === 0) throw new UnreadableError({ place, problem: 'is empty (0 bytes)', remedy: COPY_AGAIN });
  const head = await readAt(handle, 0, 8);
  if (head.equals(OLE2)) {
    throw new UnreadableError({
      place,
      problem: 'is encrypted or an old .xls',
      remedy: 'remove the password, or save it as .xlsx in Excel (File > Save As)',
    });
  }
  if (head.toString('latin1', 0, 2) !== 'PK') {
    throw new UnreadableError({
      place,
      problem: `is not an ${ending} workbook, whatever its name says`,
      remedy: 'open it in a spreadsheet program and save it as .xlsx',
    });
  }
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
  let found = short;
  const locator = end - LOCATOR64.bytes;
  if (locator >= 0 && tail.readUInt32LE(locator) === LOCATOR64.signature) {
    const end64 = await readAt(handle, Number(tail.readBigUInt64LE(locator + 8)), END64.bytes);
    if (end64.length < END64.bytes || end64.readUInt32LE(0) !== END64.signature)
      throw damaged(wholeFile(name));
    found = {
      count: Number(end64.readBigUInt64LE(32)),
      bytes: Number(end64.readBigUInt64LE(40)),
      at: Number(end64.readBigUInt64LE(48)),
    };
    const agree =
      [0xffff, found.count].includes(short.count) &&
      [NOT_HERE, found.bytes].includes(short.bytes) &&
      [NOT_HERE, found.at].includes(short.at);
    if (!agree) throw damaged(wholeFile(name), 'its two directories disagree');
  }
  if (found.at + found.bytes > size) throw damaged(wholeFile(name));
  return found;
}

/**
 * Where the end record stands: the one whose comment reaches to the end of the file. A comment may contain another
 * end record, and programs differ in which of the two they take, so that is an error. Some files have extra bytes
 * behind their end.
 */
function findEnd(tail: Buffer, name: string): number {
  const found: number[] = [];
  for (let at = tail.length - END.bytes; at >= 0; at--) {
    at = tail.lastIndexOf(END.signature, at);
    if (at < 0) break;
    found.push(at);
  }
  const whole = found.filter((at) => at + END.bytes + tail.readUInt16LE(at + 20) === tail.length);
  if (whole.length > 1) throw damaged(wholeFile(name), 'it has two directories');
  const end = whole[0] ?? found[0];
  if (end !== undefined) return end;
  throw new UnreadableError({
    place: wholeFile(name),
    problem: 'is cut off, its end is missing',
    remedy: COPY_AGAIN,
  });
}

function parseDirectory(bytes: Buffer, count: number, name: string): Map<string, DirectoryEntry> {
  const directory = new Map<string, DirectoryEntry>();
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + CENTRAL.bytes > bytes.length || bytes.readUInt32LE(at) !== CENTRAL.signature)
      throw damaged(wholeFile(name));
    const nameEnd = at + CENTRAL.bytes + bytes.readUInt16LE(at + 28);
    const extraEnd = nameEnd + bytes.readUInt16LE(at + 30);
    const next = extraEnd + bytes.readUInt16LE(at + 32);
    if (next > bytes.length) throw damaged(wholeFile(name));
    const writtenName = bytes.toString('utf8', at + CENTRAL.bytes, nameEnd);
    const partName = withSlashes(writtenName);
    const long = longSizes(bytes.subarray(nameEnd, extraEnd), name);
    const entry: DirectoryEntry = {
      name: partName,
      writtenName,
      method: bytes.readUInt16LE(at + 10),
      crc: bytes.readUInt32LE(at + 16),
      // A zip64 field holds the numbers that do not fit, in this order.
      bytes: long(bytes.readUInt32LE(at + 24)),
      packedBytes: long(bytes.readUInt32LE(at + 20)),
      headerAt: long(bytes.readUInt32LE(at + 42)),
    };
    if (bytes.readUInt16LE(at + 8) & ENCRYPTED) {
      throw new UnreadableError({
        place: wholeFile(name),
        problem: 'is encrypted',
        remedy: 'remove the password and save it as .xlsx',
      });
    }
    if (directory.has(keyOf(partName))) {
      throw new UnreadableError({
        place: wholeFile(name),
        problem: `holds the part ${partName} twice, so it is unclear which one counts`,
        remedy: 'save it again as .xlsx',
        kind: 'holds a part twice',
      });
    }
    if (!partName.endsWith('/')) directory.set(keyOf(partName), entry);
    at = next;
  }
  if (at !== bytes.length) throw damaged(wholeFile(name), 'its directory holds more parts than it declares');
  return directory;
}

/** Gives a value itself or, where it stands in the zip64 field, the next value of that field. */
function longSizes(extra: Buffer, name: string): (value: number) => number {
  let at = 0;
  while (at + 4 <= extra.length && extra.readUInt16LE(at) !== 1) at += 4 + extra.readUInt16LE(at + 2);
  at += 4;
  return (value) => {
    if (value !== NOT_HERE) return value;
    if (at + 8 > extra.length) throw damaged(wholeFile(name));
    at += 8;
    return Number(extra.readBigUInt64LE(at - 8));
  };
}

function refuseBombs(directory: ReadonlyMap<string, DirectoryEntry>, name: string): void {
  let total = 0;
  for (const part of directory.values()) {
    total += part.bytes;
    if (part.bytes > LIMITS.unpackFreelyBytes && part.bytes > part.packedBytes * LIMITS.unpackRatio) {
      throw new UnreadableError({
        place: wholeFile(name),
        problem:
          `its part ${part.name} would unpack to more than ${LIMITS.unpackRatio} times its size ` +
          `(${megabytes(part.bytes)}), as a zip bomb does`,
        remedy: 'save it again as .xlsx with only the cells in use',
        kind: 'would unpack as a zip bomb does',
      });
    }
  }
  if (total > LIMITS.unpackedBytes) {
    throw new UnreadableError({
      place: wholeFile(name),
      problem: `would unpack to ${megabytes(total)}, and ${megabytes(LIMITS.unpackedBytes)} are the limit`,
      remedy: 'split it',
      kind: OVER_LIMIT,
    });
  }
}

async function* readPart(handle: FileHandle, name: string, part: DirectoryEntry): AsyncGenerator<Buffer> {
  const place = wholePart(name, part.name);
  const packed = readPacked(handle, await dataStart(handle, place, part), part.packedBytes, place);
  const pieces = part.method === DEFLATED ? inflated(packed, place) : packed;
  let bytes = 0;
  let crc = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > part.bytes) throw damaged(place, 'it holds more than it declares');
    crc = crc32(piece, crc);
    yield piece;
  }
  if (bytes < part.bytes) throw damaged(place, 'it holds less than it declares');
  if (crc !== part.crc) throw damaged(place, 'its checksum is wrong');
}

/** Where the packed bytes begin. Throws UnreadableError when the directory and the part's own header disagree. */
async function dataStart(handle: FileHandle, place: Place, part: DirectoryEntry): Promise<number> {
  const header = await readAt(handle, part.headerAt, LOCAL.bytes);
  if (header.length < LOCAL.bytes || header.readUInt32LE(0) !== LOCAL.signature) {
    throw damaged(place, 'it is not where the directory says');
  }
  const nameBytes = header.readUInt16LE(26);
  const own = await readAt(handle, part.headerAt + LOCAL.bytes, nameBytes);
  if (own.toString('utf8') !== part.writtenName || header.readUInt16LE(8) !== part.method) {
    throw damaged(place, 'its header and the directory disagree');
  }
  if (part.method !== STORED && part.method !== DEFLATED) {
    throw new UnreadableError({
      place,
      problem: `is packed by a method no .xlsx uses (${part.method})`,
      remedy: 'save it again',
      kind: 'is packed by a method no .xlsx uses',
    });
  }
  return part.headerAt + LOCAL.bytes + nameBytes + header.readUInt16LE(28);
}

async function* readPacked(handle: FileHandle, start: number, bytes: number, place: Place) {
  for (let done = 0; done < bytes; ) {
    const piece = await readAt(handle, start + done, Math.min(PIECE_BYTES, bytes - done));
    if (piece.length === 0) throw damaged(place, 'the file ends inside it');
    done += piece.length;
    yield piece;
  }
}

async function* inflated(packed: AsyncIterable<Buffer>, place: Place): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: PIECE_BYTES });
  // The loop below receives errors from the stream, so the callback has nothing to do.
  pipeline(packed, inflate, () => {});
  try {
    for await (const piece of inflate) yield piece;
  } catch (error) {
    throw error instanceof UnreadableError ? error : damaged(place, 'it cannot be unpacked');
  }
}

/** Up to that many bytes: fewer where the file ends, none where a forged position lies beyond any file. */
async function readAt(handle: FileHandle, at: number, bytes: number): Promise<Buffer> {
  if (!Number.isSafeInteger(at)) return Buffer.alloc(0);
  const buffer = Buffer.allocUnsafe(bytes);
  let done = 0;
  while (done < bytes) {
    const { bytesRead } = await handle.read(buffer, done, bytes - done, at + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return buffer.subarray(0, done);
}

const damaged = (place: Place, how = 'its directory cannot be read') =>
  new UnreadableError({ place, problem: `is damaged (${how})`, remedy: COPY_AGAIN, kind: DAMAGED });
