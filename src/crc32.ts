// Computes CRC-32 as zip and PNG do. It is used for zip entries, and for the checksum of API keys.

import zlib from 'node:zlib';

type Crc32 = (bytes: Uint8Array, start?: number) => number;

// Node has this function from 20.15 on. The package also runs on earlier versions of Node 20.
const native: Crc32 | undefined = zlib.crc32;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/**
 * The CRC-32 of bytes, as an unsigned number.
 *
 * @param start the CRC-32 of the bytes before these, for data that comes in pieces.
 */
export const crc32ByTable: Crc32 = (bytes, start = 0) => {
  let crc = ~start;
  for (let i = 0; i < bytes.length; i++) {
    crc = (crc >>> 8) ^ (TABLE[(crc ^ (bytes[i] as number)) & 0xff] as number);
  }
  return ~crc >>> 0;
};

/** The CRC-32 of bytes, as `crc32ByTable` gives it. It uses Node's function if there is one, because that is faster. */
export const crc32: Crc32 = native ?? crc32ByTable;
