// Finds pairs of countries that have the same figures in a new year, because one was given the figures of the other.

import { groupBy } from '../../../../src/basics/lists.ts';
import { hasDigits } from '../../../figures/digits.ts';
import { logDistance } from '../../ratios.ts';
import { GroupNumbers, groupedItems } from '../../rows/groupNumbers.ts';
import { MOST_EXAMPLES, type YearPattern } from '../patternTypes.ts';
import { yearPattern } from './yearPattern.ts';
import type { Item, NewYear, YearRows } from './yearRows.ts';

/** The number of values that must be equal. Fewer may be equal by chance. */
const FEWEST_EQUAL = 3;

/** The share of the copying country's figures, in the currencies concerned, that must be equal. */
const EQUAL_SHARE = 0.5;

/** A value with fewer digits proves no copy, because different figures may be rounded to it. */
const FEWEST_DIGITS = 4;

/** The items of two countries that have the same value of the same market and currency. */
interface EqualItems {
  readonly one: Item;
  readonly other: Item;
}

/**
 * Pairs of countries whose figures of a new year are equal to the last digit, in the same product, channel and currency.
 */
export function findCountryCopies(rows: YearRows, newYears: readonly NewYear[]): YearPattern[] {
  const { codes, after } = rows.matched;
  const newItems = newYears
    .flatMap(({ country, year }) => [...rows.itemsOf(country, year)])
    .filter((item) => hasDigits(rows.value(0, item), FEWEST_DIGITS));
  const groups = GroupNumbers.without(codes, 'country', 'region', 'state', 'temporal');
  const groupOf = groups.addRows(
    after,
    Int32Array.from(newItems, (item) => rows.row(item)),
  );
  const countryOf = (item: Item) => rows.code('country', item);
  const found: (EqualItems & { readonly at: number })[] = [];
  const { starts, items } = groupedItems(groupOf, groups.count);
  for (let group = 0; group < groups.count; group += 1) {
    const firstItems = new Map<number, Item>();
    for (const at of items.subarray(starts[group], starts[group + 1])) {
      const item = newItems[at] as Item;
      const value = rows.value(0, item);
      const one = firstItems.get(value);
      if (one === undefined) firstItems.set(value, item);
      else if (countryOf(one) !== countryOf(item)) found.push({ one, other: item, at });
    }
  }
  const equal = found.sort((a, b) => a.at - b.at);
  const pairs = groupBy(equal, ({ one, other }) => `${countryOf(one)} ${countryOf(other)}`);
  return [...pairs.values()].flatMap((ofPair) => {
    const years = groupBy(ofPair, ({ one }) => rows.code('year', one));
    return [...years].flatMap(([year, ofYear]) => patternOf(rows, newYears, year, ofYear) ?? []);
  });
}

function patternOf(
  rows: YearRows,
  newYears: readonly NewYear[],
  year: number,
  equal: readonly [EqualItems, ...EqualItems[]],
): YearPattern | null {
  const { codes, metrics } = rows.matched;
  const [first] = equal;
  const sides = (['one', 'other'] as const).map((side) => {
    const country = rows.code('country', first[side]);
    const newYear = newYears.find((candidate) => candidate.country === country && candidate.year === year);
    return { side, country, newYear };
  });
  // The copying country is the one that moved further from its own year before.
  const moved = ({ newYear }: (typeof sides)[number]) => distanceFromYearBefore(rows, newYear);
  const [copier, source] = sides.sort((a, b) => moved(b) - moved(a));
  if (copier?.newYear === undefined || source === undefined || equal.length < FEWEST_EQUAL) return null;
  const currencies = new Set(equal.map(({ one }) => rows.code('fx', one)));
  const concerned = rows
    .itemsOf(copier.country, year)
    .filter((item) => currencies.has(rows.code('fx', item)));
  if (equal.length < EQUAL_SHARE * concerned.length) return null;
  const [from, to] = [codes.valueOf('country', source.country), codes.valueOf('country', copier.country)];
  return yearPattern({
    family: 'year-copied',
    metric: metrics[0] ?? null,
    place: { country: to, year: codes.valueOf('year', year) },
    forecast: rows.isForecast(first.one),
    cells: equal.length,
    of: concerned.length,
    between: ['country', from, to],
    // The figures of the copying country are new, so they have no value before.
    examples: equal.slice(0, MOST_EXAMPLES).map((items) => {
      const item = items[copier.side];
      return rows.example(0, item, null, rows.value(0, item));
    }),
  });
}

function distanceFromYearBefore(rows: YearRows, newYear: NewYear | undefined): number {
  if (newYear === undefined) return 0;
  const sum = (year: number) =>
    rows
      .itemsOf(newYear.country, year)
      .reduce((total, item) => total + Math.abs(rows.value(0, item) || 0), 0);
  return logDistance(sum(newYear.year), sum(newYear.comparedYear));
}
