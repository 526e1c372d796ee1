import { expect, test } from '@jest/globals';
import { unpooled } from '../../../src/cache/bufferPool.ts';
import { zipArchive } from '../../../src/query/export/zip.ts';
import { createYielding } from '../../../src/query/yielding.ts';

test('an archive fails when a chunk of an entry cannot be made, however much of it is compressed', async () => {
  async function* chunks() {
    yield unpooled(Buffer.from('some bytes'));
    throw new Error('no more chunks');
  }
  const slices = createYielding().slices(new AbortController().signal);
  const read = async () => {
    for await (const { release } of zipArchive([{ name: 'entry', chunks: chunks() }], slices)) release();
  };
  await expect(read()).rejects.toThrow('no more chunks');
});
