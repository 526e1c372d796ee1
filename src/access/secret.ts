// Makes random secrets and public ids, and the hashes that are stored in place of secrets.

import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { sha256 } from '../basics/sha256.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** How many base62 characters 256 bits take. */
export const SECRET_LENGTH = 43;

/** 256 random bits in base62: the secret part of keys, claim links, sign-in links and session cookies. */
export const mintSecret = (): string => base62(BigInt(`0x${randomBytes(32).toString('hex')}`), SECRET_LENGTH);

/** Whether a text has the form of a secret. Other texts are refused without a call to Redis. */
export const isWellFormedSecret = (text: string): boolean => /^[0-9A-Za-z]{43}$/.test(text);

/** Whether two secrets are the same, compared in constant time. */
export function isSameSecret(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/**
 * The SHA-256 of a secret in hexadecimal. Redis stores this hash, never the secret. Of a key it also stores the last four
 * characters.
 */
export const hashOf = (secret: string): string => sha256(secret, 'hex');

/** A number in base 62, with the digits `0-9A-Za-z` and zeros on the left (ruling 20). */
export function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = BASE62.charAt(Number(rest % 62n)) + text;
  return text.padStart(length, '0');
}

/** The characters of ids. `0 1 i l o u` are left out, because people mistake them when they read or type. */
const ID_ALPHABET = '23456789abcdefghjkmnpqrstvwxyz';

/** The first letter of an id. It tells whether the id names a key, an invite or a session. */
const ID_LETTERS = { key: 'k', invite: 'i', session: 's' } as const;

/** A new public id of letters and digits, such as `k7m2x9qd4np`. */
export const newId = (kind: keyof typeof ID_LETTERS): string =>
  ID_LETTERS[kind] +
  Array.from({ length: 10 }, () => ID_ALPHABET.charAt(randomInt(ID_ALPHABET.length))).join('');

/** Whether a text could be an id. A key that somebody typed by mistake is not an id, and is not sent to Redis. */
export const isWellFormedId = (text: string): boolean => /^[0-9A-Za-z]{1,32}$/.test(text);
