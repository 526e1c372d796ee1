// Writes .xlsx workbooks as a stream. The same input always gives the same bytes.

import { strToU8, Zip, ZipDeflate } from 'fflate';
import {
  contentTypes,
  RELATIONSHIPS,
  relationships,
  SPREADSHEET_ML,
  workbookText,
  XML_DECLARATION,
} from '../../src/text/workbookParts.ts';
import { type SharedParts, type SheetInput, sheetPart, textXml } from './sheets.ts';

export interface WorkbookOptions {
  /** Where texts are stored. `shared`: once for the workbook, as by spreadsheet programs. `inline`: in the cells. */
  readonly strings?: 'shared' | 'inline';
  /** Whether days count from 1904, as in old workbooks of Macintosh computers. */
  readonly date1904?: boolean;
  /** The level of compression, 6 if undefined. Writing without compression (0) takes a fifth of the time. */
  readonly level?: 0 | 6;
}

/** The bytes of a workbook. Its sheets have the given order. */
export function workbook(sheets: readonly SheetInput[], options: WorkbookOptions = {}): Uint8Array {
  const chunks: Uint8Array[] = [];
  writeWorkbook(sheets, options, (chunk) => chunks.push(chunk));
  return Buffer.concat(chunks);
}

/** Like `workbook`, but passes each chunk to `write` as soon as it is ready. Memory does not grow with the rows. */
export function writeWorkbook(
  sheets: readonly SheetInput[],
  options: WorkbookOptions,
  write: (chunk: Uint8Array) => void,
): void {
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    write(chunk);
  });
  const strings = options.strings === 'inline' ? null : new Map<string, number>();
  const shared: SharedParts = {
    strings,
    styles: new Map([['General', 0]]),
    date1904: options.date1904 ?? false,
  };
  const add = (name: string, xml: Iterable<string>) => addPart(zip, name, xml, options.level ?? 6);
  add('[Content_Types].xml', [contentTypes(sheets.length, strings !== null)]);
  add('_rels/.rels', [relationships([['officeDocument', 'xl/workbook.xml']])]);
  add('xl/workbook.xml', [workbookPart(sheets, shared.date1904)]);
  add('xl/_rels/workbook.xml.rels', [
    relationships([
      ...sheets.map((_, i) => ['worksheet', `worksheets/sheet${i + 1}.xml`] as const),
      ['styles', 'styles.xml'],
      ...(strings ? [['sharedStrings', 'sharedStrings.xml'] as const] : []),
    ]),
  ]);
  for (const [i, sheet] of sheets.entries()) {
    add(`xl/worksheets/sheet${i + 1}.xml`, sheetPart(sheet, shared));
  }
  // These parts come last: writing the sheets collects their texts and formats.
  if (strings) add('xl/sharedStrings.xml', sharedStringsPart(strings));
  add('xl/styles.xml', [stylesPart([...shared.styles.keys()])]);
  zip.end();
}

// The zip format stores local time. Local fields give the same bytes in every time zone.
const ZIP_TIME = new Date(1980, 0, 1);
const PIECE_CHARACTERS = 64 * 1024;

function addPart(zip: Zip, name: string, xml: Iterable<string>, level: 0 | 6): void {
  const part = new ZipDeflate(name, { level });
  part.mtime = ZIP_TIME;
  zip.add(part);
  let piece = XML_DECLARATION;
  for (const text of xml) {
    piece += text;
    if (piece.length < PIECE_CHARACTERS) continue;
    part.push(strToU8(piece));
    piece = '';
  }
  part.push(strToU8(piece), true);
}

function workbookPart(sheets: readonly SheetInput[], date1904: boolean): string {
  const each = sheets.map(({ name, state }, i) => {
    const hidden = state && state !== 'visible' ? ` state="${state}"` : '';
    return `<sheet name="${workbookText(name)}" sheetId="${i + 1}"${hidden} r:id="rId${i + 1}"/>`;
  });
  return (
    `<workbook xmlns="${SPREADSHEET_ML}" xmlns:r="${RELATIONSHIPS}">${date1904 ? '<workbookPr date1904="1"/>' : ''}` +
    `<sheets>${each.join('')}</sheets></workbook>`
  );
}

function* sharedStringsPart(strings: ReadonlyMap<string, number>): Iterable<string> {
  yield `<sst xmlns="${SPREADSHEET_ML}" uniqueCount="${strings.size}">`;
  for (const text of strings.keys()) yield `<si>${textXml(text)}</si>`;
  yield '</sst>';
}

function stylesPart(formats: readonly string[]): string {
  // Spreadsheet programs reserve the ids below 164 for built-in formats.
  const id = (i: number) => (i === 0 ? 0 : 163 + i);
  const numFmts = formats
    .slice(1)
    .map((f, i) => `<numFmt numFmtId="${id(i + 1)}" formatCode="${workbookText(f)}"/>`);
  const xfs = formats.map(
    (_, i) => `<xf numFmtId="${id(i)}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
  );
  return (
    `<styleSheet xmlns="${SPREADSHEET_ML}">` +
    (numFmts.length ? `<numFmts count="${numFmts.length}">${numFmts.join('')}</numFmts>` : '') +
    '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>' +
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="${xfs.length}">${xfs.join('')}</cellXfs>` +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
  );
}
