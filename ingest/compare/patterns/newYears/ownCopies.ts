// Finds markets and states of one country that have equal figures in a new year, and had different ones in the year before.

import { groupBy } from '../../../../src/basics/lists.ts';
import { addTo } from '../../../../src/basics/maps.ts';
import type { DimensionName } from '../../../../src/catalog/datasets.ts';
import { hasManyDigits } from '../../../figures/digits.ts';
import { countedOnceTest } from '../../countrySums.ts';
import { logDistance } from '../../ratios.ts';
import { MOST_EXAMPLES, type YearPattern } from '../patternTypes.ts';
import { placeInYear, yearPattern } from './yearPattern.ts';
import type { Item, NewYear, YearRows } from './yearRows.ts';

/** The dimensions in which a copy may differ from its source. The first that differs names the copy. */
const DIMENSIONS: readonly DimensionName[] = ['state', 'product', 'sub_channel', 'channel'];

/** The number of values that must be equal. Fewer may be equal by chance. */
const FEWEST_EQUAL = 2;

interface Copy {
  readonly dimension: DimensionName;
  readonly copier: Item;
  readonly source: Item;
}

/**
 * The patterns of markets that have the figures of another market in every currency, and of states that have those of
 * another state. All copies from one value of a dimension to another are one pattern.
 */
export function findOwnCopies(rows: YearRows, newYear: NewYear): YearPattern[] {
  const now = rows.itemsOf(newYear.country, newYear.year);
  const pairs = equalPairs(rows, now);
  if (pairs.length === 0) return [];
  const before = figuresBefore(rows, newYear);
  const isRowCounted = countedOnceTest(rows.matched, 'after');
  const isCounted = (item: Item) => isRowCounted(rows.row(item));
  const share = sharesOf(rows, [...now].filter(isCounted));
  const alike = groupBy(
    pairs.flatMap((pair) => copiesOf(rows, pair, before)),
    ({ dimension, copier, source }) =>
      `${dimension} ${rows.code(dimension, copier)} ${rows.code(dimension, source)}`,
  );
  return [...alike.values()].map((copies) => {
    const currencies = new Set(copies.map(({ copier }) => rows.code('fx', copier)));
    // A state's figures are part of its nation's. If the nation's were copied as well, they would count twice.
    const counted = copies.filter(({ copier }) => isCounted(copier));
    const once = counted.length === 0 ? copies : counted;
    const countryShare = once.reduce((sum, { copier }) => sum + share(copier), 0) / currencies.size;
    return patternOf(rows, newYear, copies, { before, countryShare });
  });
}

/** A function that gives the value of an item's series in the year before; NaN when there was none. */
function figuresBefore(rows: YearRows, newYear: NewYear): (item: Item) => number {
  const comparedItemOf = rows.itemBySeries(newYear.country, newYear.comparedYear);
  return (item) => {
    const compared = comparedItemOf.get(rows.series[item] as number);
    return compared === undefined ? Number.NaN : rows.value(0, compared);
  };
}

/** Decides which item of each pair is the copy. There is no copy if any two were equal in the year before as well. */
function copiesOf(rows: YearRows, { dimension, equal }: EqualPair, before: (item: Item) => number): Copy[] {
  if (equal.length < FEWEST_EQUAL) return [];
  if (equal.some(([one, other]) => before(one) === before(other))) return [];
  const distanceOf = (item: Item) => {
    const by = logDistance(rows.value(0, item), before(item));
    return Number.isNaN(by) ? Number.POSITIVE_INFINITY : by;
  };
  // The market that moved further from its own year before is the copy. A new market counts as infinitely far.
  const moved = (side: 0 | 1) => equal.reduce((sum, both) => sum + distanceOf(both[side]), 0);
  const isFirst = moved(0) > moved(1);
  return equal.map(([one, other]) => ({
    dimension,
    copier: isFirst ? one : other,
    source: isFirst ? other : one,
  }));
}

function patternOf(
  rows: YearRows,
  newYear: NewYear,
  copies: readonly [Copy, ...Copy[]],
  { before, countryShare }: { readonly before: (item: Item) => number; readonly countryShare: number },
): YearPattern {
  const { codes, metrics } = rows.matched;
  const [{ dimension, copier, source }] = copies;
  const nameOf = (item: Item) => codes.valueOf(dimension, rows.code(dimension, item));
  const ofCopier = rows
    .itemsOf(newYear.country, newYear.year)
    .filter((item) => rows.code(dimension, item) === rows.code(dimension, copier));
  return yearPattern({
    family: 'year-copied',
    metric: metrics[0] ?? null,
    place: placeInYear(codes, newYear, { [dimension]: nameOf(copier) }).place,
    forecast: rows.isForecast(copier),
    cells: copies.length,
    of: ofCopier.length,
    countryShare,
    between: [dimension, nameOf(source), nameOf(copier)],
    examples: copies
      .slice(0, MOST_EXAMPLES)
      .map((one) => rows.example(0, one.copier, before(one.copier), rows.value(0, one.copier))),
  });
}

interface EqualPair {
  readonly dimension: DimensionName;
  readonly equal: readonly (readonly [Item, Item])[];
}

/** Pairs of markets that are equal in all currencies, and pairs of states that are equal in some markets. */
function equalPairs(rows: YearRows, now: Int32Array): readonly EqualPair[] {
  const marketOf = (item: Item) => rows.market[item] as number;
  const stateOf = (item: Item) => rows.code('state', item);
  const { nation } = rows.matched.codes;
  // Nations are not compared with states. If a nation has a market in one state only, both figures are rightly equal.
  const byValue = groupBy(
    [...now].filter((item) => hasManyDigits(rows.value(0, item))),
    (item) => `${stateOf(item) === nation} ${rows.code('fx', item)} ${rows.value(0, item)}`,
  );
  const equal = [...byValue.values()].flatMap(([one, ...others]) =>
    others.map((other) => [one, other] as const),
  );
  if (equal.length === 0) return [];
  const differingIn = ([one, other]: readonly [Item, Item]) =>
    DIMENSIONS.filter((dimension) => rows.code(dimension, one) !== rows.code(dimension, other));
  const ofMarkets = equal.filter((both) => !differingIn(both).includes('state'));
  // Equal figures of two states in different markets prove no copy.
  const ofStates = equal.filter((both) => differingIn(both).join() === 'state');
  const currencies = groupBy(now, marketOf);
  const currenciesOf = (item: Item) => currencies.get(marketOf(item))?.length ?? 0;
  const markets = groupBy(ofMarkets, ([one, other]) => `${marketOf(one)} ${marketOf(other)}`);
  const states = groupBy(ofStates, ([one, other]) => `${stateOf(one)} ${stateOf(other)}`);
  return [
    ...[...markets.values()].flatMap((pair) => {
      const [[one, other]] = pair;
      const [dimension] = differingIn([one, other]);
      const isWhole = pair.length >= Math.min(currenciesOf(one), currenciesOf(other));
      return dimension === undefined || !isWhole ? [] : [{ dimension, equal: pair }];
    }),
    ...[...states.values()].map((pair) => ({ dimension: 'state' as const, equal: pair })),
  ];
}

/** A function that gives the share of an item in the sum of its currency over these items, from 0 to 1. */
function sharesOf(rows: YearRows, items: readonly Item[]): (item: Item) => number {
  const sizeOf = (item: Item) => Math.abs(rows.value(0, item));
  const sums = new Map<number, number>();
  for (const item of items) addTo(sums, rows.code('fx', item), sizeOf(item) || 0);
  return (item) => sizeOf(item) / (sums.get(rows.code('fx', item)) || Number.POSITIVE_INFINITY);
}
