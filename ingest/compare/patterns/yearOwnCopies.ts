// Finds markets and states of one country that have the same figures in a year that begins, and had not in the year before.

import type { DimensionName } from '../../../src/catalog/datasets.ts';
import { groupBy } from '../../../src/groupBy.ts';
import { isForecastRow } from '../matched.ts';
import { relativeChange } from '../revision.ts';
import { MOST_EXAMPLES, type Pattern, type YearFamily } from './types.ts';
import type { BegunYear, Item, YearRows } from './yearRows.ts';

/** The dimensions in which a copy may differ from its source. The first that differs names the copy. */
const DIMENSIONS: readonly DimensionName[] = ['state', 'product', 'sub_channel', 'channel'];

/** Fewer values may agree by chance. */
const FEWEST = 2;

/** Equal values of at most this many digits prove no copy. */
const FEW_DIGITS = 5;

/** An item that repeats another, and the dimension that names the copy. */
interface Copy {
  readonly dimension: DimensionName;
  readonly copier: Item;
  readonly source: Item;
}

/**
 * The markets of one country's new year, or the states, that have another's figures in every currency. The copies of one
 * value of a dimension are one pattern.
 */
export function findOwnCopies(rows: YearRows, begun: BegunYear): Pattern<YearFamily>[] {
  const { matched, list, series } = rows;
  const { codes, after } = matched;
  if (!codes.has('fx')) return [];
  const now = rows.of(begun.country, begun.year);
  const value = (item: Item) => after.value(0, list[item] as number);
  const code = (dimension: DimensionName, item: Item) => after.code(dimension, list[item] as number);
  const pairs = equalPairs(rows, now);
  if (pairs.length === 0) return [];
  const then = new Map([...rows.of(begun.country, begun.than)].map((item) => [series[item] as number, item]));
  const old = (item: Item) => {
    const at = then.get(series[item] as number);
    return at === undefined ? Number.NaN : value(at);
  };
  // The market that moved further from its own year before has copied the other's; a new one has.
  const distance = (item: Item) => {
    const by = Math.abs(Math.log(value(item) / old(item)));
    return Number.isNaN(by) ? Number.POSITIVE_INFINITY : by;
  };
  const copies = pairs.flatMap(({ dimension, equal }): Copy[] => {
    if (equal.length < FEWEST || equal.some(([one, other]) => old(one) === old(other))) return [];
    const sum = (side: 0 | 1) => equal.reduce((total, both) => total + distance(both[side]), 0);
    const isFirst = sum(0) > sum(1);
    return equal.map(([one, other]) => ({
      dimension,
      copier: isFirst ? one : other,
      source: isFirst ? other : one,
    }));
  });
  const whole = codes.codeOf('state', '');
  const share = sharesOf(
    [...now].filter((item) => code('state', item) === whole),
    value,
    (item) => code('fx', item),
  );
  const alike = groupBy(
    copies,
    ({ dimension, copier, source }) => `${dimension} ${code(dimension, copier)} ${code(dimension, source)}`,
  );
  return [...alike.values()].map((all) => {
    const [{ dimension, copier, source }] = all;
    const [from, to] = [source, copier].map((item) => codes.valueOf(dimension, code(dimension, item))) as [
      string,
      string,
    ];
    const cells = all.length;
    const currencies = new Set(all.map((one) => code('fx', one.copier))).size;
    const countryShare = all.reduce((sum, one) => sum + share(one.copier), 0) / currencies;
    const row = list[copier] as number;
    return {
      family: 'year-copied' as const,
      metric: matched.metrics[0] ?? null,
      place: {
        country: codes.valueOf('country', begun.country),
        [dimension]: to,
        year: codes.valueOf('year', begun.year),
      },
      forecast: isForecastRow(matched, after, row),
      cells,
      of: now.filter((item) => code(dimension, item) === code(dimension, copier)).length,
      further: null,
      countryShare,
      historyShare: countryShare,
      effect: countryShare,
      datasetShare: null,
      ratio: null,
      between: { dimension, pairs: [{ from, to, cells }] },
      examples: all.slice(0, MOST_EXAMPLES).map((one) => {
        const [was, is] = [Number.isNaN(old(one.copier)) ? null : old(one.copier), value(one.copier)];
        return {
          key: codes.keyOf(after, list[one.copier] as number),
          metric: matched.metrics[0] ?? '',
          from: was,
          to: is,
          relative: relativeChange(was, is),
        };
      }),
    };
  });
}

interface EqualPair {
  readonly dimension: DimensionName;
  readonly equal: readonly (readonly [Item, Item])[];
}

/** The pairs of markets that agree in all currencies, and the pairs of states that agree in some markets. */
function equalPairs({ matched, list, market }: YearRows, now: Int32Array): readonly EqualPair[] {
  const { codes, after } = matched;
  const code = (dimension: DimensionName, item: Item) => after.code(dimension, list[item] as number);
  const value = (item: Item) => after.value(0, list[item] as number);
  const marketOf = (item: Item) => market[item] as number;
  const whole = codes.codeOf('state', '');
  // Nations and states are apart: one state may be all that its nation has of a market.
  const byValue = groupBy(
    [...now].filter((item) => isTelling(value(item))),
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

const isTelling = (value: number): boolean =>
  !Number.isNaN(value) && value !== 0 && Number(value.toPrecision(FEW_DIGITS)) !== value;

/** The share of an item in the sum of its currency. */
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
