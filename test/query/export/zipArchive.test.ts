// Archives produce chunks as fast as their reader takes them, return buffers, and are the same at every run.

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { unzipSync } from 'fflate';
import { unpooledLease } from '../../../src/cache/bufferPool.ts';
import { zipArchive } from '../../../src/query/export/zipArchive.ts';
import { createYielding } from '../../../src/query/yielding.ts';

test('an archive takes no more chunks than its reader keeps up with', async () => {
  let taken = 0;
  async function* chunks() {
    for (; taken < 1000; taken += 1) yield unpooledLease(randomBytes(2 ** 16));
  }
  const slices = createYielding().slices(new AbortController().signal);
  const archive = zipArchive([{ name: 'entry', chunks: chunks() }], slices);
  for (let bytes = 0; bytes < 2 ** 16; ) bytes += (await archive.next()).value?.bytes.length ?? 0;
  // Without its limit, the archive would take all chunks in this time.
  await sleep(50);
  expect(taken).toBeLessThan(20);
  await archive.return(undefined);
});

test('an archive returns the buffer of every chunk that it has compressed', async () => {
  let [taken, returned] = [0, 0];
  const release = () => {
    returned += 1;
  };
  async function* chunks() {
    for (; taken < 30; taken += 1) yield { ...unpooledLease(randomBytes(2 ** 16)), release };
  }
  const slices = createYielding().slices(new AbortController().signal);
  for await (const { release } of zipArchive([{ name: 'entry', chunks: chunks() }], slices)) release();
  expect([taken, returned]).toEqual([30, 30]);
});

test('an archive fails when a chunk of an entry cannot be made, however much of it is compressed', async () => {
  async function* chunks() {
    yield unpooledLease(Buffer.from('some bytes'));
    throw new Error('no more chunks');
  }
  const slices = createYielding().slices(new AbortController().signal);
  const read = async () => {
    for await (const { release } of zipArchive([{ name: 'entry', chunks: chunks() }], slices)) release();
  };
  await expect(read()).rejects.toThrow('no more chunks');
});

test('an archive is whole wherever the last chunk of the compressor begins', async () => {
  const slices = createYielding().slices(new AbortController().signal);
  const bytes = randomBytes(2 ** 16);
  // Random bytes cannot be compressed, so their number decides the size of the last chunk.
  for (let length = 2 ** 16 - 60; length <= 2 ** 16; length++) {
    const content = bytes.subarray(0, length);
    async function* chunks() {
      yield unpooledLease(content);
    }
    const parts: Uint8Array[] = [];
    for await (const { bytes } of zipArchive([{ name: 'entry', chunks: chunks() }], slices))
      parts.push(bytes);
    const { entry } = unzipSync(Buffer.concat(parts));
    expect(content.equals(entry ?? Buffer.of())).toBe(true);
  }
});

test('an archive is whole when an entry takes many chunks of the compressor', async () => {
  const slices = createYielding().slices(new AbortController().signal);
  const content = randomBytes(2 ** 18);
  async function* chunks() {
    yield unpooledLease(content);
  }
  const parts: Uint8Array[] = [];
  for await (const { bytes } of zipArchive([{ name: 'entry', chunks: chunks() }], slices)) parts.push(bytes);
  expect(content.equals(unzipSync(Buffer.concat(parts)).entry ?? Buffer.of())).toBe(true);
});

test('an archive states no time, so that the same rows give the same bytes', async () => {
  async function* chunks() {
    yield unpooledLease(Buffer.from('some bytes'));
  }
  const slices = createYielding().slices(new AbortController().signal);
  const parts: Uint8Array[] = [];
  for await (const { bytes } of zipArchive([{ name: 'entry', chunks: chunks() }], slices)) parts.push(bytes);
  // This is midnight of 1 January 1980 in the format of MS-DOS.
  expect(Buffer.concat(parts).readUInt32LE(10)).toBe((1 << 21) | (1 << 16));
});
