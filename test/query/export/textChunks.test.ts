// CSV files come in chunks of equal size, and yield to other work in between.

import { expect, test } from '@jest/globals';
import { createBufferPool } from '../../../src/cache/bufferPool.ts';
import { csvFile } from '../../../src/query/export/textChunks.ts';
import type { RowBlock } from '../../../src/query/selection/matchingRows.ts';
import { inSlices, type Slices } from '../../../src/query/slices.ts';
import { aTable } from '../../support/memoryTable.ts';
import { aRow } from '../../support/snapshot.ts';

const ROWS = 2560;
const table = aTable(
  'ggr',
  Array.from({ length: ROWS }, (_, i) => aRow('ggr', { year: 1000 + i, product: 'P'.repeat(100) })),
);

async function* blocks(): AsyncGenerator<RowBlock> {
  yield { kind: 'range', first: 0, end: 1280 };
  yield { kind: 'positions', positions: Uint32Array.from({ length: 1280 }, (_, i) => 1280 + i) };
}

/** The sizes of the chunks, the lines, and how often the export yielded. */
async function exported(sliceMs: number) {
  const real = inSlices(sliceMs);
  let rests = 0;
  const slices: Slices = {
    ...real,
    next() {
      rests += 1;
      return real.next();
    },
  };
  const chunks: string[] = [];
  for await (const { bytes, release } of csvFile(table, blocks(), createBufferPool(), slices)) {
    chunks.push(bytes.toString());
    release();
  }
  const lines = chunks.join('').split('\r\n');
  return {
    sizes: chunks.map(({ length }) => length),
    years: lines.slice(1, -1).map((line) => Number(line.slice(0, 4))),
    rests,
  };
}

test('a CSV file has the rows of all blocks, in chunks of 128 KiB and the rows of one look at the clock', async () => {
  const { sizes, years } = await exported(60_000);
  expect(years).toEqual(Array.from({ length: ROWS }, (_, i) => 1000 + i));
  // The first chunk is the header, and the last one the rest. The others are full.
  const full = sizes.slice(1, -1);
  expect(full.length).toBeGreaterThan(1);
  for (const size of full) expect([size >= 2 ** 17, size < 2 ** 17 + 256 * 200]).toEqual([true, true]);
});

test('an export looks every 256 rows whether its slice is over, and rests only then', async () => {
  expect((await exported(60_000)).rests).toBe(0);
  expect((await exported(0)).rests).toBe(ROWS / 256);
});
