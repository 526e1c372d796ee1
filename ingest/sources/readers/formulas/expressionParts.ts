// Visits and replaces the parts of a formula.

import type { Expression, Reference } from './expression.ts';

/**
 * An expression in which parts are replaced.
 *
 * @param replace Returns what replaces a part. When it returns null, the part stays, and the parts within it are visited.
 */
export function replaced(
  expression: Expression,
  replace: (part: Expression) => Expression | null,
): Expression {
  const other = replace(expression);
  if (other !== null) return other;
  const within = (part: Expression) => replaced(part, replace);
  switch (expression.kind) {
    case 'minus':
    case 'percent':
      return { ...expression, operand: within(expression.operand) };
    case 'binary':
      return { ...expression, left: within(expression.left), right: within(expression.right) };
    case 'call':
      return { ...expression, args: expression.args.map(within) };
    default:
      return expression;
  }
}

/** Calls `use` with an expression and each part of it. */
export function forEachPart(expression: Expression, use: (part: Expression) => void): void {
  replaced(expression, (part) => {
    use(part);
    return null;
  });
}

/** Whether `isOfKind` is true for an expression or for any part of it. */
export function hasPart(expression: Expression, isOfKind: (part: Expression) => boolean): boolean {
  let has = false;
  forEachPart(expression, (part) => {
    has ||= isOfKind(part);
  });
  return has;
}

/**
 * Calls `use` with each reference in an expression. For the table of a VLOOKUP, these are only the two columns that it
 * reads.
 */
export function forEachReference(expression: Expression, use: (reference: Reference) => void): void {
  const narrowed = new Set<Expression>();
  forEachPart(expression, (part) => {
    if (part.kind === 'reference' && !narrowed.has(part)) use(part);
    const [, table, place] = part.kind === 'call' && part.name === 'VLOOKUP' ? part.args : [];
    if (table?.kind !== 'reference' || place?.kind !== 'number') return;
    const [first, last] = table.columns;
    if (first.isFixed !== last.isFixed || first.at > last.at) return;
    narrowed.add(table);
    const found = { ...first, at: first.at + place.value - 1 };
    use({ ...table, columns: [first, first] });
    use({ ...table, columns: [found, found] });
  });
}

/** An expression whose value is unknown. */
export const UNKNOWN_EXPRESSION: Expression = { kind: 'name', sheet: null, name: '' };

/** Whether the value of an expression may depend on how the program compares texts. */
export const mayCompareTexts = (expression: Expression): boolean =>
  hasPart(expression, (part) =>
    part.kind === 'binary'
      ? part.operator === '=' || part.operator === '<>'
      : part.kind === 'call' && COMPARING.test(part.name),
  );

/** Matches the names of functions that search for a value or test cells by a criterion. */
const COMPARING = /LOOKUP$|^(?:MATCH|SWITCH)$|.IFS?$/;
