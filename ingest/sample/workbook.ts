// Writes .xlsx workbooks as a stream. The same input always gives the same bytes.

import { strToU8, Zip, ZipDeflate } from 'fflate';
import { workbookText } from '../../src/workbookText.ts';
import { columnLetters } from '../messages/place.ts';
import { serialFromIso } from '../sources/readers/dates.ts';

/** The content of a cell. Null leaves the cell out of the file. */
export type CellInput = null | string | number | boolean | CellDetails;

/** A cell that is more than a plain value: a value, date, error or formula, each with or without a number format. */
export type CellDetails = (
  | { readonly value: string | number | boolean }
  /** A date as `YYYY-MM-DD` or `YYYY-MM-DDTHH:MM:SS`. It is stored as a day number with a date format. */
  | { readonly date: string }
  /** A spreadsheet error such as `#N/A`. */
  | { readonly error: string }
  /** A formula without its `=`. Without `cached`, it is a formula that was never calculated. */
  | { readonly formula: string; readonly cached?: string | number | boolean }
) & {
  /** A number format such as `#,##0`. It takes the place of the format of the column. */
  readonly format?: string;
};

/** The cells of a row from column A on. `row`, from 1, is the number of the row; without it, the row follows the last one. */
export type RowInput = readonly CellInput[] | { readonly row: number; readonly cells: readonly CellInput[] };

export interface SheetInput {
  readonly name: string;
  readonly state?: 'visible' | 'hidden' | 'veryHidden';
  /** The rows. They are iterated once, so a generator may yield any number of rows. */
  readonly rows: Iterable<RowInput>;
  /** The number format of each column from A on: `0`, `#,##0`, `0.0`, `yyyy-mm-dd`. */
  readonly formats?: readonly (string | undefined)[];
  /** Merged ranges such as `A1:C1`. */
  readonly merged?: readonly string[];
  readonly validations?: readonly Validation[];
}

/** Cells with a drop-down list. Other values may be typed too. */
export interface Validation {
  /** The range of the cells: `C4:C5004`. */
  readonly range: string;
  /** The cells with the values of the list: `Lists!$A$2:$A$9`. */
  readonly choices: string;
}

export interface WorkbookOptions {
  /** Where texts are stored: `shared` means once for the workbook, as spreadsheet programs do; `inline` means in the cells. */
  readonly strings?: 'shared' | 'inline';
  /** Whether days count from 1904, as in old workbooks of Macintosh computers. */
  readonly date1904?: boolean;
  /** 0 writes the parts as they are, in a fifth of the time; 6 unless said otherwise. */
  readonly level?: 0 | 6;
}

/** The bytes of a workbook; its sheets are in the order given. */
export function workbook(sheets: readonly SheetInput[], options: WorkbookOptions = {}): Uint8Array {
  const chunks: Uint8Array[] = [];
  writeWorkbook(sheets, options, (chunk) => chunks.push(chunk));
  return Buffer.concat(chunks);
}

/** Like `workbook`, but passes each chunk to `write` when it is ready, so memory does not grow with the rows. */
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
  const book: Book = { strings, styles: new Map([['General', 0]]), date1904: options.date1904 ?? false };
  const add = (name: string, xml: Iterable<string>) => addPart(zip, name, xml, options.level ?? 6);
  add('[Content_Types].xml', [contentTypes(sheets.length, strings !== null)]);
  add('_rels/.rels', [relationships([['officeDocument', 'xl/workbook.xml']])]);
  add('xl/workbook.xml', [workbookPart(sheets, book.date1904)]);
  add('xl/_rels/workbook.xml.rels', [
    relationships([
      ...sheets.map((_, i) => ['worksheet', `worksheets/sheet${i + 1}.xml`] as const),
      ['styles', 'styles.xml'],
      ...(strings ? [['sharedStrings', 'sharedStrings.xml'] as const] : []),
    ]),
  ]);
  for (const [i, sheet] of sheets.entries()) {
    add(`xl/worksheets/sheet${i + 1}.xml`, sheetPart(sheet, book));
  }
  // These parts come last: writing the sheets collects their texts and formats.
  if (strings) add('xl/sharedStrings.xml', sharedStringsPart(strings));
  add('xl/styles.xml', [stylesPart([...book.styles.keys()])]);
  zip.end();
}

/** Texts and formats shared by the sheets, collected while they are written. */
interface Book {
  /** Text → its index; `null` when texts are stored inline. */
  readonly strings: Map<string, number> | null;
  /** Number format → its index among the cell styles. */
  readonly styles: Map<string, number>;
  readonly date1904: boolean;
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

// The zip format stores local time. Local fields give the same bytes in every time zone.
const ZIP_TIME = new Date(1980, 0, 1);
const PIECE_CHARACTERS = 64 * 1024;

function addPart(zip: Zip, name: string, xml: Iterable<string>, level: 0 | 6): void {
  const part = new ZipDeflate(name, { level });
  part.mtime = ZIP_TIME;
  zip.add(part);
  let piece = HEAD;
  for (const text of xml) {
    piece += text;
    if (piece.length < PIECE_CHARACTERS) continue;
    part.push(strToU8(piece));
    piece = '';
  }
  part.push(strToU8(piece), true);
}

function contentTypes(sheetCount: number, sharedStrings: boolean): string {
  const part = (name: string, type: string) =>
    `<Override PartName="/xl/${name}.xml" ContentType="${TYPE}.${type}+xml"/>`;
  return (
    `<Types xmlns="${PACKAGE}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    part('workbook', 'sheet.main') +
    Array.from({ length: sheetCount }, (_, i) => part(`worksheets/sheet${i + 1}`, 'worksheet')).join('') +
    part('styles', 'styles') +
    (sharedStrings ? part('sharedStrings', 'sharedStrings') : '') +
    '</Types>'
  );
}

function relationships(targets: readonly (readonly [type: string, target: string])[]): string {
  const each = targets.map(
    ([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${PACKAGE}/relationships">${each.join('')}</Relationships>`;
}

function workbookPart(sheets: readonly SheetInput[], date1904: boolean): string {
  const each = sheets.map(({ name, state }, i) => {
    const hidden = state && state !== 'visible' ? ` state="${state}"` : '';
    return `<sheet name="${workbookText(name)}" sheetId="${i + 1}"${hidden} r:id="rId${i + 1}"/>`;
  });
  return (
    `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">${date1904 ? '<workbookPr date1904="1"/>' : ''}` +
    `<sheets>${each.join('')}</sheets></workbook>`
  );
}

function* sheetPart(sheet: SheetInput, book: Book): Iterable<string> {
  yield `<worksheet xmlns="${MAIN}"><sheetData>`;
  let row = 0;
  for (const input of sheet.rows) {
    const placed = 'row' in input;
    row = placed ? input.row : row + 1;
    const cells = placed ? input.cells : input;
    let xml = `<row r="${row}">`;
    for (const [column, cell] of cells.entries()) {
      if (cell === null) continue;
      const details = typeof cell === 'object' ? cell : { value: cell };
      xml += cellXml(`${lettersOf(column)}${row}`, details, sheet.formats?.[column], book);
    }
    yield `${xml}</row>`;
  }
  yield '</sheetData>';
  if (sheet.merged?.length) {
    yield `<mergeCells>${sheet.merged.map((range) => `<mergeCell ref="${range}"/>`).join('')}</mergeCells>`;
  }
  if (sheet.validations?.length) {
    const each = sheet.validations.map(
      ({ range, choices }) =>
        `<dataValidation type="list" allowBlank="1" showErrorMessage="1" errorStyle="information" sqref="${range}"><formula1>${workbookText(choices)}</formula1></dataValidation>`,
    );
    yield `<dataValidations count="${each.length}">${each.join('')}</dataValidations>`;
  }
  yield '</worksheet>';
}

function cellXml(place: string, cell: CellDetails, columnFormat: string | undefined, book: Book): string {
  const format = cell.format ?? ('date' in cell ? dateFormat(cell.date) : columnFormat);
  const style = format === undefined ? 0 : indexOf(format, book.styles);
  const { type, xml } = contentOf(cell, book);
  return `<c r="${place}"${style ? ` s="${style}"` : ''}${type ? ` t="${type}"` : ''}>${xml}</c>`;
}

function contentOf(cell: CellDetails, book: Book): { type: string; xml: string } {
  if ('value' in cell) return constant(cell.value, book.strings);
  if ('date' in cell) return { type: '', xml: `<v>${serialFromIso(cell.date, book.date1904)}</v>` };
  if ('error' in cell) return { type: 'e', xml: `<v>${workbookText(cell.error)}</v>` };
  const formula = `<f>${workbookText(cell.formula)}</f>`;
  if (cell.cached === undefined) return { type: '', xml: formula };
  if (typeof cell.cached === 'string')
    return { type: 'str', xml: `${formula}<v>${workbookText(cell.cached)}</v>` };
  const { type, xml } = constant(cell.cached, null);
  return { type, xml: formula + xml };
}

function constant(value: string | number | boolean, strings: Book['strings']): { type: string; xml: string } {
  if (typeof value === 'boolean') return { type: 'b', xml: `<v>${value ? 1 : 0}</v>` };
  if (typeof value === 'string') {
    return strings
      ? { type: 's', xml: `<v>${indexOf(value, strings)}</v>` }
      : { type: 'inlineStr', xml: `<is>${textXml(value)}</is>` };
  }
  if (!Number.isFinite(value))
    throw new RangeError(`${value} cannot stand in a workbook; write an error cell`);
  return { type: '', xml: `<v>${value}</v>` };
}

/** The index of a text, added to the table when it is new. */
function indexOf(text: string, table: Map<string, number>): number {
  const known = table.get(text);
  if (known !== undefined) return known;
  table.set(text, table.size);
  return table.size - 1;
}

const dateFormat = (iso: string) => (iso.length === 10 ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm:ss');

function* sharedStringsPart(strings: ReadonlyMap<string, number>): Iterable<string> {
  yield `<sst xmlns="${MAIN}" uniqueCount="${strings.size}">`;
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
    `<styleSheet xmlns="${MAIN}">` +
    (numFmts.length ? `<numFmts count="${numFmts.length}">${numFmts.join('')}</numFmts>` : '') +
    '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>' +
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="${xfs.length}">${xfs.join('')}</cellXfs>` +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
  );
}

const textXml = (text: string) =>
  `<t${/^\s|\s$|\n/.test(text) ? ' xml:space="preserve"' : ''}>${workbookText(text)}</t>`;

/** A cache of the letters by column, because every row needs the same ones. */
const letters: string[] = [];

function lettersOf(column: number): string {
  letters[column] ??= columnLetters(column);
  return letters[column];
}
