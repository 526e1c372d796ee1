// Computes the SHA-256 of a file of any size.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

/** The SHA-256 of a file in hexadecimal. The file is read in pieces. */
export async function fileSha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  const { size } = await stat(file);
  // Each read allocates `highWaterMark` bytes, so a short file is read with a smaller one. V8 would collect garbage
  // often if many reads allocated 1 MB.
  const highWaterMark = Math.max(1, Math.min(PIECE_BYTES, size));
  for await (const chunk of createReadStream(file, { highWaterMark })) hash.update(chunk);
  return hash.digest('hex');
}

const PIECE_BYTES = 1 << 20;
