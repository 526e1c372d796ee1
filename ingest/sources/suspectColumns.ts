// Finds columns of texts whose numbers are all in doubt: their dots may separate thousands, or digits may be missing.

import { getOrInsert } from '../../src/basics/maps.ts';
import { isBelowThousand, looksGrouped, mayLackDigits } from './numberForms.ts';

/** A column whose numbers are in doubt: how many they are, and the place and the text of the first one. */
export interface SuspectColumn<Column, Place> {
  readonly column: Column;
  readonly count: number;
  readonly at: Place;
  readonly text: string;
}

interface Counted<Place> {
  numbers: number;
  /** How many of the numbers are in doubt. */
  suspects: number;
  readonly at: Place;
  readonly text: string;
}

/** Counts numbers by column. A column is suspect if all its numbers are. */
class CountedColumns<Column, Place> {
  readonly #columns = new Map<Column, Counted<Place>>();

  add(column: Column, text: string, at: Place, isSuspect: boolean): void {
    const counted = getOrInsert(this.#columns, column, () => ({
      numbers: 0,
      suspects: 0,
      at,
      text: text.trim(),
    }));
    counted.numbers += 1;
    if (isSuspect) counted.suspects += 1;
  }

  /** The suspect columns with at least `fewest` numbers. */
  suspects(fewest: number): SuspectColumn<Column, Place>[] {
    return [...this.#columns].flatMap(([column, { numbers, suspects, at, text }]) =>
      suspects === numbers && numbers >= fewest ? [{ column, count: numbers, at, text }] : [],
    );
  }
}

/** Finds columns whose numbers all have three digits after a dot, such as `404.021`: the dot may separate thousands. */
export class DottedColumns<Column, Place> {
  readonly #columns = new CountedColumns<Column, Place>();

  /** Counts a number. Whole numbers below a thousand do not count, because they have no separator in any style. */
  add(column: Column, text: string, at: Place): void {
    if (!isBelowThousand(text)) this.#columns.add(column, text, at, looksGrouped(text));
  }

  suspects(): SuspectColumn<Column, Place>[] {
    return this.#columns.suspects(1);
  }
}

/** Finds columns in which all numbers that are written like `1.80851e+08` may lack digits. */
export class ShortColumns<Column, Place> {
  readonly #columns = new CountedColumns<Column, Place>();

  add(column: Column, text: string, at: Place): void {
    const lacks = mayLackDigits(text);
    if (lacks !== null) this.#columns.add(column, text, at, lacks);
  }

  suspects(): SuspectColumn<Column, Place>[] {
    return this.#columns.suspects(FEWEST_SHORT);
  }
}

/** A column gets a warning when at least this many of its numbers have lost digits. */
const FEWEST_SHORT = 5;
