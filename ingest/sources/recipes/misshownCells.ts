// Finds the cells in a table of a recipe whose number format shows another figure than SQL reads.

import { columnLetters, type Position } from '../../messages/place.ts';
import { unitBesideNumber } from '../../messages/statedUnits.ts';
import { isKind, type OddCell, type RawRow, storedNumber } from '../readers/rawFile.ts';
import { AFFIRM, CountedRemarks, NamedCells, type TableFacts, type TableRemark } from './tableFacts.ts';

/**
 * Collects the cells whose number format shows another figure, and the columns that show some figures in percent or in
 * several currencies.
 */
export class MisshownCells {
  /** Whether a header names the columns. Each column should then hold one kind of figures, so mixed kinds are reported. */
  readonly #hasHeader: boolean;
  readonly #hasScaleFor: TableFacts['hasScaleFor'];
  readonly #misshown = new NamedCells();
  readonly #found = new CountedRemarks();
  readonly #columns: ColumnLook[] = [];

  constructor({ hasHeader, hasScaleFor }: Pick<TableFacts, 'hasHeader' | 'hasScaleFor'>) {
    this.#hasHeader = hasHeader;
    this.#hasScaleFor = hasScaleFor;
  }

  lookIn({ row, cells }: RawRow): void {
    for (const [column, cell] of cells.entries()) {
      if (typeof cell !== 'object' && typeof cell !== 'number') continue;
      if (cell === null) continue;
      if (this.#hasHeader) this.#addToColumn(column, row, cell);
      if (typeof cell === 'object') this.#check(cell, [row, column]);
    }
  }

  /**
   * Looks in the header. A number format there may show a year as another year, which would give its column a wrong name.
   */
  lookInHeader({ row, cells }: RawRow): void {
    for (const [column, cell] of cells.entries())
      if (typeof cell === 'object' && cell !== null) this.#check(cell, [row, column]);
  }

  remarks(): TableRemark[] {
    const more = (count: number) => `${count} more cells: their number formats show other numbers`;
    return [
      ...this.#misshown.list(more).map((fault) => ({ severity: 'error' as const, ...fault })),
      ...this.#columns.flatMap(mixedFormatRemarks),
      ...this.#found.list(),
    ];
  }

  #check(cell: OddCell, at: Position): void {
    if (cell.kind === 'misshown' || cell.kind === 'marked year') {
      this.#misshown.add(at, {
        problem: `holds ${cell.value}, and its number format shows "${cell.shown}"`,
        remedy: `give the cell the number format 0; if the number that it holds is right, ${AFFIRM}`,
        kind: 'a cell of a recipe holds another number than it shows',
      });
      return;
    }
    const remark = remarkOn(cell, this.#hasScaleFor);
    if (remark !== null) this.#found.add({ ...remark, at });
  }

  #addToColumn(column: number, row: number, cell: number | OddCell): void {
    const look = this.#columns[column] ?? { percent: null, plain: null, currencies: new Map() };
    this.#columns[column] = look;
    const value = storedNumber(cell);
    if (value === undefined) return;
    if (isKind(cell, 'percent')) look.percent ??= { row, value };
    else if (value !== 0) look.plain ??= { row, value };
    const currency = typeof cell === 'object' && 'currency' in cell ? cell.currency : undefined;
    if (currency !== undefined && !look.currencies.has(currency)) look.currencies.set(currency, row);
  }
}

/** The first cell of a column that is shown as percent, or the first that is not. */
interface FirstCell {
  readonly row: number;
  readonly value: number;
}

/** How the cells of one column are shown. */
interface ColumnLook {
  percent: FirstCell | null;
  plain: FirstCell | null;
  /** Currency → the first row that shows it. */
  readonly currencies: Map<string, number>;
}

/** The remark on a cell whose figure is shown in another unit, divided or as percent; null for any other cell. */
function remarkOn(cell: OddCell, hasScaleFor: TableFacts['hasScaleFor']): Omit<TableRemark, 'at'> | null {
  switch (cell.kind) {
    case 'with unit': {
      const unit = unitBesideNumber(cell.unit, cell.divisor);
      if (unit === null || hasScaleFor(unit)) return null;
      return {
        severity: 'warning',
        problem: `holds ${cell.value}, which SQL reads, and its number format shows "${cell.value / cell.divisor} ${cell.unit}"`,
        remedy: `multiply it in the SELECT if the figures are in ${unit.word}, and then ${AFFIRM}`,
        kind: `cells of a recipe are shown in another unit: "${cell.unit}"`,
      };
    }
    case 'divided':
      if (cell.divisor === undefined)
        return {
          severity: 'note',
          problem: `holds ${cell.value} in full, which SQL reads, and its number format divides it`,
          remedy: null,
          kind: 'cells of a recipe are shown divided, with their unit',
        };
      return {
        severity: 'warning',
        problem: `holds ${cell.value}, which SQL reads, and its number format shows ${cell.value / cell.divisor}`,
        remedy: `check that the SELECT does not multiply it, and then ${AFFIRM}`,
        kind: `cells of a recipe are shown divided by ${cell.divisor}`,
      };
    case 'percent':
      return {
        severity: 'note',
        problem: `holds ${cell.value}, which SQL reads, and shows it as percent`,
        remedy: null,
        kind: 'cells of a recipe are shown as percent',
      };
    default:
      return null;
  }
}

/** Remarks on a column that shows some figures as percent, or figures in several currencies. */
function mixedFormatRemarks({ percent, plain, currencies }: ColumnLook, column: number): TableRemark[] {
  const letters = columnLetters(column);
  const [first, second] = currencies;
  const found: TableRemark[] = [];
  if (percent !== null && plain !== null)
    found.push({
      severity: 'warning',
      at: [percent.row, column],
      problem: `shows ${percent.value} as percent, and ${letters}${plain.row} shows ${plain.value} without; SQL reads both alike`,
      remedy: `give column ${letters} one number format, or ${AFFIRM}`,
      kind: 'a column of a recipe shows some figures as percent',
    });
  if (first !== undefined && second !== undefined)
    found.push({
      severity: 'warning',
      at: [second[1], column],
      problem: `shows a figure in ${second[0]}, and ${letters}${first[1]} one in ${first[0]}; SQL reads the figures alone`,
      remedy: `check that the SELECT knows the currency of each row, and then ${AFFIRM}`,
      kind: 'a column of a recipe shows several currencies',
    });
  return found;
}
