// Reads the parts of a zip file, and checks that they agree with its directory.

import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { UnreadableError } from '../../../messages/fault.ts';
import { type Place, wholePart } from '../../../messages/place.ts';
import { readAt } from '../readAt.ts';
import { type DirectoryEntry, damagedZip, keyOf, readDirectory, type ZipPart } from './directory.ts';

/** An open zip file, which its caller closes. */
export interface Zip {
  /** The name of the file in messages. */
  readonly name: string;
  /** The part with this name. Upper and lower case are the same, and so are slash and backslash. */
  find(name: string): ZipPart | undefined;
  /** The content in pieces. Its size and checksum are checked after the last piece. */
  read(part: ZipPart): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

/**
 * Opens a zip file and checks its whole directory, so that a zip bomb is refused before anything is unpacked.
 *
 * @param name The name of the file in messages.
 * @param extension The extension of its format, for messages.
 * @throws {UnreadableError} when the file is not a zip file, is cut off, encrypted or damaged, or exceeds LIMITS.
 */
export async function openZip(path: string, name: string, extension = '.xlsx'): Promise<Zip> {
  const handle = await open(path, 'r');
  try {
    const directory = await readDirectory(handle, name, extension);
    return {
      name,
      find: (part) => directory.get(keyOf(part)),
      read: (part) => readPart(handle, name, directory.get(keyOf(part.name)) as DirectoryEntry),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

// The signature and length of a part's own header: APPNOTE.TXT, section 4.3.7.
const LOCAL = { signature: 0x04034b50, bytes: 30 };
const STORED = 0;
const DEFLATED = 8;
const PIECE_BYTES = 256 * 1024;

async function* readPart(handle: FileHandle, name: string, part: DirectoryEntry): AsyncGenerator<Buffer> {
  const place = wholePart(name, part.name);
  const packed = readPacked(handle, await dataStart(handle, place, part), part.packedBytes, place);
  const pieces = part.method === DEFLATED ? inflated(packed, place) : packed;
  let bytes = 0;
  let crc = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > part.bytes) throw damagedZip(place, 'it holds more than it declares');
    crc = crc32(piece, crc);
    yield piece;
  }
  if (bytes < part.bytes) throw damagedZip(place, 'it holds less than it declares');
  if (crc !== part.crc) throw damagedZip(place, 'its checksum is wrong');
}

/** The position of the packed bytes. Throws UnreadableError when the directory and the header of the part disagree. */
async function dataStart(handle: FileHandle, place: Place, part: DirectoryEntry): Promise<number> {
  const header = await readAt(handle, part.headerAt, LOCAL.bytes);
  if (header.length < LOCAL.bytes || header.readUInt32LE(0) !== LOCAL.signature) {
    throw damagedZip(place, 'it is not where the directory says');
  }
  const nameBytes = header.readUInt16LE(26);
  const headerName = await readAt(handle, part.headerAt + LOCAL.bytes, nameBytes);
  if (headerName.toString('utf8') !== part.writtenName || header.readUInt16LE(8) !== part.method) {
    throw damagedZip(place, 'its header and the directory disagree');
  }
  if (part.method !== STORED && part.method !== DEFLATED) {
    throw new UnreadableError({
      place,
      problem: `is packed by a method that spreadsheet programs do not use (${part.method})`,
      remedy: 'save it again',
      kind: 'is packed by a method that spreadsheet programs do not use',
    });
  }
  return part.headerAt + LOCAL.bytes + nameBytes + header.readUInt16LE(28);
}

async function* readPacked(handle: FileHandle, start: number, bytes: number, place: Place) {
  for (let done = 0; done < bytes; ) {
    const piece = await readAt(handle, start + done, Math.min(PIECE_BYTES, bytes - done));
    if (piece.length === 0) throw damagedZip(place, 'the file ends inside it');
    done += piece.length;
    yield piece;
  }
}

async function* inflated(packed: AsyncIterable<Buffer>, place: Place): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: PIECE_BYTES });
  // The loop below gets the errors of the stream, so the callback does nothing.
  pipeline(packed, inflate, () => {});
  try {
    for await (const piece of inflate) yield piece;
  } catch (error) {
    throw error instanceof UnreadableError ? error : damagedZip(place, 'it cannot be unpacked');
  }
}
