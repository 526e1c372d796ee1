// Finds pairs of countries that have the same figures in a new year, so that one of them has the other's.

import { groupBy } from '../../../../src/groupBy.ts';
import { type Revision, revisionOf } from '../../revision.ts';
import { Groups } from '../../rows/groups.ts';
import { isForecastRow, type Matched } from '../../rows/matchedRows.ts';
import { digitsOf } from '../equalValues.ts';
import { MOST_EXAMPLES, type Pattern, type YearFamily } from '../types.ts';
import { yearPattern } from './yearPattern.ts';
import type { BegunYear, Item, YearRows } from './yearRows.ts';

/** The number of values that must be equal. Fewer may be equal by chance. */
const FEWEST_EQUAL = 3;

/** The share of the copying country's figures, in the currencies concerned, that must be equal. */
const EQUAL_SHARE = 0.5;

/** The most digits of a value that proves no copy, because different figures may be rounded to it. */
const FEW_DIGITS = 3;

/** The items of two countries that have the same value of the same market and currency. */
interface EqualItems {
  readonly one: Item;
  readonly other: Item;
}

/** Pairs of countries whose figures of a new year are equal to the last digit, in the same product, channel and currency. */
export function findCountryCopies(rows: YearRows, begun: readonly BegunYear[]): Pattern<YearFamily>[] {
  const { matched, list } = rows;
  const { codes, after } = matched;
  if (!codes.has('fx')) return [];
  const values = after.values(0);
  const newItems = Int32Array.from(begun.flatMap(({ country, year }) => [...rows.of(country, year)])).filter(
    (item) => digitsOf(values[list[item] as number] as number).count > FEW_DIGITS,
  );
  const groups = Groups.without(codes, 'country', 'region', 'state', 'temporal');
  const groupOf = groups.addRows(
    after,
    newItems.map((item) => list[item] as number),
  );
  const countryOf = (item: Item) => after.code('country', list[item] as number);
  /** The first item with each group and value. */
  const firstItems = new Map<string, Item>();
  const equal: EqualItems[] = [];
  for (let i = 0; i < newItems.length; i += 1) {
    const item = newItems[i] as Item;
    const key = `${groupOf[i]} ${values[list[item] as number]}`;
    const one = firstItems.get(key);
    if (one === undefined) firstItems.set(key, item);
    else if (countryOf(one) !== countryOf(item)) equal.push({ one, other: item });
  }
  const pairs = groupBy(equal, ({ one, other }) => `${countryOf(one)} ${countryOf(other)}`);
  return [...pairs.values()].flatMap((ofPair) => patternsOf(rows, begun, ofPair));
}

/** The patterns of two countries with equal values: one for each year in which enough of them are equal. */
function patternsOf(
  rows: YearRows,
  begun: readonly BegunYear[],
  equal: readonly EqualItems[],
): Pattern<YearFamily>[] {
  if (equal.length < FEWEST_EQUAL) return [];
  const { matched, list } = rows;
  const years = groupBy(equal, ({ one }) => matched.after.code('year', list[one] as number));
  return [...years].flatMap(([year, ofYear]) => patternOf(rows, begun, year, ofYear) ?? []);
}

/** The pattern of two countries in one year; null when too few of the copying country's figures are equal. */
function patternOf(
  rows: YearRows,
  begun: readonly BegunYear[],
  year: number,
  equal: readonly [EqualItems, ...EqualItems[]],
): Pattern<YearFamily> | null {
  const { matched, list } = rows;
  const { codes, after } = matched;
  const [first] = equal;
  const sides = (['one', 'other'] as const).map((side) => {
    const country = after.code('country', list[first[side]] as number);
    const begunYear = begun.find((candidate) => candidate.country === country && candidate.year === year);
    return { side, country, begunYear };
  });
  // The country whose figures are further from its own of the year before has copied the other.
  const [copier, source] = sides.sort((a, b) => distance(rows, b.begunYear) - distance(rows, a.begunYear));
  if (copier?.begunYear === undefined || source === undefined || equal.length < FEWEST_EQUAL) return null;
  const currencies = new Set(equal.map(({ one }) => after.code('fx', list[one] as number)));
  const concerned = rows
    .of(copier.country, year)
    .filter((item) => currencies.has(after.code('fx', list[item] as number)));
  if (equal.length < EQUAL_SHARE * concerned.length) return null;
  const [from, to] = [codes.valueOf('country', source.country), codes.valueOf('country', copier.country)];
  return yearPattern({
    family: 'year-copied',
    metric: matched.metrics[0] ?? null,
    place: { country: to, year: codes.valueOf('year', year) },
    forecast: isForecastRow(matched, after, list[first.one] as number),
    cells: equal.length,
    of: concerned.length,
    between: ['country', from, to],
    examples: equal
      .slice(0, MOST_EXAMPLES)
      .map((items) => exampleOf(matched, list[items[copier.side]] as number)),
  });
}

/** A figure of the copying country as an example. It is new, so it has no value before. */
const exampleOf = ({ codes, metrics, after }: Matched, row: number): Revision =>
  revisionOf(codes.dimensionsOf(after, row), metrics[0] ?? '', null, after.value(0, row));

/** How far a country's figures are from those of its year before, as the logarithm of their quotient. */
function distance(rows: YearRows, begun: BegunYear | undefined): number {
  if (begun === undefined) return 0;
  const values = rows.matched.after.values(0);
  const sum = (items: Int32Array) =>
    items.reduce((total, item) => total + Math.abs(values[rows.list[item] as number] || 0), 0);
  return Math.abs(
    Math.log(sum(rows.of(begun.country, begun.year)) / sum(rows.of(begun.country, begun.comparedYear))),
  );
}
