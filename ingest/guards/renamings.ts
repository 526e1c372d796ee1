// Finds renamings: pairs of a value that is gone and a new value that is probably its new name.

import { getOrInsert } from '../../src/basics/maps.ts';
import { type DatasetName, type DimensionName, isText } from '../../src/catalog/datasets.ts';
import type { Comparison, DimensionChange, RenamedValue } from '../compare/comparisonTypes.ts';
import { isMerger, type Pattern } from '../compare/patterns/patternTypes.ts';
import { count, partOf } from '../messages/numbers.ts';
import { looseKey, nearestWord } from '../messages/spelling.ts';
import { cellText } from './wording.ts';

export interface Renaming {
  readonly dimension: DimensionName;
  readonly from: string;
  readonly to: string;
  /** The first countries that had the value. */
  readonly countries: readonly string[];
  /** The words for the evidence, such as `spelled nearly alike`. */
  readonly evidence: string;
}

/**
 * The number of letters from which on spellings are compared. Shorter words, such as codes of currencies, are similar by
 * chance.
 */
const LEAST_LETTERS = 4;

/** The most pairs whose spelling is compared. With more pairs, a whole vocabulary was replaced. */
const MOST_PAIRS = 250_000;

/** The renamings of all datasets. A pair that has equal numbers in one dataset is a renaming in the other datasets too. */
export class Renamings {
  readonly #comparison: Comparison;
  readonly #found = new Map<DatasetName, readonly Renaming[]>();
  readonly #byNumbers: ReadonlyMap<string, PairWithEqualNumbers>;

  constructor(comparison: Comparison) {
    this.#comparison = comparison;
    const byNumbers = new Map<string, PairWithEqualNumbers>();
    for (const { dataset, twins } of Object.values(comparison.datasets)) {
      // The first pair of a value has the most equal rows.
      for (const pair of twins) {
        const key = keyOf(pair.dimension, pair.from);
        if (!byNumbers.has(key)) byNumbers.set(key, { pair, dataset });
      }
    }
    this.#byNumbers = byNumbers;
  }

  /** The renamings in one dataset. */
  in(dataset: DatasetName): readonly Renaming[] {
    return getOrInsert(this.#found, dataset, () =>
      this.#comparison.datasets[dataset].dimensions
        .filter(({ dimension }) => isText(dimension))
        .flatMap((change) => this.#pairs(dataset, change)),
    );
  }

  #pairs(dataset: DatasetName, { dimension, vanished, appeared }: DimensionChange): Renaming[] {
    const fresh = new Set(appeared.map(({ value }) => String(value)));
    const mayCompareSpelling = vanished.length * appeared.length <= MOST_PAIRS;
    return vanished.flatMap(({ value, countries }) => {
      const from = String(value);
      const merged = this.#mergedFrom(dataset, dimension, from);
      const renamed = this.#pairOf(dataset, dimension, from, merged);
      if (renamed !== undefined && fresh.delete(renamed.pair.to)) return [this.#renamingOf(dataset, renamed)];
      // A product may be merged into one with a similar name.
      if (merged.length > 0) return [];
      if (!mayCompareSpelling || looseKey(from).length < LEAST_LETTERS) return [];
      const to = nearestWord(from, fresh);
      if (to === undefined) return [];
      fresh.delete(to);
      return [{ dimension, from, to, countries, evidence: 'spelled nearly alike' }];
    });
  }

  /**
   * The pair of a value with equal numbers. A pair of another dataset is left out if several countries of this dataset
   * merged both values. In the other dataset, the same merger looks like a renaming if no country had another value to add
   * up.
   */
  #pairOf(
    dataset: DatasetName,
    dimension: DimensionName,
    from: string,
    merged: readonly Pattern[],
  ): PairWithEqualNumbers | undefined {
    const found = this.#byNumbers.get(keyOf(dimension, from));
    const isMerged = merged.some(
      ({ onlyNamed, between }) =>
        onlyNamed !== undefined && between?.pairs.some(({ to }) => to === found?.pair.to) === true,
    );
    if (!isMerged) return found;
    const pair = this.#comparison.datasets[dataset].twins.find(
      (twin) => twin.dimension === dimension && twin.from === from,
    );
    return pair && { pair, dataset };
  }

  /** The mergers in which a value is gone. */
  #mergedFrom(dataset: DatasetName, dimension: DimensionName, from: string): readonly Pattern[] {
    return this.#comparison.datasets[dataset].patterns.filter(
      (pattern) =>
        isMerger(pattern) &&
        pattern.between?.dimension === dimension &&
        pattern.between.pairs.some((pair) => pair.from === from),
    );
  }

  /**
   * A renaming in one dataset, with its counts of equal rows. If this dataset has none, the counts are those of the dataset
   * in which the pair was found.
   */
  #renamingOf(dataset: DatasetName, { pair, dataset: other }: PairWithEqualNumbers): Renaming {
    const { dimension, from, to } = pair;
    const own = this.#comparison.datasets[dataset].twins.find(
      (twin) => twin.dimension === dimension && twin.from === from && twin.to === to,
    );
    const { countries, rows, alike } = own ?? pair;
    const where = own === undefined ? ` of ${other}` : '';
    const others = own === undefined ? '' : otherRowsWords(own);
    const evidence = `with the same numbers in ${rows === 1 ? 'its only row' : partOf(alike, rows, 'row')}${where}${others}`;
    return { dimension, from, to, countries, evidence };
  }
}

/** Rows that the new name lacks are reported from this share on. Fewer may be forecasts that became reported figures. */
const MISSING_SHARE = 0.05;

/**
 * The words for the other rows of a renamed value: those that moved far and those that are gone. No other guard compares
 * them, because their names differ.
 */
function otherRowsWords({ dimension, to, rows, moved, missing, farthest }: RenamedValue): string {
  const parts = [
    ...(farthest === null
      ? []
      : [`${count(moved)} moved by 10 % or more, most of all ${cellText(farthest, { [dimension]: to })}`]),
    ...(missing < MISSING_SHARE * rows ? [] : [`${count(missing)} ${missing === 1 ? 'is' : 'are'} gone`]),
  ];
  return parts.length === 0 ? '' : `; of the others, ${parts.join(', and ')}`;
}

/** An old and a new value with equal numbers, and the first dataset in which they have them. */
interface PairWithEqualNumbers {
  readonly pair: RenamedValue;
  readonly dataset: DatasetName;
}

const keyOf = (dimension: DimensionName, value: string) => `${dimension} ${value}`;
