// Creates API keys, and recognises mistyped ones by their checksum, without a call to Redis.

import { crc32 } from 'node:zlib';
import { base62, mintSecret, SECRET_LENGTH } from '../secret.ts';

const PREFIX = 'sk_live_';
const CHECKSUM_LENGTH = 6;
const WELL_FORMED = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/** A new key: prefix, 256 random bits, checksum (ruling 20). The gate does not know it until it is issued. */
export function mintKey(): string {
  const body = PREFIX + mintSecret();
  return body + checksum(body);
}

/**
 * Whether a text has the form of a key: prefix, length, alphabet and checksum (ruling 20). A key of this form may be
 * unknown.
 */
export function isWellFormedKey(text: string): boolean {
  if (!WELL_FORMED.test(text)) return false;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return text.slice(-CHECKSUM_LENGTH) === checksum(body);
}

/** Whether a text that should be a label or an id contains a key. */
export const containsKey = (text: string): boolean => new RegExp(`${PREFIX}[0-9A-Za-z]{8}`).test(text);

const checksum = (body: string): string => base62(BigInt(crc32(Buffer.from(body))), CHECKSUM_LENGTH);
