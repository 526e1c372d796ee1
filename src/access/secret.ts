// Makes random secrets and ids, and the hash that is kept in their place.

import crypto, { createHash, randomBytes, randomInt } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Characters that 256 bits take in base62. */
export const SECRET_LENGTH = 43;

/** 256 random bits in base62: what a key, a claim link, a sign-in link and a session's cookie are made of. */
export const mintSecret = (): string => base62(BigInt(`0x${randomBytes(32).toString('hex')}`), SECRET_LENGTH);

/** Whether a text could be `mintSecret`'s: what could not is refused without asking Redis. */
export const isSecretForm = (text: string): boolean => /^[0-9A-Za-z]{43}$/.test(text);

/** SHA-256 in hexadecimal: all that is ever kept of a secret. */
export const hashOf = (secret: string): string =>
  // Node 20 has the quick one from 20.12 on.
  crypto.hash ? crypto.hash('sha256', secret) : createHash('sha256').update(secret).digest('hex');

/** A number in `0-9A-Za-z`, padded on the left with `0` (ruling 20). */
export function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = BASE62.charAt(Number(rest % 62n)) + text;
  return text.padStart(length, '0');
}

/** Read aloud and typed without mistakes: none of `0 1 i l o u`. */
const ID_ALPHABET = '23456789abcdefghjkmnpqrstvwxyz';

/** Public names, told apart by their first letter. */
const ID_LETTERS = { key: 'k', invite: 'i', session: 's' } as const;

/** A new public id of letters and digits, such as `k7m2x9qd4np`. */
export const newId = (of: keyof typeof ID_LETTERS): string =>
  ID_LETTERS[of] +
  Array.from({ length: 10 }, () => ID_ALPHABET.charAt(randomInt(ID_ALPHABET.length))).join('');

/** Whether a text could be an id: a key typed in its place is not sent on. */
export const isIdForm = (text: string): boolean => /^[0-9A-Za-z]{1,32}$/.test(text);
