// Finds markets and states of one country that have the same figures in a year that begins, and had not in the year before.

import type { DimensionName } from '../../../src/catalog/datasets.ts';
import { groupBy } from '../../../src/groupBy.ts';
import { isForecastRow } from '../matched.ts';
import { relativeChange } from '../revision.ts';
import type { Pattern, YearFamily } from './types.ts';
import type { BegunYear, Item, YearRows } from './yearRows.ts';

/** The dimensions in which a copy may differ from its source. The first that differs names the copy. */
const DIMENSIONS: readonly DimensionName[] = ['state', 'product', 'sub_channel', 'channel'];

/** Fewer currencies may agree by chance. */
const FEWEST = 2;

/** Equal values of at most this many digits prove no copy. */
const FEW_DIGITS = 5;

/** The pairs of markets of one country's new year, or of states in one market, that are equal in every currency. */
export function findOwnCopies(rows: YearRows, begun: BegunYear): Pattern<YearFamily>[] {
  const { matched, list, market, series } = rows;
  const { codes, after } = matched;
  if (!codes.has('fx')) return [];
  const now = rows.of(begun.country, begun.year);
  const value = (item: Item) => after.value(0, list[item] as number);
  const code = (dimension: DimensionName, item: Item) => after.code(dimension, list[item] as number);
  const marketOf = (item: Item) => market[item] as number;
  const equal = groupBy(
    [...now].filter((item) => isTelling(value(item))),
    (item) => `${code('fx', item)} ${value(item)}`,
  );
  const pairs = groupBy(
    [...equal.values()].flatMap(([one, ...others]) => others.map((other) => ({ one, other }))),
    ({ one, other }) => `${marketOf(one)} ${marketOf(other)}`,
  );
  if (pairs.size === 0) return [];
  const then = new Map([...rows.of(begun.country, begun.than)].map((item) => [series[item] as number, item]));
  const old = (item: Item) => {
    const at = then.get(series[item] as number);
    return at === undefined ? Number.NaN : value(at);
  };
  const currencies = groupBy(now, marketOf);
  const whole = codes.codeOf('state', '');
  const share = sharesOf(
    [...now].filter((item) => code('state', item) === whole),
    value,
    (item) => code('fx', item),
  );
  return [...pairs.values()].flatMap((pair) => {
    const [{ one, other }] = pair;
    const differing = DIMENSIONS.filter((dimension) => code(dimension, one) !== code(dimension, other));
    const [dimension] = differing;
    // A state may be all that a nation has of a market, and two states may share nothing but their market.
    const ofStates = dimension === 'state';
    const isRelated = ofStates && [one, other].some((item) => code('state', item) === whole);
    const of = Math.min(...[one, other].map((item) => currencies.get(marketOf(item))?.length ?? 0));
    if (dimension === undefined || isRelated || (ofStates && differing.length > 1)) return [];
    if (pair.length < Math.max(FEWEST, of)) return [];
    if (pair.some((both) => old(both.one) === old(both.other))) return [];
    // The market that moved further from its own year before has copied the other's; a new one has.
    const distance = (item: Item) => {
      const by = Math.abs(Math.log(value(item) / old(item)));
      return Number.isNaN(by) ? Number.POSITIVE_INFINITY : by;
    };
    const [copier, source] = distance(one) > distance(other) ? [one, other] : [other, one];
    const [from, to] = [source, copier].map((item) => codes.valueOf(dimension, code(dimension, item)));
    const cells = pair.length;
    const placed: readonly DimensionName[] = ofStates
      ? ['state', 'product']
      : ['product', 'channel', 'sub_channel'];
    const row = list[copier] as number;
    const countryShare = share(copier);
    return [
      {
        family: 'year-copied' as const,
        metric: matched.metrics[0] ?? null,
        place: {
          country: codes.valueOf('country', begun.country),
          ...Object.fromEntries(placed.map((one) => [one, codes.valueOf(one, code(one, copier))])),
          year: codes.valueOf('year', begun.year),
        },
        forecast: isForecastRow(matched, after, row),
        cells,
        of: cells,
        further: null,
        countryShare,
        historyShare: countryShare,
        effect: countryShare,
        datasetShare: null,
        ratio: null,
        between: { dimension, pairs: [{ from: from ?? '', to: to ?? '', cells }] },
        examples: [
          {
            key: codes.keyOf(after, row),
            metric: matched.metrics[0] ?? '',
            from: Number.isNaN(old(copier)) ? null : old(copier),
            to: value(copier),
            relative: relativeChange(Number.isNaN(old(copier)) ? null : old(copier), value(copier)),
          },
        ],
      },
    ];
  });
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
