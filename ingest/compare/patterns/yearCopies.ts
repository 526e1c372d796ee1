// Finds new years of two countries that have the same figures: one of them has the other's.

import { groupBy } from '../../../src/groupBy.ts';
import { Groups } from '../groups.ts';
import { isForecastRow } from '../matched.ts';
import { relativeChange } from '../revision.ts';
import { MOST_EXAMPLES, type Pattern, type YearFamily } from './types.ts';
import type { BegunYear, Item, YearRows } from './yearRows.ts';

/** Fewer equal values may be equal by chance. */
const FEWEST = 3;

/** The share of a country's figures in the currencies that both have. */
const MOST = 0.5;

/** Equal values of at most this many digits prove no copy: different figures may be rounded to the same one. */
const FEW_DIGITS = 3;

/** An equal value of two countries, and the item of each. */
interface Equal {
  readonly one: Item;
  readonly other: Item;
}

/** Pairs of countries whose figures of a new year are equal to the last digit, in the same product, channel and currency. */
export function findYearCopies(rows: YearRows, begun: readonly BegunYear[]): Pattern<YearFamily>[] {
  const { matched, list } = rows;
  const { codes, after } = matched;
  if (!codes.has('fx')) return [];
  const values = after.values(0);
  const fresh = Int32Array.from(begun.flatMap(({ country, year }) => [...rows.of(country, year)])).filter(
    (item) => isTelling(values[list[item] as number] as number),
  );
  const groups = new Groups(
    codes,
    codes.dimensions.filter((one) => !['country', 'region', 'state', 'temporal'].includes(one)),
  );
  const groupOf = groups.addRows(
    after,
    fresh.map((item) => list[item] as number),
  );
  const countryOf = (item: Item) => after.code('country', list[item] as number);
  const first = new Map<string, Item>();
  const pairs = new Map<string, Equal[]>();
  for (let i = 0; i < fresh.length; i += 1) {
    const item = fresh[i] as Item;
    const name = `${groupOf[i]} ${values[list[item] as number]}`;
    const one = first.get(name);
    if (one === undefined) first.set(name, item);
    else if (countryOf(one) !== countryOf(item)) {
      const pair = `${countryOf(one)} ${countryOf(item)}`;
      pairs.set(pair, [...(pairs.get(pair) ?? []), { one, other: item }]);
    }
  }
  return [...pairs.values()].flatMap((equal) => patternOf(rows, begun, equal));
}

const isTelling = (value: number): boolean =>
  !Number.isNaN(value) && value !== 0 && Number(value.toPrecision(FEW_DIGITS)) !== value;

function patternOf(
  rows: YearRows,
  begun: readonly BegunYear[],
  equal: readonly Equal[],
): Pattern<YearFamily>[] {
  const { matched, list } = rows;
  const { codes, after } = matched;
  const [first] = equal;
  if (first === undefined || equal.length < FEWEST) return [];
  const years = groupBy(equal, ({ one }) => after.code('year', list[one] as number));
  return [...years].flatMap(([year, of]) => {
    const sides = (['one', 'other'] as const).map((side) => {
      const country = after.code('country', list[first[side]] as number);
      const at = begun.find((one) => one.country === country && one.year === year);
      return { side, country, at };
    });
    // The country whose figures moved further from its own year before has copied the other's.
    const [copier, source] = sides.sort((a, b) => distance(rows, b.at) - distance(rows, a.at));
    if (copier?.at === undefined || source === undefined || of.length < FEWEST) return [];
    const currencies = new Set(of.map(({ one }) => after.code('fx', list[one] as number)));
    const concerned = rows
      .of(copier.country, year)
      .filter((item) => currencies.has(after.code('fx', list[item] as number)));
    if (of.length < MOST * concerned.length) return [];
    const [from, to] = [codes.valueOf('country', source.country), codes.valueOf('country', copier.country)];
    const forecast = isForecastRow(matched, after, list[first.one] as number);
    const cells = of.length;
    return [
      {
        family: 'year-copied' as const,
        metric: matched.metrics[0] ?? null,
        place: { country: to, year: codes.valueOf('year', year) },
        forecast,
        cells,
        of: concerned.length,
        further: null,
        countryShare: 0,
        historyShare: 0,
        effect: 0,
        datasetShare: null,
        ratio: null,
        between: { dimension: 'country' as const, pairs: [{ from, to, cells }] },
        examples: of.slice(0, MOST_EXAMPLES).map((one) => {
          const row = list[one[copier.side]] as number;
          const value = after.value(0, row);
          const key = codes.keyOf(after, row);
          return {
            key,
            metric: matched.metrics[0] ?? '',
            from: null,
            to: value,
            relative: relativeChange(null, value),
          };
        }),
      },
    ];
  });
}

/** How far a country's figures are from those of its year before, as the logarithm of their quotient. */
function distance(rows: YearRows, at: BegunYear | undefined): number {
  if (at === undefined) return 0;
  const values = rows.matched.after.values(0);
  const sum = (items: Int32Array) =>
    items.reduce((total, item) => total + Math.abs(values[rows.list[item] as number] || 0), 0);
  return Math.abs(Math.log(sum(rows.of(at.country, at.year)) / sum(rows.of(at.country, at.than))));
}
