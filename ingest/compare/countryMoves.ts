// Finds the countries whose reported totals moved, in closed years and in running ones.

import { getOrInsert } from '../../src/basics/maps.ts';
import { additiveMetricIndexes } from './comparedTotals.ts';
import { type CountrySums, countedOnceTest } from './countrySums.ts';
import type { Arrivals } from './rowChanges.ts';
import type { MatchedRows } from './rows/matchedRows.ts';
import { addedRows, removedRows } from './rows/rowLists.ts';
import type { SideName, Sides } from './side.ts';
import type { CountryMove, IntroducedAmount, RunningMove } from './totalTypes.ts';

/** The smallest move that is reported, as a share of a country's total of a year. */
const LEAST_MOVE = 0.1;

/**
 * How far the totals of a country moved, as shares of the earlier totals. `sum`, `grown` and `introduced` are added up over
 * `count` totals.
 */
interface CountryMoves {
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
  matched: MatchedRows,
  sums: Sides<CountrySums>,
  arrivals: Arrivals,
  amounts: readonly IntroducedAmount[],
): readonly CountryMove[] {
  const { codes, metrics, years } = matched;
  const { before, after } = sums;
  const closed = codes.flags('year', (year) => years.isClosed(Number(year)));
  return additiveMetricIndexes(matched).flatMap((metricIndex) => {
    const grown = addedAmounts(matched, before, metricIndex, arrivals);
    const introduced = introducedAmounts(matched, before, metricIndex, amounts);
    return movesByCountry(sums, metricIndex, { closed, grown, introduced })
      .filter(({ largest }) => largest >= LEAST_MOVE)
      .sort((a, b) => b.sum / b.count - a.sum / a.count || a.country - b.country)
      .map(({ count, sum, grown, introduced, largest, old, fresh }) => ({
        metric: metrics[metricIndex] ?? '',
        ...before.dimensionsAt(old),
        mean: sum / count,
        largest,
        grown: grown / count,
        introduced: introduced / count,
        before: before.sum(metricIndex, old),
        after: after.sum(metricIndex, fresh),
      }));
  });
}

/**
 * The moves of each country with a closed year.
 *
 * @param closed For the code of each year, whether it is closed.
 * @param grown The amounts that `addedAmounts` gives, and `introduced` those that `introducedAmounts` gives.
 */
function movesByCountry(
  { before, after }: Sides<CountrySums>,
  metricIndex: number,
  {
    closed,
    grown,
    introduced,
  }: { closed: readonly boolean[]; grown: Float64Array; introduced: Float64Array },
): CountryMoves[] {
  const byCountry = new Map<number, CountryMoves>();
  for (let old = 0; old < before.count; old += 1) {
    if (before.forecast[old] === 1 || closed[before.year[old] as number] !== true) continue;
    const country = before.country[old] as number;
    const fresh = after.indexOfSame(before, old);
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
function addedAmounts(
  matched: MatchedRows,
  sums: CountrySums,
  metric: number,
  { forecastOf }: Arrivals,
): Float64Array {
  const { flags, changed } = matched;
  const grown = new Float64Array(sums.count);
  const isCounted = {
    before: countedOnceTest(matched, 'before'),
    after: countedOnceTest(matched, 'after'),
  };
  const add = (side: SideName, row: number, sign: 1 | -1) => {
    const [rows, value] = [matched[side], matched[side].value(metric, row)];
    if (flags[side].forecast[row] === 1 || Number.isNaN(value) || !isCounted[side](row)) return;
    const index = sums.indexOfRow(rows, row, false);
    if (index >= 0) grown[index] = (grown[index] as number) + sign * value;
  };
  for (const row of addedRows(changed)) if (!forecastOf.has(row)) add('after', row, 1);
  for (const row of removedRows(changed)) add('before', row, -1);
  return grown;
}

/** For each index in `sums`, the amount of added reported figures with a value that is new to their country. */
function introducedAmounts(
  { codes, metrics }: MatchedRows,
  sums: CountrySums,
  metricIndex: number,
  amounts: readonly IntroducedAmount[],
): Float64Array {
  const found = new Float64Array(sums.count);
  for (const { metric, country, fx, year, forecast, by } of amounts) {
    if (metric !== metrics[metricIndex] || forecast) continue;
    const [countryCode = -1, fxCode = -1] = [codes.codeOf('country', country), codes.codeOf('fx', fx)];
    const index = sums.indexOf(countryCode, fxCode, codes.codeOf('year', year) ?? -1, false);
    if (index >= 0) found[index] = by;
  }
  return found;
}

/** The moves of countries that have a reported total of a running year on both sides. */
export function runningMovesOf(
  { codes, metrics, years }: MatchedRows,
  { before, after }: Sides<CountrySums>,
): readonly RunningMove[] {
  if (!codes.has('fx')) return [];
  const running = codes.flags('year', (year) => years.isRunning(Number(year)));
  if (!running.includes(true)) return [];
  const moves: RunningMove[] = [];
  for (const metricIndex of additiveMetricIndexes({ codes, metrics })) {
    for (let old = 0; old < before.count; old += 1) {
      if (before.forecast[old] === 1 || running[before.year[old] as number] !== true) continue;
      const from = before.sum(metricIndex, old);
      const to = after.sum(metricIndex, after.indexOfSame(before, old));
      // A move from 0 has no share. Other guards report totals that are gone or empty.
      if (from === to || !(from > 0) || Number.isNaN(to)) continue;
      const { country, fx, year } = before.dimensionsAt(old);
      const metric = metrics[metricIndex] ?? '';
      moves.push({ metric, country, fx: fx ?? '', year, before: from, after: to });
    }
  }
  return moves;
}
