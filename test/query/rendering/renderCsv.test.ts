// Pages as CSV, read back.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createBufferPool } from '../../../src/cache/bufferPool.ts';
import { frameOf } from '../../../src/query/rendering/frame.ts';
import { CSV_REPRESENTATION } from '../../../src/query/rendering/renderCsv.ts';
import { aTable, distinctRows, inRowOrder } from '../../support/memoryTable.ts';
import { aRow } from '../../support/snapshot.ts';

const buffers = createBufferPool();

const draftJson = () => {
  throw new Error('not JSON');
};

/** The records of a CSV text, read exactly as RFC 4180 says. */
function recordsOf(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  const FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (const [, quoted, plain, end] of text.matchAll(FIELD)) {
    record.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') {
      records.push(record);
      record = [];
    }
  }
  return records;
}

describe('CSV', () => {
  it('read back gives every value, whatever the texts hold', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', ',', '"', '\r', '\n', ';', ' ', 'é', '\u{1f600}', '\ufeff', '='),
    });
    const row = fc
      .record({
        country: text,
        product: text,
        ggr: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
      })
      .map((changes) => aRow('ggr', changes));
    fc.assert(
      fc.property(fc.array(row, { maxLength: 12 }), (some) => {
        const rows = inRowOrder('ggr', distinctRows('ggr', some));
        const table = aTable('ggr', rows);
        const positions = Uint32Array.from(rows.keys());
        const frame = frameOf(table, positions);
        const page = {
          frame: () => frame,
          draftJson,
        };
        const { bytes } = CSV_REPRESENTATION.draftPage(page, buffers).finish();
        const ofTable = { ...page, rows: { table, positions } };
        expect(CSV_REPRESENTATION.draftPage(ofTable, buffers).finish().bytes).toEqual(bytes);
        const names = frame.columns.map(({ name }) => name);
        expect(recordsOf(bytes.toString())).toEqual([
          names,
          ...rows.map((row) =>
            names.map((name) =>
              row[name] === null ? '' : typeof row[name] === 'number' ? JSON.stringify(row[name]) : row[name],
            ),
          ),
        ]);
      }),
      { numRuns: 200 },
    );
  });

  it('written in steps is what it is when written at once', () => {
    const years = Array.from({ length: 450 }, (_, i) => aRow('ggr', { year: 1500 + i }));
    const rows = {
      table: aTable('ggr', inRowOrder('ggr', years)),
      positions: Uint32Array.from(years.keys()),
    };
    const page = { rows, frame: () => frameOf(rows.table, rows.positions), draftJson };
    const stepwise = CSV_REPRESENTATION.draftPage(page, buffers);
    while (!stepwise.writeSome());
    const atOnce = CSV_REPRESENTATION.draftPage(page, buffers);
    expect(stepwise.finish().bytes).toEqual(atOnce.finish().bytes);
  });
});
