// Finds markets and states of one country that have equal figures in a new year, and had different ones in the year before.

import type { DimensionName } from '../../../../src/catalog/datasets.ts';
import { groupBy } from '../../../../src/groupBy.ts';
import { isCountedOnce } from '../../countrySums.ts';
import { distance } from '../../ratios.ts';
import { isExact } from '../equalValues.ts';
import { MOST_EXAMPLES, type Pattern, type YearFamily } from '../types.ts';
import { yearPattern } from './yearPattern.ts';
import type { BegunYear, Item, YearRows } from './yearRows.ts';

/** The dimensions in which a copy may differ from its source. The first that differs names the copy. */
const DIMENSIONS: readonly DimensionName[] = ['state', 'product', 'sub_channel', 'channel'];

/** The number of values that must be equal. Fewer may be equal by chance. */
const FEWEST_EQUAL = 2;

/** An item that repeats another, and the dimension that names the copy. */
interface Copy {
  readonly dimension: DimensionName;
  readonly copier: Item;
  readonly source: Item;
}

/**
 * The patterns of markets that have the figures of another market in every currency, and of states that have those of another
 * state. All copies from one value of a dimension to another are one pattern.
 */
export function findOwnCopies(rows: YearRows, begun: BegunYear): Pattern<YearFamily>[] {
  if (!rows.matched.codes.has('fx')) return [];
  const now = rows.of(begun.country, begun.year);
  const pairs = equalPairs(rows, now);
  if (pairs.length === 0) return [];
  const figures = new Figures(rows, begun);
  const share = sharesOf(
    [...now].filter((item) => figures.isCounted(item)),
    (item) => rows.value(0, item),
    (item) => rows.code('fx', item),
  );
  const alike = groupBy(
    pairs.flatMap((pair) => copiesOf(pair, figures)),
    ({ dimension, copier, source }) =>
      `${dimension} ${rows.code(dimension, copier)} ${rows.code(dimension, source)}`,
  );
  return [...alike.values()].map((copies) => {
    const [{ dimension, copier }] = copies;
    const ofCopier = now.filter((item) => rows.code(dimension, item) === rows.code(dimension, copier));
    const currencies = new Set(copies.map((one) => rows.code('fx', one.copier)));
    // A state's figures are part of its nation's. If the nation's were copied as well, they would count twice.
    const counted = copies.filter(({ copier: item }) => figures.isCounted(item));
    const once = counted.length === 0 ? copies : counted;
    const countryShare = once.reduce((sum, one) => sum + share(one.copier), 0) / currencies.size;
    return figures.pattern(copies, ofCopier.length, countryShare);
  });
}

/** Decides which item of each pair is the copy. There is no copy if any two were equal in the year before as well. */
function copiesOf({ dimension, equal }: EqualPair, figures: Figures): Copy[] {
  if (equal.length < FEWEST_EQUAL) return [];
  if (equal.some(([one, other]) => figures.before(one) === figures.before(other))) return [];
  // The market that moved further from its own year before is the copy. A new market counts as infinitely far.
  const moved = (side: 0 | 1) => equal.reduce((sum, both) => sum + figures.distance(both[side]), 0);
  const isFirst = moved(0) > moved(1);
  return equal.map(([one, other]) => ({
    dimension,
    copier: isFirst ? one : other,
    source: isFirst ? other : one,
  }));
}

/** The figures of one country in a new year, beside those of the year before. */
class Figures {
  readonly #rows: YearRows;
  readonly #begun: BegunYear;
  readonly #isCounted: (row: number) => boolean;
  /** For each series, the item of the year before. */
  readonly #then: ReadonlyMap<number, Item>;

  constructor(rows: YearRows, begun: BegunYear) {
    this.#rows = rows;
    this.#begun = begun;
    this.#isCounted = isCountedOnce(rows.matched.after, rows.matched.stateRows.after);
    const then = [...rows.of(begun.country, begun.comparedYear)];
    this.#then = new Map(then.map((item) => [rows.series[item] as number, item]));
  }

  /** Whether an item counts in its country's total: the nation's own row does, and a state's row where the nation has none. */
  isCounted(item: Item): boolean {
    return this.#isCounted(this.#rows.row(item));
  }

  /** The value of the same series in the year before; NaN when there was none. */
  before(item: Item): number {
    const then = this.#then.get(this.#rows.series[item] as number);
    return then === undefined ? Number.NaN : this.#rows.value(0, then);
  }

  /** How far a figure moved from the year before, as a logarithm; infinite for a new series. */
  distance(item: Item): number {
    const by = distance(this.#rows.value(0, item), this.before(item));
    return Number.isNaN(by) ? Number.POSITIVE_INFINITY : by;
  }

  /** @param total The number of figures of the copying market or state. */
  pattern(copies: readonly [Copy, ...Copy[]], total: number, countryShare: number): Pattern<YearFamily> {
    const { codes, metrics } = this.#rows.matched;
    const [{ dimension, copier, source }] = copies;
    const nameOf = (item: Item) => codes.valueOf(dimension, this.#rows.code(dimension, item));
    return yearPattern({
      family: 'year-copied',
      metric: metrics[0] ?? null,
      place: {
        country: codes.valueOf('country', this.#begun.country),
        [dimension]: nameOf(copier),
        year: codes.valueOf('year', this.#begun.year),
      },
      forecast: this.#rows.isForecast(copier),
      cells: copies.length,
      of: total,
      countryShare,
      between: [dimension, nameOf(source), nameOf(copier)],
      examples: copies
        .slice(0, MOST_EXAMPLES)
        .map((one) =>
          this.#rows.example(0, one.copier, this.before(one.copier), this.#rows.value(0, one.copier)),
        ),
    });
  }
}

interface EqualPair {
  readonly dimension: DimensionName;
  readonly equal: readonly (readonly [Item, Item])[];
}

/** Pairs of markets that are equal in all currencies, and pairs of states that are equal in some markets. */
function equalPairs(rows: YearRows, now: Int32Array): readonly EqualPair[] {
  const code = (dimension: DimensionName, item: Item) => rows.code(dimension, item);
  const value = (item: Item) => rows.value(0, item);
  const marketOf = (item: Item) => rows.market[item] as number;
  const whole = rows.matched.codes.codeOf('state', '');
  // Nations are not compared with states. If a nation has a market in one state only, both figures are rightly equal.
  const byValue = groupBy(
    [...now].filter((item) => isExact(value(item))),
    (item) => `${code('state', item) === whole} ${code('fx', item)} ${value(item)}`,
  );
  const equal = [...byValue.values()].flatMap(([one, ...others]) =>
    others.map((other) => [one, other] as const),
  );
  if (equal.length === 0) return [];
  const ofMarkets: (readonly [Item, Item])[] = [];
  const ofStates: (readonly [Item, Item])[] = [];
  for (const both of equal) {
    const differing = DIMENSIONS.filter((dimension) => code(dimension, both[0]) !== code(dimension, both[1]));
    if (!differing.includes('state')) ofMarkets.push(both);
    // Equal figures of two states in different markets prove no copy.
    else if (differing.length === 1) ofStates.push(both);
  }
  const currencies = groupBy(now, marketOf);
  const currenciesOf = (item: Item) => currencies.get(marketOf(item))?.length ?? 0;
  return [
    ...[...groupBy(ofMarkets, ([one, other]) => `${marketOf(one)} ${marketOf(other)}`).values()].flatMap(
      (pair) => {
        const [[one, other]] = pair;
        const dimension = DIMENSIONS.find((each) => code(each, one) !== code(each, other));
        const isWhole = pair.length >= Math.min(currenciesOf(one), currenciesOf(other));
        return dimension === undefined || !isWhole ? [] : [{ dimension, equal: pair }];
      },
    ),
    ...[...groupBy(ofStates, ([one, other]) => `${code('state', one)} ${code('state', other)}`).values()].map(
      (pair) => ({ dimension: 'state' as const, equal: pair }),
    ),
  ];
}

/** A function that gives the share of an item in the sum of its currency, from 0 to 1. */
function sharesOf(
  items: readonly Item[],
  value: (item: Item) => number,
  currency: (item: Item) => number,
): (item: Item) => number {
  const sums = new Map<number, number>();
  for (const item of items)
    sums.set(currency(item), (sums.get(currency(item)) ?? 0) + (Math.abs(value(item)) || 0));
  return (item) => Math.abs(value(item)) / (sums.get(currency(item)) || Number.POSITIVE_INFINITY);
}
