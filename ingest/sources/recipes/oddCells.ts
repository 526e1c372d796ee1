// Finds the cells of a recipe's table whose number SQL reads otherwise than people do, and those without a value.

import type { Diagnostic } from '../../messages/fault.ts';
import { cellName, columnLetters } from '../../messages/place.ts';
import { unitBeside } from '../../messages/statedUnits.ts';
import type { Cell, OddCell, RawRow } from '../readers/raw.ts';

/** A cell: its row from 1, its column from 0. */
export type Position = readonly [row: number, column: number];

/** Something about a table. */
export interface TableRemark extends Diagnostic {
  readonly severity: 'error' | 'warning' | 'note';
  /** The cell that it is about, or the first one; null for the whole table. */
  readonly at: Position | null;
}

/** What is wrong with a table so that no SELECT can read it; `cell` names it where one cell is at fault. */
export interface TableFault extends Diagnostic {
  readonly cell: string | null;
}

/** The number of faulty cells that are named; further ones are counted. */
const NAMED_CELLS = 20;

/** Counts formulas that were never calculated, and names the first of them. */
export class Uncalculated {
  readonly #cells = new NamedCells();

  lookIn({ row, cells }: RawRow): void {
    cells.forEach((cell, column) => {
      if (typeof cell !== 'object' || cell?.kind !== 'uncalculated') return;
      this.#cells.add([row, column], UNCALCULATED);
    });
  }

  faults(): TableFault[] {
    return this.#cells
      .list((more) => `${more} more formulas without a calculated value`)
      .map(({ at, ...fault }) => ({ cell: at === null ? null : cellName(at[1], at[0]), ...fault }));
  }
}

const UNCALCULATED: Diagnostic = {
  problem: 'formula without a calculated value',
  remedy: 'open the file in a spreadsheet program, let it calculate, save it again',
};

/** Collects cells whose number format shows another figure than the one that SQL reads. */
export class ShownOtherwise {
  /** Whether each column holds one kind of figures: where a header names it. */
  readonly #hasColumns: boolean;
  readonly #misshown = new NamedCells();
  /** By message: the first cell that it is about, and the number of cells. */
  readonly #found = new Map<string, Found>();
  readonly #columns: ColumnLook[] = [];

  constructor(hasColumns: boolean) {
    this.#hasColumns = hasColumns;
  }

  lookIn({ row, cells }: RawRow): void {
    for (const [column, cell] of cells.entries()) {
      if (typeof cell !== 'object' && typeof cell !== 'number') continue;
      if (cell === null) continue;
      if (this.#hasColumns) this.#lookAtColumn(column, row, cell);
      if (typeof cell === 'object') this.#look(cell, [row, column]);
    }
  }

  /** The header names columns: a year that its format shows as another one would name a wrong one. */
  lookInHeader({ row, cells }: RawRow): void {
    for (const [column, cell] of cells.entries())
      if (typeof cell === 'object' && cell !== null) this.#look(cell, [row, column]);
  }

  remarks(): TableRemark[] {
    const more = (count: number) => `${count} more cells whose number format shows another number`;
    return [
      ...this.#misshown.list(more).map((fault) => ({ severity: 'error' as const, ...fault })),
      ...this.#columns.flatMap(mixed),
      ...[...this.#found.values()].map(({ count, problem, ...found }) => ({
        ...found,
        problem: count === 1 ? problem : `${problem} (first of ${count})`,
      })),
    ];
  }

  #look(cell: OddCell, at: Position): void {
    if (cell.kind === 'misshown' || cell.kind === 'marked year') {
      this.#misshown.add(at, {
        problem: `holds ${cell.value}, and its number format shows "${cell.shown}"`,
        remedy: `give the cell the number format 0; if the number that it holds is right, ${AFFIRM}`,
        kind: 'a cell of a recipe holds another number than it shows',
      });
      return;
    }
    const look = lookOf(cell);
    if (look === null) return;
    const seen = this.#found.get(look.kind);
    if (seen === undefined) this.#found.set(look.kind, { ...look, at, count: 1 });
    else seen.count += 1;
  }

  #lookAtColumn(column: number, row: number, cell: number | OddCell): void {
    const look = this.#columns[column] ?? { percent: null, plain: null, currencies: new Map() };
    this.#columns[column] = look;
    const value = typeof cell === 'number' ? cell : 'value' in cell ? cell.value : null;
    if (typeof value !== 'number') return;
    if (typeof cell === 'object' && cell.kind === 'percent') look.percent ??= { row, value };
    else if (value !== 0) look.plain ??= { row, value };
    const currency = typeof cell === 'object' && 'currency' in cell ? cell.currency : undefined;
    if (currency !== undefined && !look.currencies.has(currency)) look.currencies.set(currency, row);
  }
}

/** The first cell of a column that is shown in percent, or the first that is not. */
interface FirstCell {
  readonly row: number;
  readonly value: number;
}

interface Found extends TableRemark {
  count: number;
}

/** What the cells of one column show. */
interface ColumnLook {
  percent: FirstCell | null;
  plain: FirstCell | null;
  /** The first row with each currency. */
  readonly currencies: Map<string, number>;
}

/** The remedy for those who want the number that the cell holds. */
export const AFFIRM = 'set "values": true for this table in recipe.json';

/** What is said of a cell whose figure is shown in another unit, or as percent; null for any other cell. */
function lookOf(cell: OddCell): (Omit<TableRemark, 'at'> & { readonly kind: string }) | null {
  switch (cell.kind) {
    case 'united': {
      const unit = unitBeside(cell.unit, cell.divisor);
      if (unit === null) return null;
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
        remedy: `see that the SELECT does not multiply it, and then ${AFFIRM}`,
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
function mixed({ percent, plain, currencies }: ColumnLook, column: number): TableRemark[] {
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
      remedy: `see that the SELECT knows the currency of each row, and then ${AFFIRM}`,
      kind: 'a column of a recipe shows several currencies',
    });
  return found;
}

/** A fault of a cell; `at` is null for the cells that are counted and not named. */
interface FaultAt extends Diagnostic {
  readonly at: Position | null;
}

/** Names the first cells with a fault, and counts the others. */
class NamedCells {
  readonly #named: FaultAt[] = [];
  #count = 0;

  add(at: Position, diagnostic: Diagnostic): void {
    this.#count += 1;
    if (this.#count <= NAMED_CELLS) this.#named.push({ at, ...diagnostic });
  }

  /** @param beyond What is said of the number of further cells. */
  list(beyond: (count: number) => string): FaultAt[] {
    const more = this.#count - this.#named.length;
    return more === 0 ? this.#named : [...this.#named, { at: null, problem: beyond(more), remedy: null }];
  }
}

/** The text in a cell, with its footnote marks; null where it holds none. */
export const textIn = (cell: Cell): string | null => {
  if (typeof cell === 'string') return cell;
  return typeof cell === 'object' && cell?.kind === 'footnoted' ? cell.text : null;
};
