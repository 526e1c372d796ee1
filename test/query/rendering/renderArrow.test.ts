// Pages as Arrow, read back by the official library.

import { describe, expect, it } from '@jest/globals';
import { tableFromIPC } from 'apache-arrow';
import fc from 'fast-check';
import { createBufferPool } from '../../../src/cache/bufferPool.ts';
import { arrowBatches } from '../../../src/query/rendering/arrowBatches.ts';
import { type Frame, frameOf } from '../../../src/query/rendering/frame.ts';
import { ARROW_REPRESENTATION } from '../../../src/query/rendering/renderArrow.ts';
import { runs } from '../../support/depth.ts';
import { aTable, distinctRows, inRowOrder } from '../../support/memoryTable.ts';
import { aRow } from '../../support/snapshot.ts';

const buffers = createBufferPool();
await ARROW_REPRESENTATION.prepare?.();

function arrowOf(frame: Frame): Buffer {
  const draftJson = () => {
    throw new Error('not JSON');
  };
  return ARROW_REPRESENTATION.draftPage({ frame: () => frame, draftJson }, buffers).finish().bytes;
}

describe('an Arrow stream', () => {
  it('read back gives every value, and null for what is missing', () => {
    const row = fc
      .record({
        year: fc.integer({ min: 1000, max: 9999 }),
        country: fc.string({ unit: fc.constantFrom('a', 'é', '\u{1f600}', '"', '\0') }),
        ggr: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
      })
      .map((changes) => aRow('ggr', changes));
    fc.assert(
      fc.property(fc.array(row, { maxLength: 70 }), (some) => {
        const rows = inRowOrder('ggr', distinctRows('ggr', some));
        const frame = frameOf(aTable('ggr', rows), Uint32Array.from(rows.keys()));
        const table = tableFromIPC(arrowOf(frame));
        expect(table.schema.fields.map(({ name, type }) => `${name} ${type}`)).toEqual([
          'year Int32',
          ...[
            'region',
            'country',
            'state',
            'category',
            'product',
            'channel',
            'sub_channel',
            'fx',
            'temporal',
          ].map((name) => `${name} Dictionary<Int8, Utf8>`),
          'ggr Float64',
        ]);
        const names = frame.columns.map(({ name }) => name);
        expect(table.toArray().map((one) => names.map((name) => one[name]))).toEqual(
          rows.map((one) => names.map((name) => one[name])),
        );
      }),
      { numRuns: runs(8, 15) },
    );
  });

  it('distinguishes missing values from others in every byte of its bitmap', () => {
    const rows = inRowOrder(
      'ggr',
      Array.from({ length: 40 }, (_, i) => aRow('ggr', { year: 2000 + i, ggr: i < 8 || i > 20 ? i : null })),
    );
    const table = tableFromIPC(arrowOf(frameOf(aTable('ggr', rows), Uint32Array.from(rows.keys()))));
    expect(table.toArray().map(({ ggr }) => ggr)).toEqual(rows.map(({ ggr }) => ggr));
  });

  it.each([1, 4, 7, 9, 16, 65])('notices one missing value among %d, wherever it is', (rows) => {
    for (let missing = 0; missing < rows; missing++) {
      const numbers = Float64Array.from({ length: rows }, (_, i) => (i === missing ? Number.NaN : i));
      const read = tableFromIPC(arrowOf({ rows, columns: [{ kind: 'number', name: 'ggr', numbers }] }));
      const column = read.getChild('ggr');
      expect([...(column ?? [])]).toEqual(Array.from(numbers, (one) => (Number.isNaN(one) ? null : one)));
      expect(column?.nullCount).toBe(1);
    }
  });

  it('takes opposite infinities for values, although their sum is not a number', () => {
    const numbers = Float64Array.of(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY);
    const read = tableFromIPC(arrowOf({ rows: 2, columns: [{ kind: 'number', name: 'ggr', numbers }] }));
    expect([...(read.getChild('ggr') ?? [])]).toEqual([...numbers]);
  });

  it('is not written when a later batch has other texts, which readers would take for those of the first', () => {
    const batchOf = arrowBatches();
    const batch = (values: readonly string[]) =>
      batchOf({
        rows: 1,
        columns: [{ kind: 'text', name: 'country', values, codes: Uint8Array.of(0), maxTexts: 2 }],
      });
    const values = ['Malta'];
    expect([batch(values), batch(values)].map(({ numRows }) => numRows)).toEqual([1, 1]);
    expect(() => batch(['Spain'])).toThrow('the values of country differ between batches');
  });

  it('takes a bit a row, rounded up to eight bytes, to mark missing values', () => {
    const bytesOf = (missing: number | null) => {
      const rows = Array.from({ length: 640 }, (_, i) =>
        aRow('ggr', { year: 1000 + i, ggr: i === missing ? null : 1 }),
      );
      return arrowOf(frameOf(aTable('ggr', rows), Uint32Array.from(rows.keys()))).length;
    };
    expect(bytesOf(7) - bytesOf(null)).toBe(640 / 8);
  });

  it('holds only the texts of its rows, however many its table has', () => {
    const rows = Array.from({ length: 300 }, (_, i) => aRow('ggr', { product: `P${i}` }));
    const read = tableFromIPC(arrowOf(frameOf(aTable('ggr', rows), Uint32Array.of(7, 8, 7))));
    const [product] = read.getChild('product')?.data ?? [];
    expect(product?.dictionary?.length).toBe(2);
    expect(new Set(read.toArray().map((row) => row.product)).size).toBe(2);
  });

  it.each([128, 129, 1000])('has the schema of every page of a table with %d texts', (count) => {
    const rows = inRowOrder(
      'ggr',
      Array.from({ length: count }, (_, i) => aRow('ggr', { product: `P${i}` })),
    );
    const table = aTable('ggr', rows);
    const schemas = [1, 128, 129, 1000].map((limit) => {
      const positions = Uint32Array.from({ length: Math.min(limit, count) }, (_, i) => i);
      return String(tableFromIPC(arrowOf(frameOf(table, positions))).schema);
    });
    expect(new Set(schemas).size).toBe(1);
  });

  it.each([128, 129, 1000])('holds %d different texts', (count) => {
    const rows = inRowOrder(
      'ggr',
      Array.from({ length: count }, (_, i) => aRow('ggr', { product: `P${i}` })),
    );
    const table = tableFromIPC(arrowOf(frameOf(aTable('ggr', rows), Uint32Array.from(rows.keys()))));
    expect(table.toArray().map(({ product }) => product)).toEqual(rows.map(({ product }) => product));
  });
});
