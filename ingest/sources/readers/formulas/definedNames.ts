// Finds the cells that defined names and columns of table objects stand for.

import type { TableObject } from '../rawFile.ts';
import {
  type Coordinate,
  type Expression,
  type NameReference,
  parseFormula,
  type Reference,
  type TableReference,
} from './expression.ts';
import { hasPart, replaced } from './expressionParts.ts';

/** A name, and the formula that it stands for, as the file has them. */
export interface DefinedName {
  readonly name: string;
  /** The only sheet in whose formulas the name is defined; null for a name of all sheets. */
  readonly sheet: string | null;
  readonly formula: string;
}

/** A table object with its headings. Its range includes its headings and its row of totals. */
export interface NamedTable extends TableObject {
  readonly sheet: string;
  readonly headerRows: number;
  readonly columns: readonly string[];
}

/** The sheets and names of a workbook, for the formulas of one of its sheets. */
interface NamesInWorkbook {
  readonly ownSheet: string;
  readonly sheets: readonly { readonly name: string }[];
  readonly defined: readonly DefinedName[];
  readonly tables: readonly NamedTable[];
}

/** Resolves the names in the formulas of one sheet. */
export class DefinedNames {
  readonly #ownSheet: string;
  /** The names of all sheets with cells, in lower case. */
  readonly #sheets: ReadonlySet<string>;
  /**
   * The meaning of each name, by sheet and name in lower case; null for a name with two definitions or an unknown meaning.
   */
  readonly #defined = new Map<string, Expression | null>();
  readonly #tables = new Map<string, NamedTable | null>();

  constructor({ ownSheet, sheets, defined, tables }: NamesInWorkbook) {
    this.#ownSheet = ownSheet;
    this.#sheets = new Set(sheets.map(({ name }) => name.toLowerCase()));
    for (const { name, sheet, formula } of defined) {
      const key = keyOf(sheet, name);
      this.#defined.set(key, this.#defined.has(key) ? null : constantMeaning(formula));
    }
    for (const table of tables) {
      const key = table.name.toLowerCase();
      this.#tables.set(key, this.#tables.has(key) ? null : table);
    }
  }

  /**
   * The expression with cells and numbers in place of names. Unknown names stay. A reference to a sheet that does not exist
   * becomes a reference to deleted cells.
   */
  resolve(expression: Expression): Expression {
    return replaced(expression, (part) => {
      if (part.kind === 'table') return this.#cellsOf(part);
      if (part.kind === 'reference' && part.sheet !== null) {
        const sheet = part.sheet.toLowerCase();
        if (!this.#sheets.has(sheet)) return { kind: 'deleted' };
        return sheet === this.#ownSheet.toLowerCase() ? { ...part, sheet: null } : part;
      }
      const meaning = part.kind === 'name' ? this.#meaningOf(part) : null;
      return meaning && this.resolve(meaning);
    });
  }

  #meaningOf({ sheet, name }: NameReference): Expression | null {
    const own = this.#defined.get(keyOf(sheet ?? this.#ownSheet, name));
    if (own !== undefined || sheet !== null) return own ?? null;
    const table = this.#tables.get(name.toLowerCase());
    if (table) return this.#cellsOf({ kind: 'table', table: name, part: 'data', columns: null });
    return this.#defined.get(keyOf(null, name)) ?? null;
  }

  #cellsOf({ table: name, part, columns }: TableReference): Reference | null {
    const table = this.#tables.get(name.toLowerCase());
    if (!table) return null;
    const isOwn = table.sheet === this.#ownSheet;
    const [top, bottom] = table.range.rows;
    const data = [top + table.headerRows, bottom - table.totalsRows] as const;
    if (data[0] > data[1] || (part === 'row' && !isOwn)) return null;
    const [left, right] = table.range.columns;
    const ends = columns === null ? [left, right] : columns.map((heading) => columnOf(heading, table));
    const [first, last] = ends;
    if (first == null || last == null) return null;
    if (part === 'totals' && table.totalsRows !== 1) return null;
    let rows: readonly [number, number] = data;
    if (part === 'all') rows = [top, bottom];
    if (part === 'totals') rows = [bottom, bottom];
    return {
      kind: 'reference',
      sheet: isOwn ? null : table.sheet,
      columns: [fixed(first), fixed(last)],
      ...(part === 'row'
        ? { rows: [OWN_ROW, OWN_ROW], isOneCell: first === last, onlyInRows: data }
        : { rows: [fixed(rows[0]), fixed(rows[1])], isOneCell: part === 'totals' && first === last }),
    };
  }
}

const OWN_ROW: Coordinate = { at: 0, isFixed: false };
const fixed = (at: number): Coordinate => ({ at, isFixed: true });

const keyOf = (sheet: string | null, name: string): string =>
  `${sheet?.toLowerCase() ?? ''}!${name.toLowerCase()}`;

function columnOf(heading: string, { columns, range }: NamedTable): number | null {
  const isNamed = (column: string) => column.toLowerCase() === heading.toLowerCase();
  const index = columns.findIndex(isNamed);
  return index < 0 || index !== columns.findLastIndex(isNamed) ? null : range.columns[0] + index;
}

/** The meaning of a name that is the same in every cell; null when it depends on the cell or on other names. */
function constantMeaning(formula: string): Expression | null {
  const meaning = parseFormula(formula, { row: 1, column: 0 });
  if (meaning === null) return null;
  return hasPart(meaning, dependsOnCell) ? null : meaning;
}

const dependsOnCell = (part: Expression): boolean =>
  part.kind === 'reference'
    ? part.sheet === null || ![...part.columns, ...(part.rows ?? [])].every(({ isFixed }) => isFixed)
    : part.kind === 'name' || part.kind === 'table';
