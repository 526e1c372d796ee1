// Finds values that count up row by row (`Slots 1`, `Slots 2`, `Slots 3`): somebody dragged a cell of a spreadsheet down.

import { getOrInsert } from '../../src/basics/maps.ts';
import { count } from '../messages/numbers.ts';
import type { Place } from '../messages/place.ts';
import type { Problems } from '../messages/problems.ts';

/** The fewest values that cause a warning. Two may be real names, such as `Slots 1` and `Slots 2`. */
const FEWEST_VALUES = 3;

interface Numbered {
  readonly text: string;
  readonly number: number;
  readonly placeOf: () => Place;
}

/** The number of characters at the end of a value that are searched for a number. */
const MOST_DIGITS = 6;

/** Collects the values of a dimension that end in a number, grouped by the text before the number. */
export class CountedUpValues {
  readonly #dimension: string;
  readonly #found = new Map<string, Numbered[]>();

  constructor(dimension: string) {
    this.#dimension = dimension;
  }

  /** Adds a value that occurs in one row only. */
  note(text: string, placeOf: () => Place): void {
    const [digits] = /(?<!\d)\d+$/.exec(text.slice(-MOST_DIGITS)) ?? [];
    if (digits === undefined) return;
    const stem = text.slice(0, -digits.length).trimEnd();
    if (!/\p{L}/u.test(stem)) return;
    const values = getOrInsert(this.#found, stem, () => []);
    values.push({ text, number: Number(digits), placeOf });
  }

  /** Warns of each text whose numbers follow one another without a gap. */
  warn(problems: Problems): void {
    const dimension = this.#dimension;
    for (const values of this.#found.values()) {
      const sorted = values.toSorted((a, b) => a.number - b.number);
      const [first, second] = sorted;
      const isCounting = sorted.every(({ number }, i) => number === (first?.number ?? 0) + i);
      if (first === undefined || sorted.length < FEWEST_VALUES || !isCounting) continue;
      problems.add('warning', first.placeOf(), {
        problem: `${dimension} counts up over ${count(sorted.length)} rows: "${first.text}", "${second?.text}" …`,
        remedy: 'if the cell was dragged down, copy the one value into all of them',
        kind: `${dimension} counts up`,
      });
    }
  }
}
