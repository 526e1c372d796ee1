// Mints API keys and tells a well-formed one from a mistyped one, without asking Redis.

import { base62, mintSecret, SECRET_LENGTH } from './secret.ts';

const PREFIX = 'sk_live_';
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/** A new key: prefix, 256 random bits, checksum (ruling 20). It exists nowhere else until it is issued. */
export function mintKey(): string {
  const body = PREFIX + mintSecret();
  return body + checksum(body);
}

/** Prefix, length, alphabet and checksum (ruling 20); says nothing of whether the key was ever issued. */
export function isWellFormedKey(text: string): boolean {
  if (!FORM.test(text)) return false;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return text.slice(-CHECKSUM_LENGTH) === checksum(body);
}

/** Whether somebody has put a key where a label or an id belongs. */
export const holdsKey = (text: string): boolean => new RegExp(`${PREFIX}[0-9A-Za-z]{8}`).test(text);

const checksum = (body: string): string => base62(BigInt(crc32(body)), CHECKSUM_LENGTH);

/** CRC-32 of zip and PNG; node's own came only with 20.15. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  // A key is ASCII: its characters are its bytes.
  for (let i = 0; i < text.length; i++) crc = (crc >>> 8) ^ (TABLE[(crc ^ text.charCodeAt(i)) & 0xff] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});
