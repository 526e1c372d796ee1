// Plain rows of a workbook that are staged column by column equal those that are staged cell by cell:
// the same rows, codes, problems in order, and bytes of the snapshot.

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { columnLetters } from '../../../../ingest/messages/place.ts';
import { openXlsx } from '../../../../ingest/sources/readers/xlsx/reader.ts';
import { datasetOf } from '../../../../src/catalog/datasets.ts';
import { itInDepth, runs, some } from '../../../support/depth.ts';
import { SHEET_PART, workbookWith } from '../../../support/handmadeZip.ts';
import { everyWay } from './everyWay.ts';

const PLAIN_TEXTS = ['Europe', 'Malta', '', 'Betting', 'Sports', 'Online', 'Onshore', 'EUR', 'Current'];
const ODD_TEXTS = [
  ...[' ', ' Malta', 'Malta\u00a0', 'Slots²', 'Country', 'Cafe\u0301', 'a\u200bb', 'eur', 'EURO', '2020'],
  ...['20x4', 'y'.repeat(501), 'n/a', '1.234', '5', 'Total', 'GGR', 'turnover'],
];
const HEAD = [...datasetOf('ggr').dimensions, 'ggr'];
const YEARS = ['2019', '2020', '2021', '2022'];
const WIDE_HEAD = [...HEAD.slice(1, -1), ...YEARS];
const STRINGS = [...PLAIN_TEXTS, ...ODD_TEXTS, ...HEAD];

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
const SHARED = `<sst count="1" uniqueCount="${STRINGS.length}">${STRINGS.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join('')}</sst>`;
/**
 * The styles are General, two decimals, percent, a date, struck out, invisible, a unit, without the minus sign, and
 * white.
 */
const STYLES =
  '<styleSheet><numFmts count="3"><numFmt numFmtId="164" formatCode=";;;"/><numFmt numFmtId="165" formatCode="0&quot; m&quot;"/><numFmt numFmtId="166" formatCode="0;0"/></numFmts><fonts><font/><font><strike/></font><font><color rgb="FFFFFFFF"/></font></fonts><cellXfs count="9">' +
  '<xf numFmtId="0"/><xf numFmtId="2"/><xf numFmtId="9"/><xf numFmtId="14"/><xf numFmtId="0" fontId="1"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf fontId="2"/></cellXfs></styleSheet>';

/** The XML of a cell after `<c r="A1`; null for no cell. */
type CellXml = string | null;

const shared = (text: string): CellXml => `" t="s"><v>${STRINGS.indexOf(text)}</v></c>`;
const value = (number: number | string): CellXml => `"><v>${number}</v></c>`;

const oddCell = fc.oneof(
  fc.constantFrom(...ODD_TEXTS, ...PLAIN_TEXTS).map(shared),
  fc.constantFrom<CellXml>(
    ...[null, '"/>', '" s="1"/>', '" s="4"/>', '" t="n"/>', '" s="1" t="n"><v>2020</v></c>', '" t="s"/>'],
    ...['" s="2"><v>0.05</v></c>', '" s="3"><v>43831</v></c>', '" s="4" t="s"><v>1</v></c>'],
    ...[
      '" s="5"><v>5</v></c>',
      '" s="6"><v>5</v></c>',
      '" s="7"><v>-5</v></c>',
      '" s="7"><v>5</v></c>',
      '" s="8"><v>5</v></c>',
      '" t="inlineStr"><is><t>Malta</t></is></c>',
    ],
    ...['" t="str"><f>A1</f><v>Malta</v></c>', '"><f>A1</f><v>7</v></c>', '"><f>A1</f></c>', '"></c>'],
    ...['" t="b"><v>1</v></c>', '" t="e"><v>#N/A</v></c>', '"><v>1E5</v></c>', '"><v>-0</v></c>'],
    ...['"><v>1e999</v></c>', '" t="s"><v>999</v></c>', '" s="99"><v>1</v></c>', '"><v>20.5</v></c>'],
    ...['"><v>12345678901234567</v></c>', '"><v> 5 </v></c>', '" cm="1"><v>5</v></c>', '"><v>2020</v></c>'],
  ),
);
const number = fc.oneof(
  fc.integer({ min: -99_999, max: 99_999_999 }).map((cents) => value(cents / 100)),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(value),
);
const oftenPlain = (plain: CellXml) =>
  fc.oneof({ weight: 40, arbitrary: fc.constant(plain) }, { weight: 1, arbitrary: oddCell });
const oftenNumber = fc.oneof(
  { weight: 40, arbitrary: number },
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: oddCell },
);
const dimensions = PLAIN_TEXTS.map((text) => oftenPlain(shared(text)));
const longRow = fc.tuple(oftenPlain(value(2020)), ...dimensions, oftenNumber);
const wideRow = fc.tuple(...dimensions, ...YEARS.map(() => oftenNumber));

const tag = fc.oneof(
  { weight: 30, arbitrary: fc.constant(' spans="1:11"') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...['', ' ht="15" customHeight="1"', ' hidden="1"', ' x14ac:dyDescent="0.25"', " s='1'", ' r="7"'],
    ),
  },
);
/** The XML between two rows. Mostly there is none. */
const between = fc.oneof(
  { weight: 60, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom('\n', '<!-- a note -->', '<row/>', 'text', '<c r="A1"/>') },
);

interface RowXml {
  readonly cells: readonly CellXml[];
  readonly tag: string;
  readonly before: string;
  /** The number of rows that are left out before this one. */
  readonly gap: number;
}

const rowsOf = (cells: fc.Arbitrary<readonly CellXml[]>, head: readonly string[]) =>
  fc.array(
    fc.record({
      cells: fc.oneof(
        { weight: 40, arbitrary: cells },
        {
          weight: 1,
          arbitrary: fc.constantFrom<readonly CellXml[]>(
            [],
            [shared('Malta')],
            head.map((name) => (STRINGS.includes(name) ? shared(name) : value(name))),
            [...head.map(() => value(2020)), value(1)],
          ),
        },
      ),
      tag,
      before: between,
      gap: fc.oneof({ weight: 40, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(2) }),
    }),
    { maxLength: 60 },
  );

const row = (cells: readonly CellXml[]): RowXml => ({ cells, tag: ' spans="1:11"', before: '', gap: 0 });

function sheet(rows: readonly RowXml[], columns: string): string {
  let at = 0;
  const xml = rows.map(({ cells, tag: attributes, before, gap }) => {
    at += 1 + gap;
    const written = cells.map((cell, i) => (cell === null ? '' : `<c r="${columnLetters(i)}${at}${cell}`));
    return `${before}<row r="${at}"${attributes}>${written.join('')}</row>`;
  });
  return `<worksheet>${columns}<sheetData>${xml.join('')}</sheetData></worksheet>`;
}

/** The header is searched in the first rows. Only the rows after them come column by column. */
const PLAIN_ROWS = 230;
const LONG = [
  row(HEAD.map(shared)),
  ...Array.from({ length: PLAIN_ROWS }, (_, i) =>
    row([value(2020), ...PLAIN_TEXTS.map(shared), value(i / 4)]),
  ),
];
const WIDE = [
  row(WIDE_HEAD.map((name) => (STRINGS.includes(name) ? shared(name) : value(name)))),
  ...Array.from({ length: PLAIN_ROWS }, (_, i) =>
    row([...PLAIN_TEXTS.map(shared), ...YEARS.map((year) => value(Number(year) + i / 4))]),
  ),
];

const bookWith = (xml: string | Uint8Array): Buffer =>
  workbookWith({ 'xl/sharedStrings.xml': SHARED, 'xl/styles.xml': STYLES, [SHEET_PART]: xml });

const bookOf = (xml: string | Uint8Array) => async (folder: string) => {
  const file = path.join(folder, 'ggr.xlsx');
  await writeFile(file, bookWith(xml));
  return () => openXlsx(file, 'ggr.xlsx');
};

const hiddenColumns = fc.oneof(
  { weight: 9, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constant('<cols><col min="3" max="3" hidden="1"/></cols>') },
);
const damage = fc.option(
  fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), byte: fc.integer({ min: 32, max: 126 }) }),
  { freq: 3 },
);

/** A sheet in which one byte after the beginning is changed. */
function hurtSheet(
  beginning: readonly RowXml[],
  more: readonly RowXml[],
  columns: string,
  hurt: { readonly at: number; readonly byte: number } | null,
): Buffer {
  const bytes = Buffer.from(sheet([...beginning, ...more], columns));
  if (hurt === null) return bytes;
  const from = sheet(beginning, columns).length;
  bytes[Math.min(bytes.length - 1, from + Math.floor(hurt.at * (bytes.length - from)))] = hurt.byte;
  return bytes;
}

const SHEETS = [
  ['long', LONG, rowsOf(longRow, HEAD)],
  ['wide', WIDE, rowsOf(wideRow, WIDE_HEAD)],
] as const;

describe.each(some<(typeof SHEETS)[number]>(SHEETS, 1))('plain rows of a %s sheet', (_, beginning, rows) => {
  it('are staged as row by row, cell for cell and message for message, in damaged files too', async () => {
    await fc.assert(
      fc.asyncProperty(rows, hiddenColumns, damage, async (more, columns, hurt) => {
        const bytes = hurtSheet(beginning, more, columns, hurt);
        await everyWay(bookOf(bytes), 'ggr');
      }),
      { numRuns: runs(2, 8) },
    );
  }, 600_000);

  it('are staged without making rows of them', async () => {
    const more = Array.from({ length: 1_500 }, () => beginning.at(-1) as RowXml);
    const quick = await everyWay(bookOf(sheet([...beginning, ...more], '')), 'ggr', true);
    const { oddRows, columnRows, problems } = quick;
    // A row whose bytes lie in two pieces of the file is not read by column.
    expect({ isMost: columnRows > 1_400, isFew: oddRows < 60, problems }).toEqual({
      isMost: true,
      isFew: true,
      problems: [],
    });
  });
});

describe('plain rows of a sheet that a thread reads', () => {
  const inThread = (xml: string | Uint8Array) => async (folder: string) => {
    const file = path.join(folder, 'ggr.xlsx');
    await writeFile(file, bookWith(xml));
    return () => openXlsx(file, 'ggr.xlsx', { mayUseThread: true, threadFromBytes: 0 });
  };

  it.each(some<(typeof SHEETS)[number]>(SHEETS, 1))(
    'are staged as row by row, those of a damaged %s sheet too',
    async (_, beginning, rows) => {
      await fc.assert(
        fc.asyncProperty(rows, hiddenColumns, damage, async (more, columns, hurt) => {
          await everyWay(inThread(hurtSheet(beginning, more, columns, hurt)), 'ggr');
        }),
        { numRuns: runs(1, 4) },
      );
    },
    600_000,
  );

  itInDepth(
    'come with what the sheet says beside them, more rows than are on their way at a time',
    async () => {
      const more = Array.from({ length: 20_000 }, (_, i) => ({
        ...row([value(2020), ...PLAIN_TEXTS.map(shared), value(i / 4)]),
        tag: i % 5_000 === 0 ? ' hidden="1"' : ' spans="1:11"',
      }));
      const xml = sheet([...LONG, ...more], '<cols><col min="3" max="3"/></cols>').replace(
        '</worksheet>',
        '<mergeCells><mergeCell ref="A20:A21"/></mergeCells></worksheet>',
      );
      let threads = 0;
      const onThread = () => {
        threads += 1;
      };
      process.on('worker', onThread);
      const { columnRows, problems } = await everyWay(inThread(xml), 'ggr').finally(() =>
        process.off('worker', onThread),
      );
      expect({ columnRows: columnRows > 19_900, problems: problems.length, threads: threads > 0 }).toEqual({
        columnRows: true,
        problems: 2,
        threads: true,
      });
    },
  );
});
