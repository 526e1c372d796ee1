// Writes a selection as an Excel workbook: one sheet with the rows, and one that describes them.

import { type BufferLease, type BufferPool, unpooledLease } from '../../cache/bufferPool.ts';
import type { Table } from '../../catalog/columns.ts';
import { isText } from '../../catalog/datasets.ts';
import {
  contentTypes,
  RELATIONSHIPS,
  relationships,
  SPREADSHEET_ML,
  workbookText,
  XML_DECLARATION,
} from '../../text/workbookParts.ts';
import type { RowBlock } from '../selection/matchingRows.ts';
import type { ExportSlices } from '../yielding.ts';
import { columnName, sheetRowWriter } from './sheetRowWriter.ts';
import { writeRows } from './textChunks.ts';
import { type ZipEntry, zipArchive } from './zipArchive.ts';

/** The most rows of data that a sheet can hold below its header. */
export const MAX_SHEET_ROWS = 1_048_575;

export type AboutLine = readonly [label: string, value: string | number];

export interface Workbook {
  readonly table: Table;
  readonly blocks: AsyncIterable<RowBlock>;
  readonly rows: number;
  readonly about: readonly AboutLine[];
}

/** The bytes of the workbook in pieces. The workbook is a zip archive, and is written while `workbook.blocks` are read. */
export function xlsxFile(
  workbook: Workbook,
  buffers: BufferPool,
  slices: ExportSlices,
): AsyncGenerator<BufferLease> {
  const { table, rows, about } = workbook;
  const header = [...table.dimensions.keys(), ...table.metrics.keys()];
  const range = `A1:${columnName(header.length)}${rows + 1}`;
  const texts = [...header, ...about.flat().filter((one) => typeof one === 'string')];
  const firstText = stringsOf(table).reduce((sum, values) => sum + values.length, 0);
  const parts: Readonly<Record<string, AsyncIterable<BufferLease>>> = {
    '[Content_Types].xml': part(contentTypes(2, true)),
    '_rels/.rels': part(relationships([['officeDocument', 'xl/workbook.xml']])),
    'xl/workbook.xml': text(workbookXml(table.dataset, range)),
    'xl/_rels/workbook.xml.rels': part(
      relationships([
        ['worksheet', 'worksheets/sheet1.xml'],
        ['worksheet', 'worksheets/sheet2.xml'],
        ['styles', 'styles.xml'],
        ['sharedStrings', 'sharedStrings.xml'],
      ]),
    ),
    'xl/styles.xml': text(STYLES),
    'xl/sharedStrings.xml': text(sharedStrings([...stringsOf(table).flat(), ...texts])),
    'xl/worksheets/sheet1.xml': dataSheet(workbook, { firstText, range }, buffers, slices),
    'xl/worksheets/sheet2.xml': text(aboutSheet(about, firstText + header.length)),
  };
  return zipArchive(
    Object.entries(parts).map(([name, chunks]): ZipEntry => ({ name, chunks })),
    slices,
  );
}

/** The chunks of a part of the archive: the XML declaration, and then `xml`. */
const part = (xml: string): AsyncGenerator<BufferLease> => text(XML_DECLARATION + xml);

async function* text(xml: string): AsyncGenerator<BufferLease> {
  yield unpooledLease(Buffer.from(xml));
}

const [PLAIN, BOLD, LEFT] = [0, 1, 3];
/** The number of Excel's built-in number format `0`, which shows whole numbers in full. */
const WHOLE_NUMBER = 1;

/** Defines the styles of cells, in the order of PLAIN, BOLD, ALL_DIGITS in `sheetRowWriter.ts`, and LEFT. */
const STYLES = `${XML_DECLARATION}<styleSheet xmlns="${SPREADSHEET_ML}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="${WHOLE_NUMBER}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" applyAlignment="1"><alignment horizontal="left"/></xf></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

function workbookXml(dataset: string, range: string): string {
  const absolute = range.replace(/([A-Z]+)(\d+)/g, '$$$1$$$2');
  return `${XML_DECLARATION}<workbook xmlns="${SPREADSHEET_ML}" xmlns:r="${RELATIONSHIPS}"><sheets><sheet name="${dataset}" sheetId="1" r:id="rId1"/><sheet name="About" sheetId="2" r:id="rId2"/></sheets><definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">${dataset}!${absolute}</definedName></definedNames></workbook>`;
}

/** The values of each dimension that become shared strings. Those of a numeric dimension are written into the cells. */
const stringsOf = ({ dimensions }: Table): (readonly string[])[] =>
  [...dimensions].map(([name, { values }]) => (isText(name) ? values : []));

/** The table of all texts of the workbook. Cells refer to it, because openxlsx misreads texts inside cells. */
function sharedStrings(texts: readonly string[]): string {
  const items = texts.map((text) => `<si><t xml:space="preserve">${workbookText(text)}</t></si>`);
  return `${XML_DECLARATION}<sst xmlns="${SPREADSHEET_ML}" uniqueCount="${texts.length}">${items.join('')}</sst>`;
}

/**
 * The sheet of the rows.
 *
 * @param firstText the index of the first heading among the shared strings, after the values of all dimensions.
 */
async function* dataSheet(
  { table, blocks }: Workbook,
  { firstText, range }: { readonly firstText: number; readonly range: string },
  buffers: BufferPool,
  slices: ExportSlices,
): AsyncGenerator<BufferLease> {
  const columns = table.dimensions.size + table.metrics.size;
  const cells = Array.from({ length: columns }, (_, i) =>
    textCell(`${columnName(i + 1)}1`, firstText + i, BOLD),
  );
  yield* text(
    `${XML_DECLARATION}<worksheet xmlns="${SPREADSHEET_ML}"><dimension ref="${range}"/><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>${columnWidths(table)}<sheetData><row r="1">${cells.join('')}</row>`,
  );
  const firstString: number[] = [];
  let strings = 0;
  for (const values of stringsOf(table)) {
    firstString.push(strings);
    strings += values.length;
  }
  const write = sheetRowWriter(table, (column, code) => (firstString[column] ?? 0) + code);
  yield* writeRows(write, blocks, buffers, slices);
  yield* text(`</sheetData><autoFilter ref="${range}"/></worksheet>`);
}

/** Makes each column as wide as its heading and its longest text, or as a figure of 15 digits. */
function columnWidths({ dimensions, metrics }: Table): string {
  const longest = [
    ...[...dimensions.values()].map(({ values }) =>
      values.reduce((most, { length }) => Math.max(most, length), 0),
    ),
    ...[...metrics].map(() => FIGURE_CHARACTERS),
  ];
  const columns = [...dimensions.keys(), ...metrics.keys()].map((heading, i) => {
    const characters = Math.max(heading.length + FILTER_CHARACTERS, longest[i] ?? 0);
    const width = Math.min(characters, MOST_CHARACTERS) + MARGIN_CHARACTERS;
    return `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`;
  });
  return `<cols>${columns.join('')}</cols>`;
}

/** Widths are in characters. Above each column, the button of the filter covers a part of the heading. */
const [FIGURE_CHARACTERS, FILTER_CHARACTERS, MARGIN_CHARACTERS, MOST_CHARACTERS] = [15, 2, 2, 40];

/**
 * The sheet that describes the rows.
 *
 * @param first the index of the first label among the shared strings. Each label is followed by its text, if it has
 * one, and then by the next label.
 */
function aboutSheet(about: Workbook['about'], first: number): string {
  let index = first;
  const rows = about.map(([, value], i) => {
    const [label, address] = [textCell(`A${i + 1}`, index++, BOLD), `B${i + 1}`];
    const cell =
      typeof value === 'number'
        ? `<c r="${address}" s="${LEFT}"><v>${value}</v></c>`
        : textCell(address, index++, PLAIN);
    return `<row r="${i + 1}">${label}${cell}</row>`;
  });
  return `${XML_DECLARATION}<worksheet xmlns="${SPREADSHEET_ML}"><cols><col min="1" max="1" width="24" customWidth="1"/><col min="2" max="2" width="90" customWidth="1"/></cols><sheetData>${rows.join('')}</sheetData></worksheet>`;
}

const textCell = (address: string, index: number, style: number): string =>
  `<c r="${address}" s="${style}" t="s"><v>${index}</v></c>`;
