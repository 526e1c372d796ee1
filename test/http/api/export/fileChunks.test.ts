// A part of a file is read in chunks and is exact to the byte, even if the file changes meanwhile.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import { type BufferLease, createBufferPool } from '../../../../src/cache/bufferPool.ts';
import { fileChunks } from '../../../../src/http/api/export/fileChunks.ts';
import { CHUNK_BYTES, createYielding } from '../../../../src/query/yielding.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'file-chunks-'));
const name = path.join(folder, 'file');
const content = randomBytes(3 * 2 ** 20 + 7);
writeFileSync(name, content);
const buffers = createBufferPool(CHUNK_BYTES);
const slices = createYielding().slices(new AbortController().signal);
afterAll(() => rmSync(folder, { recursive: true }));

/** Reads a part. The client receives each chunk only after `delay` further chunks were read. */
async function received(first: number, last: number, delay: number): Promise<Buffer> {
  const file = await open(name);
  const [parts, pending]: [Buffer[], BufferLease[]] = [[], []];
  const receive = () => {
    const lease = pending.shift();
    if (lease === undefined) return;
    parts.push(Buffer.from(lease.bytes));
    lease.release();
  };
  for await (const chunk of fileChunks(file, { first, last }, { buffers, slices })) {
    pending.push(chunk);
    if (pending.length > delay) receive();
  }
  while (pending.length > 0) receive();
  await file.close();
  return Buffer.concat(parts);
}

describe('a part of a file', () => {
  test.each([
    [0, content.length - 1],
    [0, 0],
    [5, 2 ** 20 + 4],
    [2 ** 20 - 1, 2 ** 21],
    [content.length - 1, content.length - 1],
  ])('is read whole, from %i to %i', async (first, last) => {
    expect((await received(first, last, 0)).equals(content.subarray(first, last + 1))).toBe(true);
  });

  test('is not overwritten before it is released', async () => {
    for (const delay of [1, 2, 5])
      expect((await received(0, content.length - 1, delay)).equals(content)).toBe(true);
  });

  test('ends where the file ends', async () => {
    expect(await received(content.length - 3, content.length + 2 ** 21, 0)).toHaveLength(3);
  });

  test('is read whole although the file is removed meanwhile, as a prune does', async () => {
    const pruned = path.join(folder, 'pruned');
    writeFileSync(pruned, content);
    const file = await open(pruned);
    const parts: Buffer[] = [];
    for await (const { bytes, release } of fileChunks(
      file,
      { first: 0, last: content.length - 1 },
      { buffers, slices },
    )) {
      if (parts.length === 0) rmSync(pruned);
      parts.push(Buffer.from(bytes));
      release();
    }
    await file.close();
    expect(Buffer.concat(parts).equals(content)).toBe(true);
  });

  test('may be left, and the file may then be closed', async () => {
    const file = await open(name);
    for await (const { bytes } of fileChunks(
      file,
      { first: 0, last: content.length - 1 },
      { buffers, slices },
    )) {
      expect(bytes.length).toBeGreaterThan(0);
      break;
    }
    await file.close();
  });

  test('fails with the failure of a read', async () => {
    const file = await open(name);
    const chunks = fileChunks(file, { first: 0, last: content.length - 1 }, { buffers, slices });
    await file.close();
    await expect(chunks.next()).rejects.toThrow();
  });

  test('fails where the failing read is due, and nowhere before, while earlier chunks are being sent', async () => {
    const file = await open(name);
    const chunks = fileChunks(file, { first: 0, last: content.length - 1 }, { buffers, slices });
    let sent = 0;
    const sending = async () => {
      for await (const { release } of chunks) {
        if (sent++ === 0) await file.close();
        // An unhandled failure would end the process within this time.
        await sleep(5);
        release();
      }
    };
    await expect(sending()).rejects.toThrow();
    expect(sent).toBe(3);
  });
});
