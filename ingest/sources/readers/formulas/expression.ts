// Parses formulas whose values depend only on constants and cells of the workbook, such as sums and roundings.

import { columnNumber } from '../../../messages/place.ts';
import { LIMITS } from '../sourceLimits.ts';

/** A row or a column: its index, or when it is relative, its distance from the cell of the formula. */
export interface Coordinate {
  readonly at: number;
  readonly isFixed: boolean;
}

/** A rectangle of cells, or whole columns when it has no rows. Rows count from 1, columns from 0. */
export interface Reference {
  readonly kind: 'reference';
  /** The sheet that the formula names; null for the sheet of the formula. */
  readonly sheet: string | null;
  readonly rows: readonly [first: Coordinate, last: Coordinate] | null;
  readonly columns: readonly [first: Coordinate, last: Coordinate];
  readonly isOneCell: boolean;
  /** The rows of a table object, for a reference to the row of the formula. In a formula in another row it is an error. */
  readonly onlyInRows?: readonly [first: number, last: number];
}

/** A defined name in a formula. `sheet` is the sheet that the formula writes before it. */
export interface NameReference {
  readonly kind: 'name';
  readonly sheet: string | null;
  readonly name: string;
}

/** Columns of a table object in a formula, by their headings; null for all columns. */
export interface TableReference {
  readonly kind: 'table';
  readonly table: string;
  readonly part: 'data' | 'row' | 'all' | 'totals';
  readonly columns: readonly [first: string, last: string] | null;
}

/** A parsed formula, or a part of one. */
export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'truth'; readonly isTrue: boolean }
  /** A reference to cells that were deleted. */
  | { readonly kind: 'deleted' }
  | Reference
  | NameReference
  | TableReference
  | { readonly kind: 'minus' | 'percent'; readonly operand: Expression }
  | {
      readonly kind: 'binary';
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] };

/** A cell: its row from 1, its column from 0. */
export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

/**
 * Parses the formula of the cell `at`. The formula has no `=` at its beginning. Relative references become distances from
 * the cell.
 *
 * @returns null for a formula that is not understood, such as one with an unknown function or a reference to another file.
 */
export function parseFormula(formula: string, at: CellPosition): Expression | null {
  if (formula.length > LONGEST_FORMULA) return null;
  const parser = new Parser(formula, at);
  return parser.whole();
}

const LONGEST_FORMULA = 1000;
/** How deep parentheses, signs and calls may be nested. */
const DEEPEST = 50;

/** The operators of each precedence, the lowest first. All of them, `^` too, are left associative. */
const OPERATORS: readonly RegExp[] = [/<=|>=|<>|[<>=]/y, /&/y, /[+-]/y, /[*/]/y, /\^/y];

const SPACE = /[ \n\t]*/y;
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.:!$])/y;
const TEXT = /"((?:[^"]|"")*)"/y;
/** Matches the name of a function and its parenthesis. Files write `_xlfn.` before functions newer than Excel 2007. */
const CALL = /(?:_xlfn\.)?([A-Z]+)\(/iy;
const SHEET = String.raw`(?:(?:'((?:[^'[\]:]|'')+)'|([\p{L}_][\p{L}\p{N}_.]*))!)?`;
const CELL = String.raw`(\$?)([A-Z]{1,3})(\$?)(\d{1,7})`;
const NOTHING_MORE = String.raw`(?![\p{L}\p{N}_.:!#([$])`;
/** Matches a reference to deleted cells: `#REF!`, `Data!#REF!`, or `#REF!A1` for a cell of a deleted sheet. */
const DELETED = new RegExp(`${SHEET}#REF!(?:${CELL}(?::${CELL})?)?${NOTHING_MORE}`, 'iuy');
const CELLS = new RegExp(`${SHEET}${CELL}(?::${CELL})?${NOTHING_MORE}`, 'iuy');
const COLUMNS = new RegExp(String.raw`${SHEET}(\$?)([A-Z]{1,3}):(\$?)([A-Z]{1,3})${NOTHING_MORE}`, 'iuy');

const NAME = new RegExp(String.raw`${SHEET}([\p{L}_\\][\p{L}\p{N}_.\\?]*)${NOTHING_MORE}`, 'iuy');
/**
 * Matches columns of a table object: `Table1[ggr]`, `Table1[[#This Row],[ggr]]`, `Table1[[#All],[ggr]:[ngr]]`. In a
 * heading, `'` escapes the character after it.
 */
const HEADING = String.raw`((?:[^[\]'#@]|'['[\]#@])+)`;
const TABLE = new RegExp(
  String.raw`([\p{L}_\\][\p{L}\p{N}_.\\]*)\[(?:${HEADING}|(?:(?:\[#(This Row|All|Data|Totals)\])?(?:(?<=\]), *)?(?:\[${HEADING}\](?::\[${HEADING}\])?)?))\]${NOTHING_MORE}`,
  'iuy',
);
const PARTS: Readonly<Record<string, TableReference['part']>> = {
  'this row': 'row',
  all: 'all',
  totals: 'totals',
};

const FUNCTIONS: ReadonlySet<string> = new Set(
  (
    'ABS AGGREGATE AND AVERAGE AVERAGEIF AVERAGEIFS CHOOSE COUNT COUNTIF COUNTIFS FALSE HLOOKUP IF IFERROR IFNA IFS ' +
    'INDEX INDIRECT INT ISERROR ISNA ISNUMBER LARGE MATCH MAX MAXIFS MEDIAN MIN MINIFS MOD NOT OFFSET OR POWER PRODUCT ' +
    'ROUND ROUNDDOWN ROUNDUP SIGN SMALL SQRT SUBTOTAL SUM SUMIF SUMIFS SUMPRODUCT SWITCH TRUE TRUNC VALUE VLOOKUP ' +
    'XLOOKUP'
  ).split(' '),
);

/** Whether formulas that call this function may be computed. The name is in upper case. */
export const isComputed = (name: string): boolean => FUNCTIONS.has(name);

/** A parser by recursive descent. Each method returns null when it does not understand the formula. */
class Parser {
  readonly #formula: string;
  readonly #cell: CellPosition;
  #at = 0;
  #depth = 0;

  constructor(formula: string, cell: CellPosition) {
    this.#formula = formula;
    this.#cell = cell;
  }

  whole(): Expression | null {
    const expression = this.#operation(0);
    this.#take(SPACE);
    return this.#at === this.#formula.length ? expression : null;
  }

  /** Matches the pattern at the current position, and moves behind the match; null when it does not match. */
  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#formula);
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }

  #takeSign(sign: string): boolean {
    this.#take(SPACE);
    if (!this.#formula.startsWith(sign, this.#at)) return false;
    this.#at += sign.length;
    return true;
  }

  /** Parses operators of this precedence or a higher one. */
  #operation(precedence: number): Expression | null {
    const operator = OPERATORS[precedence];
    if (operator === undefined) return this.#signed();
    let left = this.#operation(precedence + 1);
    while (left !== null) {
      this.#take(SPACE);
      const [found] = this.#take(operator) ?? [];
      if (found === undefined) return left;
      const right = this.#operation(precedence + 1);
      if (right === null) return null;
      left = { kind: 'binary', operator: found, left, right };
    }
    return null;
  }

  /** Parses signs. A minus sign in front has a higher precedence than any operator: -2^2 is 4. */
  #signed(): Expression | null {
    if (this.#takeSign('+')) return this.#deeper(() => this.#signed());
    if (this.#takeSign('-')) {
      const operand = this.#deeper(() => this.#signed());
      return operand && { kind: 'minus', operand };
    }
    let operand = this.#operand();
    while (operand !== null && this.#takeSign('%')) operand = { kind: 'percent', operand };
    return operand;
  }

  #deeper(read: () => Expression | null): Expression | null {
    if (this.#depth === DEEPEST) return null;
    this.#depth += 1;
    const expression = read();
    this.#depth -= 1;
    return expression;
  }

  #operand(): Expression | null {
    if (this.#takeSign('(')) {
      const inside = this.#deeper(() => this.#operation(0));
      return inside !== null && this.#takeSign(')') ? inside : null;
    }
    const [number] = this.#take(NUMBER) ?? [];
    if (number !== undefined) return { kind: 'number', value: Number(number) };
    const text = this.#take(TEXT)?.[1];
    if (text !== undefined) return { kind: 'text', text: text.replaceAll('""', '"') };
    return (
      this.#cells() ?? this.#columns() ?? this.#call() ?? this.#table() ?? this.#name() ?? this.#deleted()
    );
  }

  #deleted(): Expression | null {
    return this.#take(DELETED) === null ? null : { kind: 'deleted' };
  }

  #name(): Expression | null {
    const [, quoted, bare, name] = this.#take(NAME) ?? [];
    if (name === undefined) return null;
    const sheet = sheetNamed(quoted, bare);
    const isTruth = sheet === null && /^(?:true|false)$/i.test(name);
    return isTruth ? truth(name) : { kind: 'name', sheet, name };
  }

  #table(): Expression | null {
    const [, table, heading, part, first = heading, last = first] = this.#take(TABLE) ?? [];
    if (table === undefined) return null;
    const columns =
      first === undefined || last === undefined ? null : ([unescaped(first), unescaped(last)] as const);
    return { kind: 'table', table, part: PARTS[part?.toLowerCase() ?? ''] ?? 'data', columns };
  }

  #cells(): Reference | null {
    const [, quoted, bare, ...parts] = this.#take(CELLS) ?? [];
    const [fixedFrom, from, fixedTop, top, fixedTo, to = '', fixedBottom, bottom] = parts;
    if (from === undefined || top === undefined) return null;
    const sheet = sheetNamed(quoted, bare);
    const [row, column] = [this.#row(fixedTop, top), this.#column(fixedFrom, from)];
    if (bottom === undefined)
      return { kind: 'reference', sheet, rows: [row, row], columns: [column, column], isOneCell: true };
    const rows = [row, this.#row(fixedBottom, bottom)] as const;
    return { kind: 'reference', sheet, rows, columns: [column, this.#column(fixedTo, to)], isOneCell: false };
  }

  #columns(): Reference | null {
    const [, quoted, bare, fixedFrom, from, fixedTo, to] = this.#take(COLUMNS) ?? [];
    if (from === undefined || to === undefined) return null;
    const columns = [this.#column(fixedFrom, from), this.#column(fixedTo, to)] as const;
    return { kind: 'reference', sheet: sheetNamed(quoted, bare), rows: null, columns, isOneCell: false };
  }

  #row(fixed: string | undefined, digits: string): Coordinate {
    const isFixed = fixed === '$';
    return { at: Number(digits) - (isFixed ? 0 : this.#cell.row), isFixed };
  }

  #column(fixed: string | undefined, letters: string): Coordinate {
    const isFixed = fixed === '$';
    return { at: columnNumber(letters.toUpperCase()) - (isFixed ? 0 : this.#cell.column), isFixed };
  }

  #call(): Expression | null {
    const name = this.#take(CALL)?.[1]?.toUpperCase();
    if (name === undefined || !FUNCTIONS.has(name)) return null;
    if (name === 'TRUE' || name === 'FALSE') return this.#takeSign(')') ? truth(name) : null;
    const args: Expression[] = [];
    do {
      const arg = this.#deeper(() => this.#operation(0));
      if (arg === null) return null;
      args.push(arg);
    } while (this.#takeSign(','));
    return this.#takeSign(')') ? { kind: 'call', name, args } : null;
  }
}

const truth = (name: string): Expression => ({ kind: 'truth', isTrue: name.toLowerCase() === 'true' });

const unescaped = (heading: string): string => heading.replace(/'(.)/g, '$1');

const sheetNamed = (quoted: string | undefined, bare: string | undefined): string | null =>
  quoted?.replaceAll("''", "'") ?? bare ?? null;

/**
 * The row or column that a coordinate means; null when it is not on the sheet.
 *
 * @param origin The row or column of the formula's cell.
 * @param first The number of the first row, which is 1, or of the first column, which is 0.
 */
export function resolveCoordinate(coordinate: Coordinate, origin: number, first: 0 | 1): number | null {
  const place = coordinate.at + (coordinate.isFixed ? 0 : origin);
  const last = first === 0 ? LIMITS.columns - 1 : LIMITS.rows;
  return place >= first && place <= last ? place : null;
}
