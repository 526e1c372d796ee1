// Computes totals by metric, currency and year on both sides, and finds the countries whose totals moved.

import { datasetOf } from '../../src/catalog/datasets.ts';
import { addTo, getOrInsert } from '../../src/maps.ts';
import { arrivedAmounts } from './arrivedAmounts.ts';
import { type CountrySums, isCountedOnce } from './countrySums.ts';
import { relativeChange } from './revision.ts';
import type { Arrivals } from './rowChanges.ts';
import type { Matched } from './rows/matchedRows.ts';
import { addedRows, removedRows } from './rows/rowLists.ts';
import type { SideName } from './side.ts';
import type { CountryMove, IntroducedAmount, Mover, Total } from './totalTypes.ts';

/**
 * The totals of the metrics that add up, metric by metric. Within a metric, totals of reported figures come before totals of
 * forecasts.
 */
export function totalsOf(
  matched: Matched,
  before: CountrySums,
  after: CountrySums,
  { forecastOf }: Pick<Arrivals, 'forecastOf'>,
): readonly Total[] {
  const { codes, metrics, years } = matched;
  const isSame = before === after;
  const groups = groupedByTotal(matched, before, after);
  return additiveIndexes(matched).flatMap((metricIndex) => {
    const arrived = arrivedAmounts(matched, metricIndex, forecastOf);
    return groups.flatMap(({ fx, year: yearCode, forecast, oldSums, newSums, joined }): Total[] => {
      const from = totalOf(before, metricIndex, oldSums);
      const to = isSame ? from : totalOf(after, metricIndex, newSums);
      if (from === null && to === null) return [];
      const year = Number(codes.valueOf('year', yearCode));
      return [
        {
          metric: metrics[metricIndex] ?? '',
          fx: codes.has('fx') ? codes.textOf('fx', fx) : null,
          year,
          forecast,
          closed: years.isClosed(year),
          before: from,
          after: to,
          arrived: forecast ? (arrived.get(fx * codes.size('year') + yearCode) ?? 0) : 0,
          joined: totalOf(after, metricIndex, joined) ?? 0,
          joiners: joinersOf(matched, metricIndex, after, joined),
          relative: relativeChange(from, to),
          countries: Math.max(oldSums.length, newSums.length),
          mover:
            from === to && joined.length === 0
              ? null
              : moverOf(matched, metricIndex, [before, oldSums], [after, newSums]),
        },
      ];
    });
  });
}

/** The sums of countries that make up one total. `fx` and `year` are codes. */
interface Group {
  readonly fx: number;
  readonly year: number;
  readonly forecast: boolean;
  /** Indexes into the sums of the earlier side, one for each country. */
  readonly oldSums: number[];
  /** Indexes into the sums of the later side, one for each country. */
  readonly newSums: number[];
  /** The sums of `newSums` whose country has no sum of that year on the earlier side. */
  readonly joined: number[];
}

/** The group of each total: reported figures before forecasts, then in the order of currency and year. */
function groupedByTotal({ codes }: Matched, before: CountrySums, after: CountrySums): readonly Group[] {
  const [currencies, years] = [codes.has('fx') ? codes.size('fx') : 1, codes.size('year')];
  const groups = new Map<number, Group>();
  const groupOf = (sums: CountrySums, i: number) => {
    const fx = sums.fx[i] as number;
    const year = sums.year[i] as number;
    const forecast = sums.forecast[i] === 1;
    const key = (Number(forecast) * currencies + fx) * years + year;
    let group = groups.get(key);
    if (group === undefined) {
      group = { fx, year, forecast, oldSums: [], newSums: [], joined: [] };
      groups.set(key, group);
    }
    return group;
  };
  const countryYearsBefore = new Set<number>();
  for (let i = 0; i < before.count; i += 1) {
    groupOf(before, i).oldSums.push(i);
    countryYearsBefore.add((before.country[i] as number) * years + (before.year[i] as number));
  }
  for (let i = 0; i < after.count && before !== after; i += 1) {
    const group = groupOf(after, i);
    group.newSums.push(i);
    if (!countryYearsBefore.has((after.country[i] as number) * years + (after.year[i] as number)))
      group.joined.push(i);
  }
  return [...groups].sort(([a], [b]) => a - b).map(([, group]) => group);
}

/** The total of the sums at these indexes; null when none of them has a value. */
function totalOf(sums: CountrySums, metric: number, summed: readonly number[]): number | null {
  // Kahan summation, as in `Sums`.
  let [total, lost] = [Number.NaN, 0];
  for (const i of summed) {
    const value = sums.sum(metric, i);
    if (Number.isNaN(value)) continue;
    if (Number.isNaN(total)) {
      total = value;
      continue;
    }
    const corrected = value - lost;
    const sum = total + corrected;
    lost = sum - total - corrected;
    total = sum;
  }
  return Number.isNaN(total) ? null : total;
}

/** The countries of these sums that have a value, with their values. */
const joinersOf = (
  { codes }: Matched,
  metric: number,
  sums: CountrySums,
  joined: readonly number[],
): readonly Mover[] =>
  joined.flatMap((i) => {
    const by = sums.sum(metric, i);
    return Number.isNaN(by) ? [] : [{ country: codes.textOf('country', sums.country[i] as number), by }];
  });

type SumsOfTotal = readonly [all: CountrySums, ofTotal: readonly number[]];

/** The country whose part of a total changed most, the first one of equals. Null when no part changed. */
function moverOf(
  { codes }: Matched,
  metric: number,
  [before, oldSums]: SumsOfTotal,
  [after, newSums]: SumsOfTotal,
): Mover | null {
  const moved = new Map<number, number>();
  const add = (sums: CountrySums, i: number, sign: 1 | -1) => {
    const value = sums.sum(metric, i);
    const country = sums.country[i] as number;
    if (!Number.isNaN(value)) addTo(moved, country, sign * value);
  };
  for (const i of oldSums) add(before, i, -1);
  for (const i of newSums) add(after, i, 1);
  let [mover, by] = [-1, 0];
  for (const [country, value] of moved) {
    const isFurther = Math.abs(value) > Math.abs(by);
    if (isFurther || (value !== 0 && Math.abs(value) === Math.abs(by) && country < mover))
      [mover, by] = [country, value];
  }
  return mover < 0 ? null : { country: codes.textOf('country', mover), by };
}

/** The smallest move that is reported, as a share of a country's total of a year. */
const LEAST_MOVE = 0.1;

/**
 * How far the totals of a country moved, as shares of the earlier totals. `sum`, `grown` and `introduced` are added up over
 * `count` totals.
 */
interface Moves {
  readonly country: number;
  count: number;
  sum: number;
  grown: number;
  introduced: number;
  largest: number;
  /** The indexes of the total that moved most, on the earlier and on the later side. */
  old: number;
  fresh: number;
}

/** Countries with a total of a closed year that moved by 10 % or more. Totals that only one side has are left out. */
export function countryMovesOf(
  matched: Matched,
  before: CountrySums,
  after: CountrySums,
  { arrivals, introduced: amounts }: { arrivals: Arrivals; introduced: readonly IntroducedAmount[] },
): readonly CountryMove[] {
  const { codes, metrics, years } = matched;
  const closed = codes.flags('year', (year) => years.isClosed(Number(year)));
  return additiveIndexes(matched).flatMap((metricIndex) => {
    const grown = grownBy(matched, before, metricIndex, arrivals);
    const introduced = introducedBy(matched, before, metricIndex, amounts);
    return movesByCountry(before, after, metricIndex, { closed, grown, introduced })
      .filter(({ largest }) => largest >= LEAST_MOVE)
      .sort((a, b) => b.sum / b.count - a.sum / a.count || a.country - b.country)
      .map(({ country, count, sum, grown, introduced, largest, old, fresh }) => ({
        metric: metrics[metricIndex] ?? '',
        country: codes.textOf('country', country),
        mean: sum / count,
        largest,
        grown: grown / count,
        introduced: introduced / count,
        year: Number(codes.valueOf('year', before.year[old] as number)),
        fx: codes.has('fx') ? codes.textOf('fx', before.fx[old] as number) : null,
        before: before.sum(metricIndex, old),
        after: after.sum(metricIndex, fresh),
      }));
  });
}

/**
 * The moves of each country with a closed year.
 *
 * @param closed For the code of each year, whether it is closed.
 * @param grown The amounts that `grownBy` gives.
 * @param introduced The amounts that `introducedBy` gives.
 */
function movesByCountry(
  before: CountrySums,
  after: CountrySums,
  metricIndex: number,
  {
    closed,
    grown,
    introduced,
  }: { closed: readonly boolean[]; grown: Float64Array; introduced: Float64Array },
): Moves[] {
  const byCountry = new Map<number, Moves>();
  for (let old = 0; old < before.count; old += 1) {
    const year = before.year[old] as number;
    if (before.forecast[old] === 1 || closed[year] !== true) continue;
    const country = before.country[old] as number;
    const fresh = after.at(country, before.fx[old] as number, year, false);
    const moved = Math.abs(after.sum(metricIndex, fresh) / before.sum(metricIndex, old) - 1);
    if (!Number.isFinite(moved)) continue;
    const moves = getOrInsert(byCountry, country, () => ({
      country,
      count: 0,
      sum: 0,
      grown: 0,
      introduced: 0,
      largest: -1,
      old,
      fresh,
    }));
    moves.count += 1;
    moves.sum += moved;
    const size = Math.abs(before.sum(metricIndex, old));
    moves.grown += (grown[old] as number) / size;
    moves.introduced += (introduced[old] as number) / size;
    if (moved <= moves.largest) continue;
    moves.largest = moved;
    moves.old = old;
    moves.fresh = fresh;
  }
  return [...byCountry.values()];
}

/** For each index in `sums`, the amount by which added reported figures exceed removed ones. */
function grownBy(
  matched: Matched,
  sums: CountrySums,
  metric: number,
  { forecastOf }: Arrivals,
): Float64Array {
  const { codes, flags, changed, stateRows } = matched;
  const grown = new Float64Array(sums.count);
  const isCounted = {
    before: isCountedOnce(matched.before, stateRows.before),
    after: isCountedOnce(matched.after, stateRows.after),
  };
  const add = (side: SideName, row: number, sign: 1 | -1) => {
    const [rows, value] = [matched[side], matched[side].value(metric, row)];
    if (flags[side].forecast[row] === 1 || Number.isNaN(value) || !isCounted[side](row)) return;
    const fx = codes.has('fx') ? rows.code('fx', row) : 0;
    const index = sums.at(rows.code('country', row), fx, rows.code('year', row), false);
    if (index >= 0) grown[index] = (grown[index] as number) + sign * value;
  };
  for (const row of addedRows(changed)) if (!forecastOf.has(row)) add('after', row, 1);
  for (const row of removedRows(changed)) add('before', row, -1);
  return grown;
}

/** For each index in `sums`, the amount of added reported figures with a value that is new to their country. */
function introducedBy(
  { codes, metrics }: Matched,
  sums: CountrySums,
  metricIndex: number,
  amounts: readonly IntroducedAmount[],
): Float64Array {
  const found = new Float64Array(sums.count);
  for (const { metric, country, fx, year, forecast, by } of amounts) {
    if (metric !== metrics[metricIndex] || forecast) continue;
    const [countryCode = -1, fxCode = -1] = [codes.codeOf('country', country), codes.codeOf('fx', fx)];
    const index = sums.at(countryCode, fxCode, codes.codeOf('year', year) ?? -1, false);
    if (index >= 0) found[index] = by;
  }
  return found;
}

/** The indexes of the metrics that add up, in the order of the catalog. */
export const additiveIndexes = ({ codes, metrics }: Pick<Matched, 'codes' | 'metrics'>): readonly number[] =>
  metrics.flatMap((metric, i) => (datasetOf(codes.dataset).metrics[metric]?.addsUp === true ? [i] : []));
