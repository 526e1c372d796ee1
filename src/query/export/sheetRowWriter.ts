// Writes the rows of a sheet, with the address of each cell.

import type { Table } from '../../catalog/columns.ts';
import { isText } from '../../catalog/datasets.ts';
import { bytesOfPiece, type PieceColumn, piecesOf, type TextPiece } from '../rendering/pieces.ts';
import type { RowWriter } from '../rendering/renderCsv.ts';

/** The letter of a column: `A` for 1. No dataset has more than 26 columns. */
export const columnName = (column: number): string => String.fromCharCode('A'.charCodeAt(0) + column - 1);

/** The style that shows all digits of a figure. */
export const ALL_DIGITS = 2;
/** The least number that Excel shows as 1E+11 in a cell without a style. It has twelve digits. */
const TWELVE_DIGITS = 1e11;

/**
 * A writer for the rows below a sheet's header. Each call writes the next row of the sheet.
 *
 * Every cell has its address. The standard allows cells without one (ECMA-376 §18.3.1.4), but readers such as openxlsx
 * for R and exceljs cannot read them.
 *
 * @param stringOf gives the index of a text among the shared strings.
 */
export function sheetRowWriter(table: Table, stringOf: (column: number, code: number) => number): RowWriter {
  const nextNumber = countFrom(FIRST_ROW);
  let prepared = prepare(table, stringOf, 1);
  return (out, position) => {
    const number = nextNumber();
    if (number.length > prepared.digits) prepared = prepare(table, stringOf, number.length);
    const { start, pieces, figures } = prepared;
    overwrite(start, ROW.length, number);
    out.bytes(start);
    for (const piece of pieces) out.bytes(withRowNumber(piece, position, number));
    for (const { values, before, beforeLarge, after, missing } of figures) {
      const value = values[position] ?? Number.NaN;
      const bytes = Number.isNaN(value) ? missing : isTooLarge(value) ? beforeLarge : before;
      overwrite(bytes, 0, number);
      out.bytes(bytes);
      if (bytes === missing) continue;
      out.number(value);
      out.bytes(after);
    }
  };
}

/** Whether a figure is a whole number with so many digits that it needs the style ALL_DIGITS. */
const isTooLarge = (value: number): boolean => Math.abs(value) >= TWELVE_DIGITS && Number.isInteger(value);

/** The texts of rows whose row numbers have `digits` digits. Zeros stand in place of the row number. */
interface PreparedTexts {
  readonly digits: number;
  /** The text up to the row number in the first cell's address. */
  readonly start: Uint8Array;
  /** Each fragment of a piece begins with the row number. It ends before the row number in the next cell's address. */
  readonly pieces: readonly TextPiece[];
  readonly figures: readonly MetricCells[];
}

/** The cells of a metric. */
interface MetricCells {
  readonly values: Float64Array;
  /** The texts around a figure. The text before it begins with the row number. */
  readonly before: Uint8Array;
  /** The same as `before`, for a figure that needs the style ALL_DIGITS. */
  readonly beforeLarge: Uint8Array;
  readonly after: Uint8Array;
  /** The text of a cell without a figure. It begins with the row number. */
  readonly missing: Uint8Array;
}

function prepare(
  { dimensions, metrics }: Table,
  stringOf: (column: number, code: number) => number,
  digits: number,
): PreparedTexts {
  const zeros = '0'.repeat(digits);
  const last = dimensions.size + metrics.size;
  /** The text after the content of a cell. */
  const after = (column: number) => (column === last ? '</c></row>' : `</c><c r="${columnName(column + 1)}`);
  const columns = [...dimensions].map(([name, { codes, values }], i): PieceColumn => {
    const cell = (value: string, code: number) =>
      isText(name) ? `" t="s"><v>${stringOf(i, code)}</v>` : `"><v>${value}</v>`;
    const fragments = values.map((value, code) => zeros + cell(value, code) + after(i + 1));
    return { codes, size: values.length, fragments };
  });
  const figures = [...metrics.values()].map((values, i): MetricCells => {
    const end = after(dimensions.size + i + 1);
    const before = Buffer.from(`${zeros}"><v>`);
    const beforeLarge = Buffer.from(`${zeros}" s="${ALL_DIGITS}"><v>`);
    const missing = Buffer.from(`${zeros}">${end}`);
    return { values, before, beforeLarge, after: Buffer.from(`</v>${end}`), missing };
  });
  const start = Buffer.from(`${ROW}${zeros}"><c r="${columnName(1)}`);
  return { digits, start, pieces: piecesOf(columns, MAX_COMBINATIONS, UNSHARED_TEXTS), figures };
}

/** The bytes of a piece for the row at `position`, with the row number in all addresses. */
function withRowNumber(piece: TextPiece, position: number, number: Uint8Array): Uint8Array {
  const bytes = bytesOfPiece(piece, position);
  let offset = 0;
  for (const { codes, fragments } of piece.columns) {
    overwrite(bytes, offset, number);
    // All characters of a fragment are ASCII, so its length is its number of bytes.
    offset += fragments[codes[position] ?? 0]?.length ?? 0;
  }
  return bytes;
}

function overwrite(bytes: Uint8Array, offset: number, number: Uint8Array): void {
  for (let i = 0; i < number.length; i += 1) bytes[offset + i] = number[i] ?? ZERO;
}

/** The number of the row below the header. */
const FIRST_ROW = 2;
const ROW = '<row r="';

/** Texts are prepared for each workbook. With more combinations they would take too much memory. */
const MAX_COMBINATIONS = 2 ** 12;

/** Stores each text in a buffer of its own, outside the memory that prepared texts of pages share. */
const UNSHARED_TEXTS = { reserve() {}, store: (text: string) => Buffer.from(text) };

/** Counts up from `first`. Each call gives the digits of the next number, which are valid until the next call. */
function countFrom(first: number): () => Uint8Array {
  let digits = Buffer.from(String(first - 1));
  return () => {
    let i = digits.length - 1;
    while (i >= 0 && digits[i] === NINE) digits[i--] = ZERO;
    if (i < 0) digits = Buffer.concat([Buffer.from('1'), digits]);
    else digits[i] = (digits[i] ?? ZERO) + 1;
    return digits;
  };
}

const [ZERO, NINE] = [0x30, 0x39];
