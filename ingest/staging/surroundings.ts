// Separates the data of a table from its surroundings: footnotes, a second header, merged cells, rows above the header.

import { draftFault } from '../messages/draftFault.ts';
import { factsOf } from '../messages/fileFormats.ts';
import { isHeaderOf } from '../sources/header/headerRow.ts';
import { textIn } from '../sources/readers/footnotes.ts';
import { type CellRange, rangeName } from '../sources/readers/rawFile.ts';
import { unsupportedYearForm } from '../sources/yearForms.ts';
import { isEmpty, numberIn, yearIn } from './cellValues.ts';
import { saysTotal } from './numbers/placeholders.ts';
import { unitFault } from './numbers/unitFaults.ts';
import { asTyped } from './readingOptions.ts';
import type { LocatedRow } from './remarks.ts';
import type { TableContext } from './tableContext.ts';

/** The surroundings of the data of one table. */
export class Surroundings {
  readonly #table: TableContext;
  /** The number of the last row of data so far. Before the first row of data, it is that of the header. */
  #lastDataRow: number;
  #isInFootnotes = false;
  readonly #footnoteRows = new Set<number>();
  /** The index of the column of years; -1 in wide form. */
  readonly #yearColumn: number;

  constructor(table: TableContext) {
    this.#table = table;
    this.#lastDataRow = table.mapping.header.row;
    this.#yearColumn = table.mapping.targets.findIndex((target) => target?.kind === 'year');
  }

  /**
   * Whether a row below the header holds no data. It notes a footnote. It reports a second header, a total and a note
   * directly below the data as errors.
   */
  isOutsideData(row: LocatedRow): boolean {
    return this.#isFootnote(row) || this.#isSecondHeader(row) || this.#hasWordAsYear(row);
  }

  /** Records a row of data. The row ends the footnotes above it. */
  recordData(row: number): void {
    this.#lastDataRow = row;
    this.#isInFootnotes = false;
  }

  /**
   * Warns of data in the last row that a sheet can have. The program that wrote the sheet may have cut off further rows.
   */
  reportFullSheet(): void {
    const { header, firstColumn } = this.#table.mapping;
    // Parquet files and results of recipes are not sheets. Their header has the row number 0.
    if (header.row === 0 || !LAST_ROWS.includes(this.#lastDataRow)) return;
    const at = { row: { row: this.#lastDataRow, cells: [] }, index: firstColumn };
    this.#table.remarks.add('warning', at, {
      problem: `row ${this.#lastDataRow} is the last that a sheet can have, so others may have been cut off`,
      remedy: 'check that the last rows of the source are here',
      kind: 'data that end in the last row of a sheet',
    });
  }

  /** Reports a row of data above the header. Rows get there when someone sorts a sheet together with its header. */
  refuseDataAbove(row: LocatedRow): void {
    const { targets, required, metrics, firstColumn } = this.#table.mapping;
    const filled = new Set<number>();
    let values = 0;
    targets.forEach((target, index) => {
      const cell = row.cells[index];
      if (target?.kind === 'text' && typeof cell === 'string') filled.add(target.dimension);
      if (target?.kind === 'year' && yearIn(cell) !== undefined) filled.add(target.dimension);
      const holdsValue = target?.kind === 'value' || target?.kind === 'year value';
      if (holdsValue && typeof cell !== 'string' && numberIn(cell, '') !== undefined) values += 1;
    });
    if (!required.every((dimension) => filled.has(dimension)) || (values === 0 && metrics.length > 0)) return;
    const at = { row, index: firstColumn };
    this.#table.remarks.error(at, {
      problem: 'a row of data above the header',
      remedy: 'move it below or delete it',
    });
  }

  /**
   * Reports merged cells among the data. People read their value in each row. The file has the value only in the first
   * cell.
   */
  refuseMerged(range: CellRange): void {
    const { rows, columns } = range;
    const { header } = this.#table.mapping;
    const isAmongData = rows[0] > header.row && rows[0] <= this.#lastDataRow;
    if (!isAmongData || this.#footnoteRows.has(rows[0])) return;
    const next = rows[1] > rows[0] ? columns[0] : columns[0] + 1;
    const hides = header.columns.slice(next, columns[1] + 1).some((column) => column !== undefined);
    if (!hides) return;
    const only = columns[0] === columns[1] ? header.columns[columns[0]] : undefined;
    const dimension = only?.kind === 'dimension' && only.name !== 'state' ? only.name : null;
    const { options, file } = this.#table;
    if (dimension !== null && options.fillDown.has(dimension)) return;
    const at = { row: { row: rows[0], cells: [] }, index: columns[0] };
    this.#table.remarks.error(at, {
      problem: `the cells ${rangeName(range)} are merged, and only the first holds the value`,
      remedy: `unmerge them and fill in each${dimension === null ? '' : `, or use ${asTyped('fill-down', dimension, file)}`}`,
      kind: 'merged cells of which only the first holds the value',
    });
  }

  /**
   * Whether a row is a footnote: text that begins in the first column and stands alone, after an empty row below the data.
   */
  #isFootnote(row: LocatedRow): boolean {
    if (row.source !== undefined || this.#table.remarks.originOf(row).format === 'parquet') return false;
    const { header, firstColumn } = this.#table.mapping;
    const isBelowGap = this.#lastDataRow > header.row && row.row > this.#lastDataRow + 1;
    if (!this.#isInFootnotes && !isBelowGap) return false;
    const filled = filledIn(row);
    const [first] = filled;
    if (first === undefined || first > firstColumn) return false;
    if (filled.length > 1 && !this.#isSplitText(row, filled)) return false;
    const text = joinedText(row, filled);
    if (text === null) return false;
    this.#isInFootnotes = true;
    this.#footnoteRows.add(row.row);
    this.#table.remarks.note({ row, index: first }, 'text below the data was taken as a footnote');
    const unit = unitFault(text, this.#table);
    if (unit !== null) this.#table.remarks.error({ row, index: first }, unit);
    const draft = draftFault(text);
    if (draft !== null) this.#table.remarks.add('warning', { row, index: first }, draft);
    return true;
  }

  /**
   * Whether a csv line is a text that its own separators have split: the line begins with a word in place of a year, and
   * fills its first fields alone, fewer than half of the columns, without a figure. A row of data fills most of its
   * columns.
   */
  #isSplitText(row: LocatedRow, filled: readonly number[]): boolean {
    const { targets, firstColumn } = this.#table.mapping;
    const first = row.cells[firstColumn];
    const isWord =
      typeof first === 'string' && /\p{L}/u.test(first) && unsupportedYearForm(first) === undefined;
    const isFigure = (index: number) => !['year', 'text'].includes(targets[index]?.kind ?? '');
    return (
      this.#table.remarks.originOf(row).format === 'csv' &&
      this.#yearColumn === firstColumn &&
      isWord &&
      2 * filled.length < targets.length &&
      filled.every((index, i) => index === firstColumn + i && !isFigure(index))
    );
  }

  /**
   * Whether a row has a word in its column of years, and none in its other dimensions: `Total` with figures, or a note
   * alone.
   */
  #hasWordAsYear(row: LocatedRow): boolean {
    const { targets, firstColumn } = this.#table.mapping;
    const first = row.cells[this.#yearColumn];
    if (typeof first !== 'string' || !WORD.test(first) || unsupportedYearForm(first) !== undefined)
      return false;
    const filled = filledIn(row);
    const isSplit = this.#isSplitText(row, filled);
    const text = (isSplit ? joinedText(row, filled) : null) ?? first;
    const isFilled = (kind: 'text' | 'value') =>
      targets.some((target, column) => target?.kind === kind && !isEmpty(row.cells[column]));
    const hasFigures = isFilled('value');
    if ((isFilled('text') && !isSplit) || (hasFigures && !saysTotal(text))) return false;
    const at = { row, index: this.#yearColumn };
    const problem = `year is "${text.trim()}"`;
    if (hasFigures) {
      const remedy = 'delete the row: the figures of a total would be counted twice';
      this.#table.remarks.error(at, { problem, remedy, kind: 'a total in place of a year' });
      return true;
    }
    const { format } = this.#table.remarks.originOf(row);
    const mayBeFootnote = row.source === undefined && format !== 'parquet' && this.#yearColumn <= firstColumn;
    const { rowCalled } = factsOf(format);
    this.#table.remarks.error(at, {
      problem: `${problem}, and the rest of the ${rowCalled} is empty`,
      remedy: `delete the ${rowCalled}${mayBeFootnote ? `, or leave an empty ${rowCalled} above it, so that it counts as a footnote` : ''}`,
      kind: 'a text alone in place of a year',
    });
    return true;
  }

  /** Whether a row is a second header. In a lookup it could be taken for a row of data, because a lookup has only texts. */
  #isSecondHeader(row: LocatedRow): boolean {
    const { dataset, firstText } = this.#table.mapping;
    const first = row.cells[firstText];
    if (typeof first !== 'string' || !this.#table.dimensionTexts.isHeading(first)) return false;
    if (!isHeaderOf(dataset, row)) return false;
    this.#lastDataRow = row.row;
    const at = { row, index: firstText };
    this.#table.remarks.error(at, {
      problem: 'names the columns a second time',
      remedy: `delete this row, or give its table a ${factsOf(this.#table.remarks.originOf(row).format).hasSheets ? 'sheet' : 'file'} of its own`,
    });
    return true;
  }
}

const filledIn = ({ cells }: LocatedRow): readonly number[] =>
  cells.flatMap((cell, index) => (isEmpty(cell) ? [] : [index]));

/** The texts of these columns as one text; null when one of them is no text. */
function joinedText({ cells }: LocatedRow, columns: readonly number[]): string | null {
  const texts = columns.map((index) => textIn(cells[index]));
  return texts.every((text) => text !== null) ? texts.map((text) => text.trim()).join(', ') : null;
}

const WORD = /^[^\d]*\p{L}/u;

/** The numbers of the last rows that sheets can have: in .xls files, and in newer formats. */
const LAST_ROWS: readonly number[] = [65_536, 1_048_576];
