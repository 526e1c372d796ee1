// Replaces calls of OFFSET and INDIRECT with constant arguments by the cells that they mean.

import {
  type CellPosition,
  type Coordinate,
  type Expression,
  parseFormula,
  type Reference,
} from './expression.ts';
import { replaced } from './expressionParts.ts';

/**
 * The formula of a cell with references in place of OFFSET and INDIRECT. A call stays as it is when it depends on the
 * values of other cells.
 */
export function withComputedReferences(expression: Expression, at: CellPosition): Expression {
  return replaced(expression, (part) => {
    if (part.kind !== 'call') return null;
    const args = part.args.map((arg) => withComputedReferences(arg, at));
    if (part.name === 'INDIRECT') return indirect(args, at);
    return part.name === 'OFFSET' ? offset(args) : null;
  });
}

/**
 * The cells that a text names, as in `INDIRECT("Data!B2")`. The reference is absolute, because a copy of the formula has
 * the same text.
 */
function indirect([text, isA1, ...others]: readonly Expression[], at: CellPosition): Reference | null {
  if (text?.kind !== 'text' || !WRITTEN_REFERENCE.test(text.text) || others.length > 0) return null;
  if (isA1 !== undefined && !(isA1.kind === 'truth' && isA1.isTrue)) return null;
  const named = parseFormula(text.text, at);
  if (named?.kind !== 'reference') return null;
  const [rows, columns] = [named.rows, named.columns];
  return {
    ...named,
    rows: rows && [fixed(rows[0], at.row), fixed(rows[1], at.row)],
    columns: [fixed(columns[0], at.column), fixed(columns[1], at.column)],
  };
}

/** Matches a text that may be a reference: it begins like one, and has no space at its ends, no operators and no calls. */
const WRITTEN_REFERENCE = /^[\p{L}_$'][^()"+%&<>=^*/-]*(?<! )$/u;

const fixed = ({ at, isFixed }: Coordinate, origin: number): Coordinate => ({
  at: at + (isFixed ? 0 : origin),
  isFixed: true,
});

/**
 * The reference that OFFSET gives for its arguments: `from` moved by rows and columns, and resized where a size is given.
 * Null when the distances or sizes are not constant whole numbers.
 */
export function offset([
  from,
  down,
  right,
  height,
  width,
  ...others
]: readonly Expression[]): Reference | null {
  if (from?.kind !== 'reference' || from.rows === null || others.length > 0) return null;
  const [byRows, byColumns] = [wholeNumber(down), wholeNumber(right)];
  if (byRows === null || byColumns === null) return null;
  const rows = moved(from.rows, byRows, height);
  const columns = moved(from.columns, byColumns, width);
  if (rows === null || columns === null) return null;
  const isOneCell =
    from.isOneCell && [height, width].every((size) => size === undefined || wholeNumber(size) === 1);
  return { ...from, rows, columns, isOneCell };
}

type Ends = readonly [first: Coordinate, last: Coordinate];

/** The rows or columns of a moved reference; null when their number or the order of their ends is unknown. */
function moved([first, last]: Ends, by: number, size: Expression | undefined): Ends | null {
  const start = { ...first, at: first.at + by };
  if (size === undefined) return [start, { ...last, at: last.at + by }];
  const length = wholeNumber(size);
  if (length === null || length < 1 || first.isFixed !== last.isFixed || first.at > last.at) return null;
  return [start, { ...start, at: start.at + length - 1 }];
}

function wholeNumber(expression: Expression | undefined): number | null {
  if (expression?.kind === 'minus') {
    const operand = wholeNumber(expression.operand);
    return operand === null ? null : -operand;
  }
  return expression?.kind === 'number' && Number.isSafeInteger(expression.value) ? expression.value : null;
}
