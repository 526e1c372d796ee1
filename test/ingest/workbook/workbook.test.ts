// The writer of sample workbooks writes the same bytes at every run.

import { describe, expect, it } from '@jest/globals';
import { strFromU8, unzipSync } from 'fflate';
import type { SheetInput } from '../../../ingest/workbook/sheets.ts';
import { workbook, writeWorkbook } from '../../../ingest/workbook/workbook.ts';
import { rowsOf, tablesOf } from '../../support/sourceFile.ts';

describe('a written workbook', () => {
  it('has the same bytes for the same input, whenever and wherever it is made', () => {
    const sheets: SheetInput[] = [{ name: 'Data', rows: [['Malta', 1.5, { date: '2024-02-29' }]] }];
    const bytes = Buffer.from(workbook(sheets));
    expect(bytes.equals(workbook(sheets))).toBe(true);
    const [time, date] = [bytes.readUInt16LE(10), bytes.readUInt16LE(12)];
    expect({ time, year: 1980 + (date >> 9), month: (date >> 5) & 15, day: date & 31 }).toEqual({
      time: 0,
      year: 1980,
      month: 1,
      day: 1,
    });
  });

  it.each(['shared', 'inline'] as const)('gives back what was put in, texts being %s', async (strings) => {
    const rows: SheetInput['rows'] = [
      ['', ' padded ', 'a\nb', 'tab\t', '<&>"\'', '_x0041_', 'bell\u0007', 'Côte d’Ivoire 🎲'],
      [0, -1.5, 1e21, 0.1, 2 ** 53, true, false],
      [
        { error: '#N/A' },
        { formula: 'A1&"$&"' },
        { formula: 'A1', cached: '' },
        { formula: 'B2', cached: 3 },
      ],
      [{ date: '2024-02-29' }, { date: '1900-01-31' }, { date: '2024-02-29T23:59:59' }],
    ];
    expect(await rowsOf('a.xlsx', workbook([{ name: 'Data', rows }], { strings }))).toEqual([
      [1, '', ' padded ', 'a\nb', 'tab\t', '<&>"\'', '_x0041_', 'bell\u0007', 'Côte d’Ivoire 🎲'],
      [2, 0, -1.5, 1e21, 0.1, 2 ** 53, true, false],
      [3, { kind: 'error', code: '#N/A' }, { kind: 'uncalculated' }, '', 3],
      [
        4,
        { kind: 'date', iso: '2024-02-29' },
        { kind: 'date', iso: '1900-01-31' },
        { kind: 'date', iso: '2024-02-29T23:59:59' },
      ],
    ]);
  });

  it('keeps the order and the state of its sheets, gaps between rows, and merged ranges', async () => {
    const sheets: SheetInput[] = [
      { name: 'Data & more', rows: [['a'], { row: 7, cells: [null, 'b'] }, ['c']], merged: ['A1:C1'] },
      { name: 'Notes', state: 'hidden', rows: [] },
      { name: 'Model', state: 'veryHidden', rows: [[1]] },
    ];
    const bytes = workbook(sheets);
    expect(await tablesOf('a.xlsx', bytes)).toEqual([
      {
        name: 'Data & more',
        hidden: false,
        rows: [
          { row: 1, cells: ['a'] },
          { row: 7, cells: [null, 'b'] },
          { row: 8, cells: ['c'] },
        ],
      },
      { name: 'Notes', hidden: true, rows: [] },
      { name: 'Model', hidden: true, rows: [{ row: 1, cells: [1] }] },
    ]);
    expect(strFromU8(unzipSync(bytes)['xl/worksheets/sheet1.xml'] ?? new Uint8Array())).toContain(
      '<mergeCell ref="A1:C1"/>',
    );
  });

  it('shows numbers in the format of their column, or of their own', () => {
    const rows = [[1234.5, { value: 2, format: '0.0' }, 'text']];
    const parts = unzipSync(workbook([{ name: 'Data', rows, formats: ['#,##0', '0'] }]));
    expect(strFromU8(parts['xl/styles.xml'] ?? new Uint8Array())).toMatch(
      /formatCode="#,##0".*formatCode="0\.0".*<xf numFmtId="164".*<xf numFmtId="165"/,
    );
    expect(strFromU8(parts['xl/worksheets/sheet1.xml'] ?? new Uint8Array())).toMatch(
      /<c r="A1" s="1"><v>1234.5<.*<c r="B1" s="2"><v>2<.*<c r="C1" t="s">/,
    );
  });

  it('refuses a number that no cell can hold', () => {
    expect(() => workbook([{ name: 'Data', rows: [[Number.NaN]] }])).toThrow(
      /NaN cannot stand in a workbook/,
    );
  });

  it('comes piece by piece, so that its size does not count', () => {
    const sizes: number[] = [];
    const rows = Array.from({ length: 20_000 }, (_, i) => [i, i * 1.1, `text ${i % 10}`]);
    writeWorkbook([{ name: 'Data', rows }], {}, (chunk) => sizes.push(chunk.length));
    expect(Math.max(...sizes)).toBeLessThan(sizes.reduce((a, b) => a + b) / 4);
  });
});
