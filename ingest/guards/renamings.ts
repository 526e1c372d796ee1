// Finds renamings: pairs of a value that is gone and a new value that is probably the same one under another name.

import { type DatasetName, type DimensionName, dimensionOf } from '../../src/catalog/datasets.ts';
import type { Comparison, DimensionChange } from '../compare/types.ts';
import { count, counted } from '../messages/numbers.ts';
import { looseKey, nearestWord } from '../messages/spelling.ts';

export interface Renaming {
  readonly dimension: DimensionName;
  readonly from: string;
  readonly to: string;
  /** The first countries that had the value. */
  readonly countries: readonly string[];
  readonly why: string;
}

/** The number of letters from which on spellings are compared. Shorter words are similar by chance. */
const LEAST_LETTERS = 4;

/** The most pairs whose spelling is compared. With more pairs, a whole vocabulary was replaced. */
const MOST_PAIRS = 250_000;

/** The renamings of all datasets. A pair that has equal numbers in one dataset is a renaming in the other datasets too. */
export class Renamings {
  readonly #comparison: Comparison;
  readonly #found = new Map<DatasetName, readonly Renaming[]>();
  readonly #byNumbers: ReadonlyMap<string, Renaming>;

  constructor(comparison: Comparison) {
    this.#comparison = comparison;
    const byNumbers = new Map<string, Renaming>();
    for (const { twins: found } of Object.values(comparison.datasets)) {
      // The first pair of a value is the one with the most equal rows.
      for (const { dimension, from, to, countries, rows, alike } of found) {
        const why = `with the same numbers in ${count(alike)} of ${counted(rows, 'row')}`;
        const key = keyOf(dimension, from);
        if (!byNumbers.has(key)) byNumbers.set(key, { dimension, from, to, countries, why });
      }
    }
    this.#byNumbers = byNumbers;
  }

  /** The renamings in one dataset. */
  in(dataset: DatasetName): readonly Renaming[] {
    let found = this.#found.get(dataset);
    if (found === undefined) {
      found = this.#comparison.datasets[dataset].dimensions
        .filter(({ dimension }) => dimensionOf(dimension).type === 'text')
        .flatMap((change) => this.#pairs(change));
      this.#found.set(dataset, found);
    }
    return found;
  }

  isRenamed(dataset: DatasetName, dimension: DimensionName, value: string | number): boolean {
    return this.in(dataset).some((pair) => pair.dimension === dimension && pair.from === value);
  }

  #pairs({ dimension, vanished, appeared }: DimensionChange): Renaming[] {
    const fresh = new Set(appeared.map(({ value }) => String(value)));
    const bySpelling =
      dimensionOf(dimension).form !== 'currency' && vanished.length * appeared.length <= MOST_PAIRS;
    return vanished.flatMap(({ value, countries }) => {
      const from = String(value);
      const renamed = this.#byNumbers.get(keyOf(dimension, from));
      if (renamed !== undefined && fresh.delete(renamed.to)) return [renamed];
      if (!bySpelling || looseKey(from).length < LEAST_LETTERS) return [];
      const to = nearestWord(from, fresh);
      if (to === undefined) return [];
      fresh.delete(to);
      return [{ dimension, from, to, countries, why: 'spelled nearly alike' }];
    });
  }
}

const keyOf = (dimension: DimensionName, value: string) => `${dimension} ${value}`;
