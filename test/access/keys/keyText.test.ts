// The form of keys: base62, random bits, and a checksum that detects typing errors.

import { crc32 } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { containsKey, isWellFormedKey, mintKey } from '../../../src/access/keys/keyText.ts';
import { base62, isWellFormedSecret, mintSecret } from '../../../src/access/secret.ts';
import { codePoint } from '../../support/codePoint.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('base62', () => {
  it('encodes a number at the given length, from which the same number is decoded', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (value) => {
        const text = base62(value, 43);
        const read = [...text].reduce((sum, digit) => sum * 62n + BigInt(BASE62.indexOf(digit)), 0n);
        expect([text.length, read]).toEqual([43, value]);
      }),
    );
  });

  it('pads on the left with 0', () => {
    expect([base62(0n, 6), base62(61n, 6), base62(62n, 6)]).toEqual(['000000', '00000z', '000010']);
  });
});

describe('a minted secret', () => {
  it('has 43 characters and is never the same', () => {
    const secrets = Array.from({ length: 1000 }, mintSecret);
    expect(new Set(secrets).size).toBe(1000);
    expect(secrets.every(isWellFormedSecret)).toBe(true);
  });

  it('uses every character at every position except the first', () => {
    const secrets = Array.from({ length: 3000 }, mintSecret);
    for (let place = 1; place < 43; place++) {
      expect(new Set(secrets.map((secret) => secret[place])).size).toBe(62);
    }
  });
});

describe('a minted key', () => {
  it('is the prefix and 49 characters, and well-formed', () => {
    for (let i = 0; i < 200; i++) {
      const key = mintKey();
      expect(key).toMatch(/^sk_live_[0-9A-Za-z]{49}$/);
      expect(isWellFormedKey(key)).toBe(true);
    }
  });
});

describe('the form of a key', () => {
  // Python's zlib.crc32 computed these checksums.
  it.each([
    ['0'.repeat(43), '1Vxh1Z'],
    ['z'.repeat(43), '0uSegu'],
    ['7'.repeat(43), '09iotI'],
    [BASE62.slice(0, 43), '2LOcWk'],
  ])('ends in the CRC-32 of the prefix and %s: %s', (body, checksum) => {
    expect(isWellFormedKey(`sk_live_${body}${checksum}`)).toBe(true);
  });

  it('detects every change of a single character', () => {
    const key = mintKey();
    let changes = 0;
    for (let place = 'sk_live_'.length; place < key.length; place++) {
      for (const other of BASE62) {
        if (other === key[place]) continue;
        changes += 1;
        expect(isWellFormedKey(key.slice(0, place) + other + key.slice(place + 1))).toBe(false);
      }
    }
    expect(changes).toBe(49 * 61);
  });

  it('detects two exchanged neighbours at every position', () => {
    fc.assert(
      fc.property(fc.integer({ min: 8, max: 55 }), (place) => {
        const key = mintKey();
        const [a = '', b = ''] = key.slice(place, place + 2);
        fc.pre(a !== b);
        expect(isWellFormedKey(key.slice(0, place) + b + a + key.slice(place + 2))).toBe(false);
      }),
    );
  });

  it('is recognised in no other text', () => {
    fc.assert(fc.property(fc.string({ unit: codePoint }), (text) => !isWellFormedKey(text)));
    fc.assert(fc.property(fc.string({ maxLength: 60 }), (text) => !isWellFormedKey(`sk_live_${text}`)));
  });

  it.each([
    ['nothing', () => ''],
    ['one character less', (key: string) => key.slice(0, -1)],
    ['one character more', (key: string) => `${key}0`],
    ['a space before', (key: string) => ` ${key}`],
    ['a line break after', (key: string) => `${key}\n`],
    ['a prefix in capitals', (key: string) => key.replace('sk_live_', 'SK_LIVE_')],
    ['another prefix', (key: string) => key.replace('sk_live_', 'sk_test_')],
    ['a letter beyond ASCII', (key: string) => key.replace(/.$/, 'é')],
    ['10 KB', (key: string) => key.repeat(180)],
  ])('refuses %s', (_, change) => {
    expect(isWellFormedKey(change(mintKey()))).toBe(false);
  });

  it.each([
    ['another prefix', `sk_test_${'0'.repeat(43)}`],
    ['a prefix in the middle', `x sk_live_${'0'.repeat(43)}`],
    ['one character less', `sk_live_${'0'.repeat(42)}`],
    ['one character more', `sk_live_${'0'.repeat(44)}`],
    ['another alphabet', `sk_live_${'0'.repeat(42)}-`],
  ])('does not allow %s, although the checksum is right', (_, body) => {
    const signed = (text: string) => text + base62(BigInt(crc32(Buffer.from(text))), 6);
    expect(isWellFormedKey(signed(`sk_live_${'0'.repeat(43)}`))).toBe(true);
    expect(isWellFormedKey(signed(body))).toBe(false);
  });

  it('is recognised inside other text, even when cut off', () => {
    expect(containsKey(`for ${mintKey().slice(0, 30)}…`)).toBe(true);
    expect(containsKey('keys begin with sk_live_')).toBe(false);
  });
});
