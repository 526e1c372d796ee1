// Writes the rows of a sheet, with the address of each cell.

import type { Table } from '../../catalog/columns.ts';
import { dimensionOf } from '../../catalog/datasets.ts';
import type { RowWriter } from '../rowWriter.ts';

/** The letter of a column: `A` for 1. No dataset has more than 26 columns. */
export const columnName = (column: number): string => String.fromCharCode('A'.charCodeAt(0) + column - 1);

/**
 * A writer for the rows below a sheet's header. Each call writes the next row of the sheet.
 *
 * Every cell has its address. The standard allows cells without one (ECMA-376 §18.3.1.4), but readers such as openxlsx
 * for R and exceljs cannot read them.
 *
 * @param stringOf gives the index of a text among the shared strings.
 */
export function sheetRowWriter(
  { dimensions, metrics }: Table,
  stringOf: (column: number, code: number) => number,
): RowWriter {
  const last = dimensions.size + metrics.size;
  /** The text after the content of a cell, up to the row number in the address of the next cell. */
  const after = (column: number) => (column === last ? '</c></row>' : `</c><c r="${columnName(column + 1)}`);
  const keys = [...dimensions].map(([name, { codes, values }], i) => {
    const isText = dimensionOf(name).type === 'text';
    const cell = (code: number) =>
      Buffer.from(
        isText
          ? `" t="s"><v>${stringOf(i, code)}</v>${after(i + 1)}`
          : `"><v>${values[code] ?? ''}</v>${after(i + 1)}`,
      );
    const prepared = values.length <= MAX_PREPARED ? values.map((_, code) => cell(code)) : [];
    return { codes, cellOf: (code: number) => prepared[code] ?? cell(code) };
  });
  const figures = [...metrics.values()].map((values, i) => {
    const end = after(dimensions.size + i + 1);
    return { values, end: Buffer.from(`</v>${end}`), missing: Buffer.from(`">${end}`) };
  });
  const nextNumber = countFrom(FIRST_ROW);
  return (out, position) => {
    const number = nextNumber();
    out.bytes(ROW);
    out.bytes(number);
    out.bytes(FIRST_CELL);
    for (const { codes, cellOf } of keys) {
      out.bytes(number);
      out.bytes(cellOf(codes[position] ?? 0));
    }
    for (const { values, end, missing } of figures) {
      out.bytes(number);
      const value = values[position] ?? Number.NaN;
      if (Number.isNaN(value)) out.bytes(missing);
      else {
        out.bytes(BEFORE_NUMBER);
        out.number(value);
        out.bytes(end);
      }
    }
  };
}

/** The number of the row below the header. */
const FIRST_ROW = 2;
const ROW = Buffer.from('<row r="');
const FIRST_CELL = Buffer.from(`"><c r="${columnName(1)}`);
const BEFORE_NUMBER = Buffer.from('"><v>');

/**
 * The cells of a column with more distinct values than this are not prepared, because they would take too much memory.
 */
const MAX_PREPARED = 2 ** 12;

/** Counts up from `first`. Each call gives the digits of the next number, which are valid until the next call. */
function countFrom(first: number): () => Uint8Array {
  let digits = Buffer.from(String(first - 1));
  return () => {
    let at = digits.length - 1;
    while (at >= 0 && digits[at] === NINE) digits[at--] = ZERO;
    if (at < 0) digits = Buffer.concat([Buffer.from('1'), digits]);
    else digits[at] = (digits[at] ?? ZERO) + 1;
    return digits;
  };
}

const [ZERO, NINE] = [0x30, 0x39];
