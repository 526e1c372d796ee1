// Numbers, sentences, files and names as people read them.

import { describe, expect, it } from '@jest/globals';
import { textOf } from '../../src/explorer/model/delimited.ts';
import { change, exact, share, short } from '../../src/explorer/model/format.ts';
import { sorted, splitColumns } from '../../src/explorer/model/table.ts';

describe('numbers', () => {
  it('are short with three digits, and exact with all of them', () => {
    expect([517_165_415_885, 28_377_884_422, 999_600_000, 0.181211, 12_345, -2_500_000].map(short)).toEqual([
      '517 bn',
      '28.4 bn',
      '1 bn',
      '0.181',
      '12,345',
      '−2.5 m',
    ]);
    expect([165_152_819_427, 0.1, 31_750_000.5].map(exact)).toEqual([
      '165,152,819,427',
      '0.1',
      '31,750,000.5',
    ]);
  });

  it('of change and share are never rounded to nothing', () => {
    expect(change(100, 114.5)).toBe('up 14.5 %');
    expect(change(0, 5)).toBeNull();
    expect([0.0001, 0.5, 0.9999].map(share)).toEqual(['under 0.1 %', '50 %', 'over 99.9 %']);
  });
});

const columns = ['country', 'ggr'].map((name) => ({
  name,
  label: name,
  isNumber: name === 'ggr',
  unit: null,
}));

describe('rows that are copied', () => {
  it('are CSV with quotes where needed, all digits, and empty fields for missing values', () => {
    const rows = [
      { country: 'Congo, "DR"', ggr: 31750000.5 },
      { country: 'Malta', ggr: null },
    ];
    expect(textOf(columns, rows, 'csv')).toBe('country,ggr\r\n"Congo, ""DR""",31750000.5\r\nMalta,\r\n');
  });

  it('never become a formula or another row in a spreadsheet', () => {
    expect(textOf(columns, [{ country: '=1+1\tx', ggr: -5 }], 'tsv')).toBe("country\tggr\n'=1+1 x\t-5\n");
  });

  it('are sorted with missing values last, whichever way', () => {
    const rows = [{ ggr: null }, { ggr: 2 }, { ggr: 10 }];
    expect(sorted(rows, { column: 'ggr', isDescending: true }).map(({ ggr }) => ggr)).toEqual([10, 2, null]);
    expect(sorted(rows, { column: 'ggr', isDescending: false }).map(({ ggr }) => ggr)).toEqual([2, 10, null]);
  });

  it('say once what is the same in every row', () => {
    const { varying, constant } = splitColumns(columns, [
      { country: 'Malta', ggr: 1 },
      { country: 'Malta', ggr: 1 },
    ]);
    expect(varying.map(({ name }) => name)).toEqual(['ggr']);
    expect(constant.map(({ value }) => value)).toEqual(['Malta']);
  });
});
