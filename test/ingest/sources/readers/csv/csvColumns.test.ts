// Records that are read column by column are those that are read cell by cell.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isBelowThousand, looksGrouped } from '../../../../../ingest/sources/numberForms.ts';
import { CsvColumns } from '../../../../../ingest/sources/readers/csv/csvColumns.ts';
import { CsvRecords } from '../../../../../ingest/sources/readers/csv/csvRecords.ts';
import { NO_NUMBER, PLAIN_NUMBER } from '../../../../../ingest/sources/readers/rawFile.ts';
import { numberInText } from '../../../../../ingest/staging/cellValues.ts';
import { runs } from '../../../../support/depth.ts';

/** Reads records of a text and a number by cells and by columns, and compares both. Returns the count read by columns. */
function bothWays(text: string): number {
  const bytes = Buffer.from(text);
  const cells = new CsvRecords('a.csv', ',').push(bytes);
  const batch = new CsvRecords('a.csv', ',').pushColumns(bytes, new CsvColumns(['texts', 'numbers'], 0x2c));
  const rows = Array.from({ length: batch.count }, (_, i) => batch.rawRow(i)).filter(
    (row) => row !== undefined,
  );
  expect(rows).toEqual(cells);
  let plain = 0;
  for (let i = 0; i < batch.count; i++) {
    if (batch.odd[i] === 1) continue;
    plain += 1;
    const [texts, numbers] = batch.columns;
    if (texts?.kind !== 'texts' || numbers?.kind !== 'numbers') throw new Error('other columns');
    const row = batch.rawRow(i)?.cells ?? [];
    const [first = null, second = null] = row;
    expect(texts.dictionary[texts.codes[i] ?? -1] ?? null).toEqual(first);
    const [value, state] = [numbers.values[i], numbers.states[i]];
    if (state === NO_NUMBER) expect(second).toBe(null);
    else {
      const written = String(second);
      expect(value).toBe(numberInText(written));
      expect(looksGrouped(written)).toBe(false);
      expect(state === PLAIN_NUMBER).toBe(isBelowThousand(written));
    }
  }
  return plain;
}

const digits = fc.stringMatching(/^-?\d{0,17}(\.\d{0,17})?([eE][+-]?\d{1,3})?$/);
const number = fc.oneof(
  digits,
  fc.double().map(String),
  fc.integer({ min: -9_999_999_999, max: 9_999_999_999 }).map((cents) => String(cents / 100)),
);
const field = fc.oneof(number, number, number, fc.stringMatching(/^[ "a-cé²\t\u00a0]{0,5}$/));
/** Most records are plain: a text and a number. */
const record = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.stringMatching(/^[a-cé]{0,3}$/), number) },
  { weight: 1, arbitrary: fc.array(field, { maxLength: 3 }) },
);

describe('csv columns', () => {
  it('hold the same texts and numbers as cells', () => {
    const lines = fc.array(record, { maxLength: 20 });
    let plain = 0;
    fc.assert(
      fc.property(lines, fc.constantFrom('\n', '\r\n', '\r'), (records, end) => {
        const text = records.map((fields) => `${fields.join(',')}${end}`).join('');
        let isReadable = true;
        try {
          new CsvRecords('a.csv', ',').push(Buffer.from(text));
        } catch {
          isReadable = false;
        }
        if (isReadable) plain += bothWays(text);
        else expect(() => bothWays(text)).toThrow();
      }),
      { numRuns: runs(300, 2_000) },
    );
    expect(plain).toBeGreaterThan(300);
  });

  it.each([
    ...['0', '-0', '7', '-950', '1000', '0.5', '12.25', '1234.5', '0.125', '-1234567.89', '999999999999999'],
    ...['', '0.00000000000001', '123456.789012345', '100000.001'],
  ])('take %j as plain', (number) => {
    expect(bothWays(`a,${number}\n`)).toBe(1);
  });

  it.each([
    ...[
      '007',
      '-',
      '.5',
      '5.',
      '-.5',
      '+1',
      '1e5',
      '1.00E+07',
      '1.234',
      '-404.021',
      '12.345',
      ' 1',
      '1 ',
      '"1"',
    ],
    ...['9999999999999999', '0.1234567890123456', '00', '0x10', 'n/a', '1,2'],
  ])('leave %j for a closer look', (number) => {
    expect(bothWays(`a,${number}\n`)).toBe(0);
  });
});
