// Computes totals by metric, currency and year on both sides.

import { addTo, getOrInsert } from '../../src/basics/maps.ts';
import { datasetOf } from '../../src/catalog/datasets.ts';
import { type CountrySums, countedOnceTest } from './countrySums.ts';
import { GroupSums } from './groupSums.ts';
import { relativeChange } from './revision.ts';
import type { Arrivals } from './rowChanges.ts';
import type { MatchedRows } from './rows/matchedRows.ts';
import type { Sides } from './side.ts';
import type { Mover, Total } from './totalTypes.ts';

/**
 * The totals of the metrics that add up, metric by metric. Within a metric, totals of reported figures come before totals
 * of forecasts.
 */
export function totalsOf(
  matched: MatchedRows,
  { before, after }: Sides<CountrySums>,
  arrivals: Arrivals,
): readonly Total[] {
  const { codes, metrics, years } = matched;
  const isSame = before === after;
  const groups = groupedByTotal(matched, before, after);
  return additiveMetricIndexes(matched).flatMap((metricIndex) => {
    const arrived = arrivedAmounts(matched, metricIndex, arrivals);
    return groups.flatMap(({ fx, year: yearCode, forecast, oldSums, newSums, joined }): Total[] => {
      const from = totalOf(before, metricIndex, oldSums);
      const to = isSame ? from : totalOf(after, metricIndex, newSums);
      if (from === null && to === null) return [];
      const year = codes.yearAt(yearCode);
      const movers =
        from === to && joined.length === 0
          ? []
          : moversOf(matched, metricIndex, [before, oldSums], [after, newSums]);
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
          mover: movers[0] ?? null,
          movers,
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
function groupedByTotal({ codes }: MatchedRows, before: CountrySums, after: CountrySums): readonly Group[] {
  const [currencies, years] = [codes.currencies, codes.size('year')];
  const groups = new Map<number, Group>();
  const groupOf = (sums: CountrySums, i: number) => {
    const fx = sums.fx[i] as number;
    const year = sums.year[i] as number;
    const forecast = sums.forecast[i] === 1;
    const key = (Number(forecast) * currencies + fx) * years + year;
    return getOrInsert(groups, key, () => ({ fx, year, forecast, oldSums: [], newSums: [], joined: [] }));
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

/**
 * The sum of a metric over the rows that were forecasts before and are reported now, for each currency and year. The key is
 * the currency's code × the number of years + the year's code. A country and its states count once.
 */
function arrivedAmounts(
  matched: MatchedRows,
  metricIndex: number,
  { forecastOf }: Arrivals,
): ReadonlyMap<number, number> {
  const { codes, after } = matched;
  const amounts = new Map<number, number>();
  const isCounted = countedOnceTest(matched, 'after');
  for (const row of forecastOf.keys()) {
    const value = after.value(metricIndex, row);
    if (Number.isNaN(value) || !isCounted(row)) continue;
    const fx = codes.has('fx') ? after.code('fx', row) : 0;
    addTo(amounts, fx * codes.size('year') + after.code('year', row), value);
  }
  return amounts;
}

/** The total of the sums at these indexes; null when none of them has a value. */
function totalOf(sums: CountrySums, metric: number, summed: readonly number[]): number | null {
  const totals = new GroupSums(1);
  for (const i of summed) totals.add(0, sums.sum(metric, i));
  return Number.isNaN(totals.at(0)) ? null : totals.at(0);
}

/** The countries of these sums that have a value, with their values. */
const joinersOf = (
  { codes }: MatchedRows,
  metric: number,
  sums: CountrySums,
  joined: readonly number[],
): readonly Mover[] =>
  joined.flatMap((i) => {
    const by = sums.sum(metric, i);
    return Number.isNaN(by) ? [] : [{ country: codes.textOf('country', sums.country[i] as number), by }];
  });

type SumsOfTotal = readonly [all: CountrySums, ofTotal: readonly number[]];

const MOST_MOVERS = 10;

/** The countries whose parts of a total changed, largest changes first. Equal changes are in the order of the countries. */
function moversOf(
  { codes }: MatchedRows,
  metric: number,
  [before, oldSums]: SumsOfTotal,
  [after, newSums]: SumsOfTotal,
): readonly Mover[] {
  const moved = new Map<number, number>();
  const add = (sums: CountrySums, i: number, sign: 1 | -1) => {
    const value = sums.sum(metric, i);
    const country = sums.country[i] as number;
    if (!Number.isNaN(value)) addTo(moved, country, sign * value);
  };
  for (const i of oldSums) add(before, i, -1);
  for (const i of newSums) add(after, i, 1);
  return [...moved]
    .filter(([, by]) => by !== 0)
    .sort(([a, one], [b, other]) => Math.abs(other) - Math.abs(one) || a - b)
    .slice(0, MOST_MOVERS)
    .map(([country, by]) => ({ country: codes.textOf('country', country), by }));
}

/** The indexes of the metrics that add up, in the order of the catalog. */
export const additiveMetricIndexes = ({
  codes,
  metrics,
}: Pick<MatchedRows, 'codes' | 'metrics'>): readonly number[] =>
  metrics.flatMap((metric, i) => (datasetOf(codes.dataset).metrics[metric]?.addsUp === true ? [i] : []));
