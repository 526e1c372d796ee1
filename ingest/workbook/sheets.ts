// Writes the sheets of a workbook, and collects the texts and number formats that they share.

import { SPREADSHEET_ML, workbookText } from '../../src/text/workbookParts.ts';
import { columnLetters } from '../messages/place.ts';
import { serialFromIso } from '../sources/readers/dates.ts';

/** The content of a cell. Null leaves the cell out of the file. */
export type CellInput = null | string | number | boolean | CellDetails;

/** A cell as an object: a value, date, error or formula, each with or without a number format. */
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

/**
 * The cells of a row from column A on. `row`, from 1, is the number of the row; without it, the row follows the last one.
 */
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

/** Texts and formats shared by the sheets, collected while they are written. */
export interface SharedParts {
  /** The index of each text; `null` when the texts are stored in their cells. */
  readonly strings: Map<string, number> | null;
  /** The index of the cell style of each number format. */
  readonly styles: Map<string, number>;
  readonly date1904: boolean;
}

/** The XML of a sheet, in pieces. Its texts and number formats are added to `shared`. */
export function* sheetPart(sheet: SheetInput, shared: SharedParts): Iterable<string> {
  yield `<worksheet xmlns="${SPREADSHEET_ML}"><sheetData>`;
  let row = 0;
  for (const input of sheet.rows) {
    const placed = 'row' in input;
    row = placed ? input.row : row + 1;
    const cells = placed ? input.cells : input;
    let xml = `<row r="${row}">`;
    for (const [column, cell] of cells.entries()) {
      if (cell === null) continue;
      const details = typeof cell === 'object' ? cell : { value: cell };
      xml += cellXml(`${lettersOf(column)}${row}`, details, sheet.formats?.[column], shared);
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

function cellXml(
  place: string,
  cell: CellDetails,
  columnFormat: string | undefined,
  shared: SharedParts,
): string {
  const format = cell.format ?? ('date' in cell ? dateFormat(cell.date) : columnFormat);
  const style = format === undefined ? 0 : indexOf(format, shared.styles);
  const { type, xml } = contentOf(cell, shared);
  return `<c r="${place}"${style ? ` s="${style}"` : ''}${type ? ` t="${type}"` : ''}>${xml}</c>`;
}

function contentOf(cell: CellDetails, shared: SharedParts): { type: string; xml: string } {
  if ('value' in cell) return constant(cell.value, shared.strings);
  if ('date' in cell) return { type: '', xml: `<v>${serialFromIso(cell.date, shared.date1904)}</v>` };
  if ('error' in cell) return { type: 'e', xml: `<v>${workbookText(cell.error)}</v>` };
  const formula = `<f>${workbookText(cell.formula)}</f>`;
  if (cell.cached === undefined) return { type: '', xml: formula };
  if (typeof cell.cached === 'string')
    return { type: 'str', xml: `${formula}<v>${workbookText(cell.cached)}</v>` };
  const { type, xml } = constant(cell.cached, null);
  return { type, xml: formula + xml };
}

function constant(
  value: string | number | boolean,
  strings: SharedParts['strings'],
): { type: string; xml: string } {
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

/** The index of a text in the table. A new text is added. */
function indexOf(text: string, table: Map<string, number>): number {
  const known = table.get(text);
  if (known !== undefined) return known;
  table.set(text, table.size);
  return table.size - 1;
}

const dateFormat = (iso: string) => (iso.length === 10 ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm:ss');

/** The XML of a text. It keeps the spaces at both ends. */
export const textXml = (text: string) =>
  `<t${/^\s|\s$|\n/.test(text) ? ' xml:space="preserve"' : ''}>${workbookText(text)}</t>`;

/** A cache of the letters by column, because every row needs the same ones. */
const letters: string[] = [];

function lettersOf(column: number): string {
  letters[column] ??= columnLetters(column);
  return letters[column];
}
