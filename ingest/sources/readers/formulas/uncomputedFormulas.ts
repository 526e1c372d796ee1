// Counts the formulas of each column whose values are not computed, and names their functions.

import { columnLetters, type Position } from '../../../messages/place.ts';
import type { Remark } from '../rawFile.ts';
import { type Expression, isComputed } from './expression.ts';
import { forEachPart } from './expressionParts.ts';

/** The most columns that are reported. */
const MOST_COLUMNS = 10;
/** The most functions that a message names. */
const MOST_FUNCTIONS = 5;
/** The most formulas of a column whose functions are listed. */
const MOST_FORMULAS = 100;

interface Column {
  count: number;
  first: Position;
  readonly functions: Set<string>;
}

/** Counts, by column, the formulas of a sheet whose values are not computed. */
export class UncomputedFormulas {
  readonly #columns = new Map<number, Column>();

  /**
   * Adds a formula that fills cells of one column, the first of them in `row`.
   *
   * @param formula Its text, or its expression when it was parsed.
   * @param cells How many cells of the column it fills.
   */
  add(row: number, column: number, formula: string | Expression, cells = 1): void {
    const counted = this.#columns.get(column) ?? { count: 0, first: [row, column], functions: new Set() };
    if (counted.count < MOST_FORMULAS) for (const name of functionsIn(formula)) counted.functions.add(name);
    counted.count += cells;
    if (row < counted.first[0]) counted.first = [row, column];
    this.#columns.set(column, counted);
  }

  remarks(): readonly Remark[] {
    const inOrder = [...this.#columns.values()].sort((a, b) => a.first[1] - b.first[1]);
    return inOrder.slice(0, MOST_COLUMNS).map(remarkOn);
  }
}

function remarkOn({ count, first, functions }: Column): Remark {
  const names = [...functions].sort().slice(0, MOST_FUNCTIONS);
  const named =
    names.length === 0 ? '' : ` (${names.join(', ')}${functions.size > names.length ? ' …' : ''})`;
  const column = `column ${columnLetters(first[1])}`;
  return {
    severity: 'note',
    cell: first,
    problem:
      count === 1
        ? `1 cell of ${column} holds a formula that is not computed here${named}; its saved value is taken`
        : `${count} cells of ${column} hold formulas that are not computed here${named}; their saved values are taken`,
    remedy: null,
    kind: 'formulas that are not computed',
  };
}

/** The functions of a formula that are never computed. When there are none, all functions that it has. */
function functionsIn(formula: string | Expression): readonly string[] {
  const all: string[] = [];
  if (typeof formula === 'string') all.push(...callsIn(formula));
  else
    forEachPart(formula, (part) => {
      if (part.kind === 'call') all.push(part.name);
    });
  const never = all.filter((name) => !isComputed(name));
  return never.length > 0 ? never : all;
}

/** The functions that a formula calls, in the order of the text. */
const callsIn = (formula: string): readonly string[] =>
  (formula.replace(TEXTS, '').match(WORDS) ?? []).flatMap((word) => {
    const name = word.endsWith('(') ? CALLED.exec(word.slice(-LONGEST_CALL)) : null;
    return name === null ? [] : [name[0].slice(0, -1).replace(PREFIX, '').toUpperCase()];
  });

/** Matches texts, and names of sheets in quotes. */
const TEXTS = /"[^"]*"|'[^']*'/g;
/**
 * Matches all words, with the parenthesis of a call. If it matched only words with a parenthesis, a long word without one
 * would take minutes.
 */
const WORDS = /[\p{L}\p{N}_.]+\(?/gu;
/** The most characters of a call that are examined, prefixes included. */
const LONGEST_CALL = 100;
/**
 * Matches the name of a function at the end of a word. The prefixes `_xlfn.` and `_xlws.` of newer functions are not part
 * of it.
 */
const CALLED = /(?<![\p{L}\p{N}_])[A-Z][A-Z0-9.]*\($/iu;
/** Matches a prefix that some programs write before newer functions. */
const PREFIX = /^(?:COM\.MICROSOFT\.)+(?=[A-Z])/i;
