// Zip files are read correctly or refused, whichever byte is wrong.

import { describe, expect, it } from '@jest/globals';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { openZip } from '../../../../../ingest/sources/readers/zip/zip.ts';
import { isDeep } from '../../../../support/depth.ts';
import { type PartInput, zipOf } from '../../../../support/handmadeZip.ts';
import { dataSheet, rowsOf, withFile } from '../../../../support/sourceFile.ts';

const MB = 1024 * 1024;
const TEXT = 'Malta '.repeat(1000);

/** The text of the part, or the message of the error. */
async function read(bytes: Uint8Array, name = 'part.xml'): Promise<string> {
  return withFile('a.xlsx', bytes, async (path) => {
    try {
      const zip = await openZip(path, 'a.xlsx');
      try {
        const part = zip.find(name);
        if (!part) return 'not found';
        const pieces: Buffer[] = [];
        for await (const piece of zip.read(part)) pieces.push(piece);
        return Buffer.concat(pieces).toString();
      } finally {
        await zip.close();
      }
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'UnreadableError') throw error;
      return error.message;
    }
  });
}

const zipWith = (part: Partial<PartInput>) => zipOf([{ name: 'part.xml', content: TEXT, ...part }]);

describe('a zip file', () => {
  it('gives its parts, packed or stored, long or empty, from zip64 too', async () => {
    expect(await read(zipWith({}))).toBe(TEXT);
    expect(await read(zipWith({ stored: true }))).toBe(TEXT);
    expect(await read(zipWith({ content: '' }))).toBe('');
    expect(await read(zipOf([{ name: 'part.xml', content: TEXT }], { long: true }))).toBe(TEXT);
  });

  it('is read with what other writers make of it: data descriptors, a comment, folders', async () => {
    expect(await read(zipSync({ 'part.xml': strToU8(TEXT), 'folder/': new Uint8Array() }))).toBe(TEXT);
    const commented = Buffer.concat([zipWith({}), Buffer.from('a comment')]);
    commented.writeUInt16LE(9, commented.length - 11);
    expect(await read(commented)).toBe(TEXT);
    expect(Object.keys(unzipSync(dataSheet([['a']])))).toContain('[Content_Types].xml');
  });

  it('finds parts whatever their case and slashes', async () => {
    const bytes = zipOf([{ name: 'XL\\SharedStrings.xml', content: TEXT }]);
    expect(await read(bytes, '/xl/sharedStrings.xml')).toBe(TEXT);
    expect(await read(bytes, 'sharedStrings.xml')).toBe('not found');
  });

  it('is refused when it is not a zip file', async () => {
    expect(await read(Buffer.alloc(0))).toMatch(/^a\.xlsx: is empty \(0 bytes\); copy it again/);
    expect(await read(Buffer.from('year,country\n'))).toMatch(
      /^a\.xlsx: is not an \.xlsx workbook, whatever its name says; /,
    );
    expect(await read(Buffer.from('P'))).toMatch(/is not an \.xlsx workbook/);
    expect(await read(Buffer.from('d0cf11e0a1b11ae1', 'hex'))).toBe(
      'a.xlsx: is encrypted or an old .xls; remove the password, or save it as .xlsx in Excel (File > Save As)',
    );
    expect(await read(zipWith({ claims: { flags: 1 } }))).toMatch(
      /^a\.xlsx: is encrypted; remove the password/,
    );
  });

  it('is refused wherever it is cut', async () => {
    const whole = Buffer.from(
      dataSheet([
        ['year', 'country'],
        [2020, 'Malta'],
      ]),
    );
    for (let length = 4; length < whole.length; length += 29) {
      await expect(rowsOf('a.xlsx', whole.subarray(0, length))).rejects.toMatchObject({
        name: 'UnreadableError',
      });
    }
  });

  it('is read right or refused, whichever bit is wrong', async () => {
    const whole = Buffer.from(
      dataSheet([
        ['year', 'country'],
        [2020, 'Malta'],
      ]),
    );
    const right = JSON.stringify(await rowsOf('a.xlsx', whole));
    for (let at = 0; at < whole.length; at += isDeep ? 17 : 131) {
      const flipped = Buffer.from(whole);
      flipped[at] = (flipped[at] as number) ^ (1 << (at % 8));
      const outcome = await rowsOf('a.xlsx', flipped).then(
        (rows) => JSON.stringify(rows),
        (error: Error) => error.name,
      );
      expect([right, 'UnreadableError']).toContain(outcome);
    }
  });

  it.each([
    ['more than it declares', { bytes: 100 }, 'holds more than it declares'],
    ['less than it declares', { bytes: 7000 }, 'holds less than it declares'],
    ['a wrong checksum', { crc: 1 }, 'its checksum is wrong'],
    ['too few packed bytes', { packed: 20 }, 'it cannot be unpacked'],
    ['packed bytes beyond the end', { packed: 10 ** 9, method: 8 }, 'is damaged'],
    ['a method of its own', { method: 0 }, 'its header and the directory disagree'],
    ['a place where no part is', { headerAt: 5 }, 'is damaged'],
    ['a place beyond the file', { headerAt: 10 ** 9 }, 'is damaged'],
  ])('is refused when a part has %s', async (_, claims, message) => {
    expect(await read(zipWith({ claims, stored: message === 'is damaged' && 'method' in claims }))).toContain(
      message,
    );
  });

  it('is refused when a part is called something else in its own header, or packed in an unknown way', async () => {
    expect(await read(zipWith({ localName: 'trap.xml' }))).toContain('its header and the directory disagree');
    const lzma = zipWith({});
    lzma.writeUInt16LE(14, 8);
    lzma.writeUInt16LE(14, lzma.readUInt32LE(lzma.length - 6) + 10);
    expect(await read(lzma)).toBe(
      'a.xlsx (part.xml): is packed by a method that spreadsheet programs do not use (14); save it again',
    );
  });

  it('is refused when two parts have one name, even in another case', async () => {
    const twice = zipOf([
      { name: 'part.xml', content: 'a' },
      { name: 'Part.xml', content: 'b' },
    ]);
    expect(await read(twice)).toMatch(/^a\.xlsx: holds the part Part\.xml twice/);
  });

  it('is refused as a bomb before a byte is unpacked', async () => {
    const bytes = 70 * MB;
    expect(await read(zipWith({ claims: { bytes } }))).toMatch(
      /^a\.xlsx: its part part\.xml would unpack to more than 200 times its size \(70 MB\)/,
    );
    const many = Array.from({ length: 5 }, (_, i) => ({
      name: `${i}.xml`,
      content: '',
      claims: { bytes: 900 * MB, packed: 90 * MB },
    }));
    expect(await read(zipOf(many))).toBe(
      'a.xlsx: would unpack to 4,500 MB, more than the limit of 4,096 MB; split it',
    );
  });

  it('is refused when it claims a part of more bytes than it may hold in 64 bits, or too many parts', async () => {
    const long = zipOf([{ name: 'part.xml', content: TEXT, claims: { headerAt: 2 ** 60 } }], { long: true });
    expect(await read(long)).toMatch(/^a\.xlsx \(part\.xml\): is damaged/);
    const many = Array.from({ length: 10_001 }, (_, i) => ({ name: `${i}`, content: '', stored: true }));
    expect(await read(zipOf(many))).toMatch(
      /^a\.xlsx: holds 10,001 parts, more than a workbook may \(10,000\)/,
    );
  });
});
