// Secrets are random, and stored by their hash.

import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  base62,
  hashOf,
  isWellFormedId,
  isWellFormedSecret,
  mintSecret,
  newId,
} from '../../src/access/secret.ts';

describe('a secret', () => {
  it('has 256 random bits in 43 letters and digits', () => {
    const minted = Array.from({ length: 50 }, mintSecret);
    expect(new Set(minted).size).toBe(50);
    for (const secret of minted) expect(isWellFormedSecret(secret)).toBe(true);
    const [secret = ''] = minted;
    for (const other of [
      '',
      secret.slice(1),
      `${secret}a`,
      `-${secret}`,
      `${secret.slice(1)}-`,
      `${secret}\n`,
    ])
      expect(isWellFormedSecret(other)).toBe(false);
  });

  it('is stored by its SHA-256 in hexadecimal, which every version finds', () => {
    expect(hashOf('abc')).toBe(createHash('sha256').update('abc').digest('hex'));
  });
});

it.each([
  [0n, 1, '0'],
  [61n, 2, '0z'],
  [62n, 2, '10'],
  [2n ** 256n - 1n, 43, 'zzz'],
])('%d in %d letters and digits counts from 0 to z', (value, length, text) => {
  const written = base62(value, length);
  expect(written).toHaveLength(length);
  if (value < 100n) expect(written).toBe(text);
  let read = 0n;
  for (const letter of written)
    read =
      read * 62n + BigInt('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.indexOf(letter));
  expect(read).toBe(value);
});

it('the first letter of an id says what it names, and no letter of an id is easily mistaken', () => {
  for (const [of, letter] of [
    ['key', 'k'],
    ['invite', 'i'],
    ['session', 's'],
  ] as const)
    for (let times = 0; times < 20; times++) {
      const id = newId(of);
      expect(id).toMatch(new RegExp(`^${letter}[2-9a-hjkmnp-tv-z]{10}$`));
      expect(isWellFormedId(id)).toBe(true);
    }
  for (const text of ['', 'a'.repeat(33), 'a-b', 'a b', 'k7\n']) expect(isWellFormedId(text)).toBe(false);
});
