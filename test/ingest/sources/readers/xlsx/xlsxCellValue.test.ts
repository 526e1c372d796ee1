// Numbers, dates and number formats of cells.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isoFromSerial, isoFromText, serialFromIso } from '../../../../../ingest/sources/readers/dates.ts';
import { parseNumber } from '../../../../../ingest/sources/readers/xlsx/bytes.ts';
import { isDateFormat, isPercentFormat } from '../../../../../ingest/sources/readers/xlsx/numberFormat.ts';

describe('a number', () => {
  const parse = (text: string) => {
    const bytes = Buffer.from(`>${text}<`);
    return parseNumber(bytes, 1, bytes.length - 1);
  };

  it('is the nearest double to its digits, whatever their number', () => {
    const decimal = fc.tuple(fc.bigInt(-(10n ** 18n), 10n ** 18n), fc.integer({ min: 0, max: 17 }));
    fc.assert(
      fc.property(decimal, ([digits, places]) => {
        const text = `${digits}`.replace(new RegExp(`(\\d{${places}})$`), '.$1');
        expect(parse(text)).toBe(Number(text));
      }),
    );
    fc.assert(fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) => parse(`${x}`) === x));
  });

  it.each([
    '',
    ' ',
    '-',
    '.',
    '1.2.3',
    '1,5',
    '1 000',
    '0x10',
    'NaN',
    'INF',
    'Infinity',
    '1e400',
    '-1e-400',
    '--1',
    '1-',
  ])('is not read from "%s"', (text) => {
    expect(parse(text)).toBeNaN();
  });
});

describe('a date', () => {
  it('is the day of its serial, in both systems and around the day that never was', () => {
    const at = (serial: number, date1904 = false) => isoFromSerial(serial, date1904);
    expect([1, 59, 60, 61, 45351, 2_958_465].map((serial) => at(serial))).toEqual([
      '1900-01-01',
      '1900-02-28',
      null,
      '1900-03-01',
      '2024-02-29',
      '9999-12-31',
    ]);
    expect([0, 0.5, 1, 43_889].map((serial) => at(serial, true))).toEqual([
      '1904-01-01',
      'T12:00:00',
      '1904-01-02',
      '2024-02-29',
    ]);
    expect([-1, 2_958_466, Number.NaN].map((serial) => at(serial))).toEqual([null, null, null]);
  });

  it('keeps its time of day to the nearest second of its day', () => {
    expect(isoFromSerial(45351.999988, false)).toBe('2024-02-29T23:59:59');
    expect(isoFromSerial(45351.9999999, false)).toBe('2024-02-29T23:59:59');
    expect(isoFromSerial(45351.999999999, false)).toBe('2024-03-01');
    expect(isoFromSerial(0.25, false)).toBe('T06:00:00');
    expect(isoFromSerial(0, false)).toBe('T00:00:00');
    // The last time of a year in SQL Server.
    expect(isoFromText('2023-12-31T23:59:59.997')).toBe('2023-12-31T23:59:59');
    expect(isoFromText('2023-12-31T23:59:58.6')).toBe('2023-12-31T23:59:59');
    expect(isoFromText('10:59:59.99999')).toBe('T11:00:00');
  });

  it('comes back from what it is written as', () => {
    const seconds = fc.integer({ min: Date.UTC(1904, 0, 2) / 1000, max: Date.UTC(9999, 11, 31) / 1000 });
    fc.assert(
      fc.property(seconds, fc.boolean(), (second, date1904) => {
        const iso = new Date(second * 1000).toISOString().slice(0, 19).replace('T00:00:00', '');
        expect(isoFromSerial(serialFromIso(iso, date1904), date1904)).toBe(iso);
        expect(isoFromText(iso)).toBe(iso);
      }),
    );
  });

  it('is not read from a text that is not a date', () => {
    expect(['', 'Z', 'T', 'soon', '2024', '2024-13-01', '.5'].map(isoFromText)).toEqual(
      new Array(7).fill(null),
    );
    expect(() => serialFromIso('soon', false)).toThrow(RangeError);
  });
});

describe('a number format', () => {
  it.each([
    'yyyy-mm-dd',
    'd/m/yy',
    '[$-409]mmm yyyy',
    'h:mm AM/PM',
    '[h]',
    '[mm]:ss',
    'dd"."mm',
    'm',
    ';;yy',
    'e',
    '[$-411]ge',
  ])('%s shows a date', (code) => {
    expect(isDateFormat(code)).toBe(true);
  });

  it.each([
    'General',
    '0',
    '#,##0.00',
    '0.0 "days"',
    '0\\d',
    '[Red]0;[Blue](0)',
    '_-* #,##0.00\\ "€"_-',
    '0.00E+00',
    '0.0e-0',
    'General;-General',
    '# ?/?',
    '@',
    '[$USD] 0',
    '0_d',
    '',
  ])('%s shows none', (code) => {
    expect(isDateFormat(code)).toBe(false);
  });
});

describe('isPercentFormat', () => {
  it.each(['0%', '0.00 %', '[Red]-0.0%;0.0%', '??%'])('%s shows percent', (code) => {
    expect(isPercentFormat(code)).toBe(true);
  });

  it.each(['0', '0.0"%"', '0\\%', '[$%] 0', ''])('%s shows none', (code) => {
    expect(isPercentFormat(code)).toBe(false);
  });
});
