import zlib from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { crc32, crc32ByTable } from '../src/crc32.ts';

describe('CRC-32', () => {
  it('is the same by table as by Node, in one go or piece by piece', () => {
    expect(crc32ByTable(Buffer.from('123456789'))).toBe(0xcbf43926);
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (a, b) => {
        const whole = Buffer.concat([a, b]);
        expect(crc32ByTable(b, crc32ByTable(a))).toBe(crc32ByTable(whole));
        expect(crc32(whole)).toBe(crc32ByTable(whole));
      }),
    );
    expect(crc32).toBe(zlib.crc32 ?? crc32ByTable);
  });
});
