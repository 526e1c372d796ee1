// Problems have a place, a problem and a remedy. One function turns them into text.

import { describe, expect, it } from '@jest/globals';
import { UnreadableError } from '../../../ingest/messages/fault.ts';
import {
  cellIn,
  placeOfCell,
  placeOfRow,
  placeText,
  wholeFile,
  wholePart,
  wholeSheet,
} from '../../../ingest/messages/place.ts';
import { Problems } from '../../../ingest/messages/problems.ts';

const columns = new Map([['country', 2]]);
const sheet = { file: 'ggr.xlsx', sheet: 'Data', format: 'xlsx', columns } as const;
const csv = { file: 'ggr.csv', sheet: null, format: 'csv', columns } as const;
const parquet = { file: 'ggr.parquet', sheet: null, format: 'parquet', columns } as const;

describe('places', () => {
  it('are written as a person finds them', () => {
    expect(placeText(placeOfCell(sheet, 41, 'country'))).toBe('ggr.xlsx › Data!C41');
    expect(placeText(placeOfCell(csv, 41, 'fx'))).toBe('ggr.csv › line 41, column fx');
    expect(placeText(placeOfCell(parquet, 41, 'fx'))).toBe('ggr.parquet › row 41, column fx');
    expect(placeText(placeOfRow(sheet, 41))).toBe('ggr.xlsx › Data!C41');
    expect(placeText(placeOfRow(sheet, 41, 27))).toBe('ggr.xlsx › Data!AB41');
    expect(placeText(placeOfRow(csv, 41))).toBe('ggr.csv › line 41');
    expect(placeText(wholeSheet('ggr.xlsx', 'Data'))).toBe('ggr.xlsx › Data');
    expect(placeText(cellIn(wholeSheet('ggr.xlsx', 'Data'), 2, 41))).toBe('ggr.xlsx › Data!C41');
    expect(placeText(wholeFile('ggr.xlsx'))).toBe('ggr.xlsx');
    expect(placeText(wholePart('ggr.xlsx', 'xl/styles.xml'))).toBe('ggr.xlsx (xl/styles.xml)');
  });
});

describe('an unreadable file', () => {
  const place = { file: 'ggr.xlsx', sheet: 'Data', cell: 'C41' };

  it('carries place, problem and remedy, and is worded from them', () => {
    const fault = { place, problem: 'holds "x"', remedy: 'save it again' };
    const error = new UnreadableError(fault);
    expect(error.message).toBe('ggr.xlsx › Data!C41: holds "x"; save it again');
    expect(error.fault).toEqual(fault);
  });

  it('says nothing that a terminal would act on', () => {
    const file = 'a\u001b[2J\n0 errors.csv';
    const error = new UnreadableError({ place: wholeFile(file), problem: 'holds \u202ex', remedy: null });
    expect(error.message).toBe(String.raw`a\u001b[2J\n0 errors.csv: holds \u202ex`);
  });
});

describe('Problems', () => {
  it('puts problem and remedy into one line, whatever the source holds', () => {
    const problems = new Problems();
    const wording = {
      problem: 'country "Mal\nta" is unknown',
      remedy: 'correct it',
      kind: 'a country is unknown',
    };
    problems.add('error', { file: 'a\nb.xlsx', sheet: 'S\u001b[1m', cell: 'A1' }, wording);
    expect(problems.list()).toMatchObject([
      {
        place: String.raw`a\nb.xlsx › S\u001b[1m!A1`,
        message: String.raw`country "Mal\nta" is unknown; correct it`,
        file: 'a\nb.xlsx',
        remedy: 'correct it',
        kind: 'a country is unknown',
      },
    ]);
  });

  it('quotes the beginning and the end of a long text', () => {
    const problems = new Problems();
    problems.add('error', placeOfRow(csv, 1), `ggr is "${'x'.repeat(30_000)}"; it is the end`);
    const [listed] = problems.list();
    expect(listed?.message).toMatch(/^ggr is "x{592} … \(29,124 characters\) … x+"; it is the end$/);
    expect(listed?.message).toBe(listed?.kind);
  });

  it('holds the first 10,000 of a severity and the first of later kinds, and counts the rest', () => {
    const problems = new Problems();
    for (let row = 1; row <= 10_050; row++) problems.add('error', placeOfRow(csv, row), 'wrong');
    problems.add('note', placeOfRow(csv, 1), 'remarkable');
    expect(problems.list().filter(({ severity }) => severity === 'error')).toHaveLength(10_000);
    expect(problems.list(200).filter(({ severity }) => severity === 'error')).toHaveLength(200);
    expect(problems.list().at(-1)?.message).toBe('remarkable');
    expect(problems.count('error', 'note')).toBe(10_051);

    const other = new Problems();
    for (let row = 1; row <= 7; row++) other.add('error', placeOfRow(csv, row), 'wrong otherwise');
    other.addUnseen({ severity: 'error', kind: 'wrong otherwise', remedy: null }, 3);
    problems.absorb(Problems.of(other.stored));
    expect(problems.list().filter(({ kind }) => kind === 'wrong otherwise')).toHaveLength(5);
    expect(problems.count('error')).toBe(10_060);
    const counted = ['wrong', 'wrong otherwise'].map((kind) =>
      problems.countLike({ severity: 'error', kind, remedy: null }),
    );
    expect(counted).toEqual([10_050, 10]);
  });

  it('lists the worst first', () => {
    const problems = new Problems();
    problems.add('note', placeOfRow(csv, 1), 'a');
    problems.add('error', placeOfRow(csv, 2), 'b');
    problems.add('unreadable', placeOfRow(csv, 3), 'c');
    expect(problems.list().map(({ severity }) => severity)).toEqual(['unreadable', 'error', 'note']);
  });
});
