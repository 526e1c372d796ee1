// Rows that are read column by column are those that the walker reads one by one.
// The sheets are regular, a few of their bytes are changed, and they are cut into pieces anywhere.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { UnreadableError } from '../../../../../ingest/messages/fault.ts';
import { columnLetters, wholeSheet } from '../../../../../ingest/messages/place.ts';
import { type ColumnKind, isColumns, type RawRow } from '../../../../../ingest/sources/readers/rawFile.ts';
import { SheetReader } from '../../../../../ingest/sources/readers/xlsx/sheetReader.ts';
import type { CellContext } from '../../../../../ingest/sources/readers/xlsx/xlsxCellValue.ts';
import { itInDepth, runs } from '../../../../support/depth.ts';

const PLACE = wholeSheet('ggr.xlsx', 'Data');
const STRINGS = Array.from({ length: 120 }, (_, i) => `text ${i}`);
/** The styles are General, percent, and a struck-out cell. */
const CONTEXT: CellContext = {
  date1904: false,
  calculatesOnLoad: false,
  collectsFormulas: false,
  strings: STRINGS,
  struckStrings: new Set(),
  colouredNumbers: new Map(),
  styles: {
    kinds: [{ kind: 'number' }, { kind: 'percent' }, { kind: 'number' }],
    looks: Uint8Array.of(0, 0, 1),
    formats: null,
    conditional: [],
    colours: [],
    palette: [],
  },
};

type Outcome = { readonly rows: readonly RawRow[] } | { readonly fault: unknown };

/** The rows of a sheet, or the reason why it cannot be read. */
async function outcome(xml: Buffer, cuts: readonly number[], kinds: readonly ColumnKind[] | null) {
  const ends = [...cuts.map((cut) => cut % (xml.length + 1)), xml.length].sort((a, b) => a - b);
  async function* pieces() {
    let start = 0;
    for (const end of ends) {
      if (end > start) yield Buffer.from(xml.subarray(start, end));
      start = end;
    }
  }
  const rows: RawRow[] = [];
  let columnwise = 0;
  try {
    const reader = new SheetReader(pieces(), PLACE, CONTEXT);
    for await (const batch of kinds === null ? reader.rows() : reader.columns(kinds)) {
      if (!isColumns(batch)) {
        rows.push(...batch);
        continue;
      }
      for (let i = 0; i < batch.count; i++) {
        rows.push(batch.rawRow(i) ?? { row: batch.rows[i] ?? 0, cells: [] });
        columnwise += 1 - (batch.odd[i] ?? 1);
      }
    }
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return { read: { fault: error.fault } satisfies Outcome as Outcome, columnwise };
  }
  return { read: { rows } satisfies Outcome as Outcome, columnwise };
}

/** Spaces behind the rows: the reader reads a cell by its column's form only while the piece has room for a whole cell. */
const AFTER = ' '.repeat(100);

/** The form of a column: its kind, and the XML of a cell between the number of its row and its value. */
type Form = readonly [kind: ColumnKind, xml: string];
const PLAIN: readonly Form[] = [
  ['texts', '" t="s"><v>'],
  ['texts', '" s="1" t="s"><v>'],
  ['numbers', '"><v>'],
  ['numbers', '" s="0"><v>'],
  ['numbers', '" s="0" t="n"><v>'],
  ['texts', '" s="1"/>'],
];
const ODD: readonly Form[] = [
  ['texts', '"><v>'],
  ['texts', '"/>'],
  ['numbers', '" s="1"><v>'],
  ['numbers', '" s="2"><v>'],
];
const column = fc.oneof(
  { weight: 40, arbitrary: fc.constantFrom(...PLAIN) },
  { weight: 1, arbitrary: fc.constantFrom(...ODD) },
);
const ODD_NUMBERS = [
  '0',
  '-0',
  '.5',
  '5.',
  '1.0',
  '007',
  '123456789012345',
  '1234567890123456',
  '-',
  '.',
  '1.2.3',
];
const anyNumber = fc.oneof(
  {
    weight: 40,
    arbitrary: fc.integer({ min: -9_999_999, max: 9_999_999 }).map((cents) => `${cents / 100}`),
  },
  { weight: 9, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).map(String) },
  { weight: 2, arbitrary: fc.constantFrom(...ODD_NUMBERS) },
);
const anyText = fc.oneof(
  { weight: 60, arbitrary: fc.nat(STRINGS.length - 1).map(String) },
  { weight: 1, arbitrary: fc.constantFrom('007', '120', '2020', '4294967296', '99999999999999999999') },
);
const sheet = fc
  .record({
    columns: fc.array(column, { minLength: 1, maxLength: 30 }),
    firstRow: fc.constantFrom(1, 7, 96, 996, 9_996, 99_996, 999_996),
    rows: fc.array(fc.record({ tag: fc.constantFrom('', '', ' spans="1:3"'), gap: fc.nat(40) }), {
      minLength: 3,
      maxLength: 20,
    }),
    numbers: fc.array(anyNumber, { minLength: 7, maxLength: 7 }),
    texts: fc.array(anyText, { minLength: 5, maxLength: 5 }),
  })
  .map(({ columns, firstRow, rows, numbers, texts }) => {
    const written = rows.map(({ tag, gap }, i) => {
      const row = firstRow + i;
      const cells = columns.map(([kind, form], index) => {
        if (index === gap) return '';
        const start = `<c r="${columnLetters(index)}${row}${form}`;
        if (form.endsWith('/>')) return start;
        const isNumber = kind === 'numbers';
        const value = isNumber ? numbers[(i + index) % numbers.length] : texts[(i + index) % texts.length];
        return `${start}${value}</v></c>`;
      });
      return `<row r="${row}"${tag}>${cells.join('')}</row>`;
    });
    return {
      kinds: columns.map(([kind]) => kind),
      xml: `<worksheet><sheetData>${written.join('')}</sheetData></worksheet>${AFTER}`,
    };
  });

const change = fc.record({
  at: fc.nat(),
  remove: fc.nat(2),
  insert: fc.constantFrom(...'<>/"= 0129AB.-csrtv\n', '', '', '</c>', '<c r="', '00'),
});

describe('a sheet read column by column', () => {
  it('has the rows, or the fault, of the same sheet read row by row', async () => {
    let columnwise = 0;
    await fc.assert(
      fc.asyncProperty(
        sheet,
        fc.array(change, { maxLength: 2 }),
        fc.array(fc.nat(), { maxLength: 3 }),
        async ({ xml, kinds }, changes, cuts) => {
          const changed = changes.reduce((text, { at, remove, insert }) => {
            const start = at % text.length;
            return text.slice(0, start) + insert + text.slice(start + remove);
          }, xml);
          const bytes = Buffer.from(changed);
          const byColumn = await outcome(bytes, cuts, kinds);
          columnwise += byColumn.columnwise;
          expect(byColumn.read).toEqual((await outcome(bytes, [], null)).read);
        },
      ),
      { numRuns: runs(60, 300) },
    );
    expect(columnwise).toBeGreaterThan(60);
  });

  itInDepth('has them whichever byte of a row in known forms is another one', async () => {
    const forms = [...PLAIN, ...Array.from({ length: 21 }, () => PLAIN[0] as Form), ...PLAIN.slice(0, 2)];
    const rowOf = (row: number) => {
      const cells = forms.map(([kind, form], index) => {
        const value = kind === 'texts' ? '12</v></c>' : '-45.25</v></c>';
        return `<c r="${columnLetters(index)}${row}${form}${form.endsWith('/>') ? '' : value}`;
      });
      return `<row r="${row}">${cells.join('')}</row>`;
    };
    const kinds = forms.map(([kind]) => kind);
    const before = `<worksheet><sheetData>${rowOf(12345)}${rowOf(12346)}`;
    const after = `${rowOf(12348)}</sheetData></worksheet>${AFTER}`;
    const row = rowOf(12347);
    const OTHERS = ['', '0', '<', '"'];
    const most = 190;
    for (let at = 0; at < row.length; at++) {
      if (at === most) at = row.length - most;
      for (const other of OTHERS) {
        const xml = Buffer.from(`${before}${row.slice(0, at)}${other}${row.slice(at + 1)}${after}`);
        const byColumn = await outcome(xml, [], kinds);
        expect([at, other, byColumn.read]).toEqual([at, other, (await outcome(xml, [], null)).read]);
      }
    }
  });
});
