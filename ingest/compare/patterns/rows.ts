// Finds patterns of new rows: renamed, counted twice, sums of other rows, or too early.

import { type DimensionName, dimensionOf } from '../../../src/catalog/datasets.ts';
import { groupBy } from '../../../src/groupBy.ts';
import { allRows, Groups, listsOf, NO_GROUP, rowsWhere } from '../groups.ts';
import { KIND } from '../matched.ts';
import { areNear, isTwin } from '../twins.ts';
import type { Twin } from '../types.ts';
import { describePattern } from './describe.ts';
import type { Search, Shift } from './shifts.ts';
import type { Pattern, ValuePair } from './types.ts';

/** From this number of countries on, the same renaming is one finding of the dataset. */
const MANY_COUNTRIES = 10;

/** The normal course of figures, from estimated to reported, is no renaming. */
const GROWS_UP: readonly DimensionName[] = ['calculation'];

/** A row that vanished, and the row that replaced it. */
interface Renaming {
  readonly gone: Shift;
  readonly came: Shift;
  readonly country: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Rows of a country that vanished, and appeared under another value of one dimension with the same numbers. Pairs of
 * `twins` are only marked as used: the value vanished from the whole dataset, which the guard `renamed` reports.
 */
export function findRenamed(search: Search, twins: readonly Twin[]): Pattern[] {
  const { rows, shifts } = search;
  const { codes } = search.matched;
  if (rows.added === 0 || rows.removed === 0) return [];
  return codes.dimensions
    .filter((dimension) => dimensionOf(dimension).type === 'text')
    .flatMap((dimension) => {
      const renamings = renamingsOf(search, dimension);
      const isOwn = ({ from, to }: Renaming) =>
        !GROWS_UP.includes(dimension) &&
        !isTwin(twins, dimension, codes.valueOf(dimension, from), codes.valueOf(dimension, to));
      if (renamings.length === 0) return [];
      const concerned = rowsGoneWith(search, dimension, renamings);
      const found = placed(renamings.filter(isOwn), codes).map(({ place, of }) => {
        const gone = [...new Set(of.map((one) => one.gone))];
        return describePattern(
          search,
          {
            family: 'renamed',
            metric: null,
            forecast: false,
            place,
            between: { dimension, pairs: pairsOf(search, dimension, of) },
            cells: gone.length,
            of: Math.max(gone.length, concerned),
          },
          gone,
        );
      });
      shifts.explain(renamings.flatMap(({ gone, came }) => [gone, came]));
      return found;
    });
}

/** How many rows vanished with the values that were renamed in their countries. */
function rowsGoneWith(
  { matched: { codes }, shifts }: Search,
  dimension: DimensionName,
  renamings: readonly Renaming[],
): number {
  const countries = codes.size('country');
  const losers = new Set(renamings.map(({ country, from }) => from * countries + country));
  return shifts.unexplained(KIND.removed, (i) =>
    losers.has(shifts.code(dimension, i) * countries + shifts.code('country', i)),
  ).length;
}

function renamingsOf({ matched: { codes }, shifts }: Search, dimension: DimensionName): Renaming[] {
  const gone = shifts.unexplained(KIND.removed, (i) => isSomething(shifts.b[i]));
  if (gone.length === 0) return [];
  const came = shifts.unexplained(KIND.added);
  const groups = new Groups(
    codes,
    codes.dimensions.filter((one) => one !== dimension),
  );
  const { starts, items } = listsOf(shifts.addTo(groups, gone), groups.count);
  const groupOf = shifts.groupsIn(groups, came);
  const found: Renaming[] = [];
  for (const [at, fresh] of came.entries()) {
    const group = groupOf[at] as number;
    if (group === NO_GROUP) continue;
    for (let item = starts[group] as number; item < (starts[group + 1] as number); item += 1) {
      const old = gone[items[item] as number] as Shift;
      if (!areNear(shifts.b[old] as number, shifts.a[fresh] as number)) continue;
      found.push({
        gone: old,
        came: fresh,
        country: shifts.code('country', old),
        from: shifts.code(dimension, old),
        to: shifts.code(dimension, fresh),
      });
    }
  }
  return found;
}

const isSomething = (value: number | undefined) => value !== undefined && value !== 0 && !Number.isNaN(value);

/** One pattern for each country, or one for the dataset when many countries are concerned. */
function placed(renamings: readonly Renaming[], codes: Search['matched']['codes']) {
  const byCountry = new Map<number, Renaming[]>();
  for (const one of renamings) byCountry.set(one.country, [...(byCountry.get(one.country) ?? []), one]);
  if (byCountry.size >= MANY_COUNTRIES) return [{ place: {}, of: [...renamings] }];
  return [...byCountry]
    .sort(([a, of], [b, others]) => others.length - of.length || a - b)
    .map(([country, of]) => ({ place: { country: codes.valueOf('country', country) }, of }));
}

/** The pairs of values, the most frequent first. */
function pairsOf(
  { matched: { codes } }: Search,
  dimension: DimensionName,
  renamings: readonly Renaming[],
): readonly ValuePair[] {
  const pairs = new Map<string, { from: number; to: number; cells: number }>();
  for (const { country, from, to } of renamings) {
    const name = `${country} ${from} ${to}`;
    const pair = pairs.get(name) ?? { from, to, cells: 0 };
    pairs.set(name, pair);
    pair.cells += 1;
  }
  return [...pairs.values()]
    .sort((a, b) => b.cells - a.cells || a.from - b.from || a.to - b.to)
    .map(({ from, to, cells }) => ({
      from: codes.valueOf(dimension, from),
      to: codes.valueOf(dimension, to),
      cells,
    }));
}

/** New rows in addition to another row of the same series and year: the figure counts twice. */
export function findTwice(search: Search): Pattern[] {
  const { matched, rows, shifts } = search;
  const { codes, after } = matched;
  if (rows.added === 0) return [];
  return (['temporal', 'calculation'] as const).flatMap((dimension) => {
    if (!codes.has(dimension) || codes.size(dimension) < 2) return [];
    const groups = new Groups(
      codes,
      codes.dimensions.filter((one) => one !== dimension),
    );
    const fresh = shifts.unexplained(KIND.added);
    if (fresh.length === 0) return [];
    const { starts, items } = listsOf(shifts.addTo(groups, fresh), groups.count);
    const countries = countriesOf(search, fresh);
    const [country, values] = [after.codes('country'), after.codes(dimension)];
    const near = rowsWhere(allRows(after), (row) => countries.has(country[row] as number));
    const groupOf = groups.ofRows(after, near);
    const found = new Set<Shift>();
    for (let r = 0; r < near.length; r += 1) {
      const group = groupOf[r] as number;
      if (group === NO_GROUP) continue;
      for (let item = starts[group] as number; item < (starts[group + 1] as number); item += 1) {
        const i = fresh[items[item] as number] as Shift;
        if (shifts.code(dimension, i) !== values[near[r] as number]) found.add(i);
      }
    }
    return perCountry(search, 'twice', [...found]);
  });
}

/** A total differs from the sum of its parts by rounding only. */
const ROUNDED = 0.0005;

/** The dimensions that a total may sum over, besides country, year, currency and state. */
const TOTAL_OF: readonly (readonly DimensionName[])[] = [
  [],
  ['category'],
  ['product'],
  ['channel'],
  ['sub_channel'],
  ['category', 'channel'],
  ['product', 'channel'],
];

/** A total of the states agrees with them in these dimensions. */
const ALL_BUT_STATE: readonly DimensionName[] = [
  'country',
  'year',
  'fx',
  'category',
  'product',
  'channel',
  'sub_channel',
];

/** New rows that equal the sum of the rows beside them: a total among its parts. */
export function findSums(search: Search): Pattern[] {
  const { matched, rows, shifts } = search;
  const { codes, after } = matched;
  if (rows.added === 0 || !codes.has('product')) return [];
  const fresh = shifts.unexplained(KIND.added);
  if (fresh.length === 0) return [];
  const siblings = siblingsOf(search, fresh);
  const whole: readonly DimensionName[] = ['country', 'year', 'fx', 'state'];
  const groups = new Groups(codes, whole);
  shifts.addTo(groups, fresh);
  const groupOf = groups.ofRows(after, siblings);
  const inPlace = rowsWhere(siblings, (_, s) => groupOf[s] !== NO_GROUP);
  const found = new Set<Shift>();
  for (const part of TOTAL_OF) {
    // A single row equals the total of its whole place.
    const fewest = part.length === 0 ? 1 : 2;
    for (const i of totalsAmong(search, fresh, inPlace, [...whole, ...part], fewest)) found.add(i);
  }
  for (const i of totalsAmong(search, fresh, siblings, ALL_BUT_STATE, 2)) found.add(i);
  return perCountry(
    search,
    'sums',
    [...found].sort((a, b) => a - b),
  );
}

/** The new rows that are the sum of at least that many rows which agree with them in some dimensions. */
function totalsAmong(
  { matched: { codes, after }, shifts }: Search,
  fresh: readonly Shift[],
  siblings: Int32Array,
  place: readonly DimensionName[],
  fewest: number,
): readonly Shift[] {
  const groups = new Groups(codes, place);
  const groupOfFresh = shifts.addTo(groups, fresh);
  // Only rows of which a new row could be the total are added up.
  const groupOf = groups.ofRows(after, siblings);
  const [totals, counts] = [new Float64Array(groups.count), new Int32Array(groups.count)];
  const values = after.values(0);
  for (let s = 0; s < siblings.length; s += 1) {
    const group = groupOf[s] as number;
    if (group === NO_GROUP) continue;
    totals[group] = (totals[group] as number) + (values[siblings[s] as number] as number);
    counts[group] = (counts[group] as number) + 1;
  }
  return fresh.filter((i, f) => {
    const group = groupOfFresh[f] as number;
    const [total, value] = [totals[group] as number, shifts.a[i] as number];
    const isTotal = Math.abs(value - total) <= ROUNDED * Math.abs(total);
    return (counts[group] as number) >= fewest && value !== 0 && isTotal;
  });
}

/** The other rows with a value in the countries and years of some new rows. */
function siblingsOf({ matched, shifts }: Search, fresh: readonly Shift[]): Int32Array {
  const { codes, after } = matched;
  const places = new Groups(codes, ['country', 'year']);
  shifts.addTo(places, fresh);
  const isFresh = new Uint8Array(after.count);
  for (const i of fresh) {
    const [rows, row] = shifts.rowOf(i);
    if (rows === after) isFresh[row] = 1;
  }
  const values = after.values(0);
  const all = places.ofRows(after, allRows(after));
  return rowsWhere(
    allRows(after),
    (row) => all[row] !== NO_GROUP && isFresh[row] === 0 && !Number.isNaN(values[row]),
  );
}

/** New reported figures of years that have not ended by the month. */
export function findEarly(search: Search, lastYear: number): Pattern[] {
  const { codes } = search.matched;
  const { shifts } = search;
  if (!codes.has('temporal') || search.rows.added === 0) return [];
  const isLater = codes.flags('year', (year) => Number(year) > lastYear);
  const early = shifts.unexplained(
    KIND.added,
    (i) => shifts.forecast[i] === 0 && isLater[shifts.code('year', i)] === true,
  );
  return perCountry(search, 'early', early);
}

/** One pattern for each country with cells, or one for the dataset when many countries have some. */
function perCountry(search: Search, family: Pattern['family'], cells: readonly Shift[]): Pattern[] {
  const { matched, shifts } = search;
  const byCountry = groupBy(cells, (i) => shifts.code('country', i));
  const groups =
    byCountry.size < MANY_COUNTRIES
      ? [...byCountry]
          .sort(([a, of], [b, others]) => others.length - of.length || a - b)
          .map(([country, of]) => ({ place: { country: matched.codes.valueOf('country', country) }, of }))
      : [{ place: {}, of: cells }];
  const found = groups.map(({ place, of }) => {
    const described = { family, metric: null, forecast: false, place, between: null };
    return describePattern(search, { ...described, cells: of.length, of: of.length }, of);
  });
  shifts.explain(cells);
  return found;
}

const countriesOf = ({ shifts }: Search, cells: readonly Shift[]): ReadonlySet<number> =>
  new Set(cells.map((i) => shifts.code('country', i)));
