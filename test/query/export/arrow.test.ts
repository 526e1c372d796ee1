// The Arrow file of a selection, read back by the official library.

import { describe, expect, test } from '@jest/globals';
import { RecordBatchReader, tableFromIPC } from 'apache-arrow';
import { type BufferLease, createBufferPool } from '../../../src/cache/bufferPool.ts';
import { dictionaryOf, makeTable } from '../../../src/catalog/columns.ts';
import { datasetOf } from '../../../src/catalog/datasets.ts';
import { arrowFile } from '../../../src/query/export/arrow.ts';
import type { RowBlock } from '../../../src/query/selection/matchingRows.ts';
import { inSlices } from '../../../src/query/slices.ts';
import { CHUNK_BYTES } from '../../../src/query/yielding.ts';
import { itInDepth } from '../../support/depth.ts';
import { aTable } from '../../support/memoryTable.ts';
import { aRow } from '../../support/snapshot.ts';

const ROWS = 3000;
const table = aTable(
  'ggr',
  Array.from({ length: ROWS }, (_, i) => aRow('ggr', { year: 1000 + i, ggr: i })),
);

async function* blocksOf(positions: readonly number[], size: number): AsyncGenerator<RowBlock> {
  // A block is valid only until the next one, which reuses its memory.
  const block = new Uint32Array(size);
  for (let first = 0; first < positions.length; first += size) {
    const some = positions.slice(first, first + size);
    block.set(some);
    yield { kind: 'positions', positions: block.subarray(0, some.length) };
  }
}

async function* these(blocks: readonly RowBlock[]): AsyncGenerator<RowBlock> {
  yield* blocks;
}

/**
 * The file as received by a client that is `delay` chunks behind. A received chunk is released, so its buffer is
 * reused.
 */
async function fileOf(blocks: AsyncIterable<RowBlock>, of = table, delay = 0): Promise<Buffer> {
  const received: Buffer[] = [];
  const pending: BufferLease[] = [];
  const receive = () => {
    const chunk = pending.shift();
    if (chunk === undefined) return;
    received.push(Buffer.from(chunk.bytes));
    chunk.release();
  };
  const selection = { table: of, blocks, sources: ['a.xlsx', 'b.csv'] };
  for await (const chunk of arrowFile(selection, createBufferPool(CHUNK_BYTES), inSlices(1))) {
    pending.push(chunk);
    if (pending.length > delay) receive();
  }
  while (pending.length > 0) receive();
  return Buffer.concat(received);
}

const all = Array.from({ length: ROWS }, (_, position) => position);

describe('an Arrow file', () => {
  test.each([
    ['all rows', all],
    ['scattered rows', all.filter((position) => position % 7 === 3)],
    ['one row', [7]],
    ['no rows', []],
  ])('holds %s, whatever the blocks in which they are found', async (_what, positions) => {
    for (const size of [1, 100, 4096]) {
      const read = tableFromIPC(await fileOf(blocksOf(positions, size)));
      expect([...(read.getChild('ggr') ?? [])]).toEqual(positions);
      expect([...(read.getChild('year') ?? [])]).toEqual(positions.map((position) => 1000 + position));
    }
  });

  test('says that metrics may be missing, and dimensions may not', async () => {
    const { schema } = tableFromIPC(await fileOf(blocksOf(all, 100)));
    expect(schema.fields.filter(({ nullable }) => nullable).map(({ name }) => name)).toEqual(['ggr']);
  });

  test('joins small blocks into one batch', async () => {
    const reader = RecordBatchReader.from(await fileOf(blocksOf(all, 10)));
    expect([...reader].map(({ numRows }) => numRows)).toEqual([ROWS]);
  });

  test.each([
    [2 ** 14, [2 ** 15, 2 ** 14]],
    [12_000, [24_000, 12_000]],
  ])(
    'joins scattered rows up to 32,768 a batch, and goes on in the next one: blocks of %d',
    async (size, batches) => {
      const positions = Array.from({ length: 3 * size }, (_, i) => (i * 7) % ROWS);
      const read = tableFromIPC(await fileOf(blocksOf(positions, size)));
      expect(read.batches.map(({ numRows }) => numRows)).toEqual(batches);
      expect([...(read.getChild('ggr') ?? [])]).toEqual(positions);
    },
  );

  test('gives a long range batches of its own, after the rows before it and before the rows behind it', async () => {
    const rows = 40_000;
    const dictionaries = datasetOf('ggr').dimensions.map((name) => [name, dictionaryOf(['1'])] as const);
    const long = makeTable('ggr', rows, new Map(dictionaries));
    long.metrics.get('ggr')?.set(Float64Array.from({ length: rows }, (_, row) => row));
    const blocks: RowBlock[] = [
      { kind: 'range', first: 1, end: 3 },
      { kind: 'range', first: 10, end: 39_010 },
      { kind: 'positions', positions: Uint32Array.of(39_500, 39_507) },
    ];
    const read = tableFromIPC(await fileOf(these(blocks), long));
    expect(read.batches.map(({ numRows }) => numRows)).toEqual([2, 39_000, 2]);
    const range = Array.from({ length: 39_000 }, (_, i) => 10 + i);
    expect([...(read.getChild('ggr')?.toArray() ?? [])]).toEqual([1, 2, ...range, 39_500, 39_507]);
    const alone = tableFromIPC(await fileOf(these(blocks.slice(1, 2)), long));
    expect(alone.batches.map(({ numRows }) => numRows)).toEqual([39_000]);
  });

  test('joins short ranges and positions in their order', async () => {
    const blocks: RowBlock[] = [
      { kind: 'range', first: 5, end: 8 },
      { kind: 'positions', positions: Uint32Array.of(10, 12) },
      { kind: 'range', first: 20, end: 21 },
    ];
    const read = tableFromIPC(await fileOf(these(blocks)));
    expect(read.batches).toHaveLength(1);
    expect([...(read.getChild('ggr') ?? [])]).toEqual([5, 6, 7, 10, 12, 20]);
  });

  itInDepth(
    'holds long ranges between short ones, in several batches, with their missing values',
    async () => {
      const rows = 450_000;
      const dictionaries = datasetOf('ggr').dimensions.map(
        (name) => [name, dictionaryOf(name === 'year' ? ['2020', '2021', '2022'] : ['x'])] as const,
      );
      const long = makeTable('ggr', rows, new Map(dictionaries));
      for (let row = 0; row < rows; row++) {
        const year = long.dimensions.get('year');
        if (year) year.codes[row] = row % 3;
        const ggr = long.metrics.get('ggr');
        if (ggr) ggr[row] = row % 11 === 0 && row > 150_000 ? Number.NaN : row;
      }
      const blocks: RowBlock[] = [
        { kind: 'range', first: 1, end: 3 },
        // These are as many rows as three batches have.
        { kind: 'range', first: 10, end: 10 + 3 * (CHUNK_BYTES / Int32Array.BYTES_PER_ELEMENT) },
        { kind: 'positions', positions: Uint32Array.of(400_000, 400_007) },
        { kind: 'range', first: 401_000, end: 440_000 },
      ];
      const wanted = blocks.flatMap((block) =>
        block.kind === 'positions'
          ? [...block.positions]
          : Array.from({ length: block.end - block.first }, (_, i) => block.first + i),
      );
      const file = await fileOf(these(blocks), long);
      expect((await fileOf(these(blocks), long, 30)).equals(file)).toBe(true);
      const read = tableFromIPC(file);
      expect(read.batches.length).toBeGreaterThan(4);
      expect(read.batches.every(({ numRows }) => numRows > 0)).toBe(true);
      const [years, values] = [read.getChild('year')?.toArray(), read.getChild('ggr')];
      const isRight = (row: number, i: number) =>
        years[i] === 2020 + (row % 3) &&
        Object.is(values?.get(i) ?? Number.NaN, long.metrics.get('ggr')?.[row]);
      const odd = wanted.findIndex((row, i) => !isRight(row, i));
      expect({ rows: read.numRows, odd }).toEqual({ rows: wanted.length, odd: -1 });
    },
  );

  test.each([
    [128, 'Int8'],
    [129, 'Int16'],
    [32_768, 'Int16'],
    [32_769, 'Int32'],
    [65_537, 'Int32'],
  ])('refers to %d texts by signed numbers of the type %s', async (count, type) => {
    const texts = Array.from({ length: count }, (_, i) => `P${i}`);
    const dictionaries = datasetOf('ggr').dimensions.map(
      (name) => [name, dictionaryOf(name === 'product' ? texts : ['1'])] as const,
    );
    const made = makeTable('ggr', 3, new Map(dictionaries));
    made.dimensions.get('product')?.codes.set([0, count - 1, 100]);
    const products = tableFromIPC(await fileOf(these([{ kind: 'range', first: 0, end: 3 }]), made)).getChild(
      'product',
    );
    expect(String(products?.type)).toBe(`Dictionary<${type}, Utf8>`);
    expect([...(products ?? [])]).toEqual(['P0', `P${count - 1}`, 'P100']);
  });
});
