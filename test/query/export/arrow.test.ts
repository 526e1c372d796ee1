import { describe, expect, test } from '@jest/globals';
import { RecordBatchReader, tableFromIPC } from 'apache-arrow';
import { arrowFile } from '../../../src/query/export/arrow.ts';
import { inSlices } from '../../../src/query/slices.ts';
import { aRow } from '../../support/snapshot.ts';
import { aTable } from '../../support/table.ts';

const ROWS = 3000;
const table = aTable(
  'ggr',
  Array.from({ length: ROWS }, (_, i) => aRow('ggr', { year: 1000 + i, ggr: i })),
);

async function* blocksOf(positions: readonly number[], size: number) {
  // A block is valid until the next one: its memory is used again.
  const block = new Uint32Array(size);
  for (let first = 0; first < positions.length; first += size) {
    const some = positions.slice(first, first + size);
    block.set(some);
    yield block.subarray(0, some.length);
  }
}

async function fileOf(positions: readonly number[], size: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const { bytes } of arrowFile(table, blocksOf(positions, size), inSlices(1))) chunks.push(bytes);
  return Buffer.concat(chunks);
}

const all = Array.from({ length: ROWS }, (_, position) => position);

describe('an Arrow file', () => {
  test.each([
    ['all rows', all],
    ['scattered rows', all.filter((position) => position % 7 === 3)],
    ['no rows', []],
  ])('holds %s, whatever the blocks in which they are found', async (_what, positions) => {
    for (const size of [1, 100, 4096]) {
      const read = tableFromIPC(await fileOf(positions, size));
      expect([...(read.getChild('ggr') ?? [])]).toEqual(positions);
      expect([...(read.getChild('year') ?? [])]).toEqual(positions.map((position) => 1000 + position));
    }
  });

  test('joins small blocks into one batch', async () => {
    const reader = RecordBatchReader.from(await fileOf(all, 10));
    expect([...reader].map(({ numRows }) => numRows)).toEqual([ROWS]);
  });
});
