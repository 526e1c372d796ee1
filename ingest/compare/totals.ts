// Totals by metric, currency and year on both sides, and the countries whose totals moved.

import { datasetOf } from '../../src/catalog/datasets.ts';
import type { Cells } from './cells.ts';
import { relativeChange } from './revision.ts';
import type { Matched } from './rows/matched.ts';
import type { CountryMove, Mover, Total } from './types.ts';

/** The totals of the metrics that add up; reported figures before forecasts. */
export function totalsOf(matched: Matched, before: Cells, after: Cells): readonly Total[] {
  const { codes, metrics, years } = matched;
  const isSame = before === after;
  const groups = groupedByTotal(matched, before, after);
  return additiveIndexes(matched).flatMap((m) =>
    groups.flatMap(({ fx, year: yearCode, forecast, oldCells, newCells, joined }): Total[] => {
      const from = totalOf(before, m, oldCells);
      const to = isSame ? from : totalOf(after, m, newCells);
      if (from === null && to === null) return [];
      const year = Number(codes.valueOf('year', yearCode));
      return [
        {
          metric: metrics[m] ?? '',
          fx: codes.has('fx') ? String(codes.valueOf('fx', fx)) : null,
          year,
          forecast,
          closed: years.isClosed(year),
          before: from,
          after: to,
          joined: totalOf(after, m, joined) ?? 0,
          relative: relativeChange(from, to),
          countries: Math.max(oldCells.length, newCells.length),
          mover: from === to ? null : moverOf(matched, m, [before, oldCells], [after, newCells]),
        },
      ];
    }),
  );
}

interface Group {
  readonly fx: number;
  readonly year: number;
  readonly forecast: boolean;
  /** The cells of the earlier side, one a country. */
  readonly oldCells: number[];
  /** The cells of the later side, one a country. */
  readonly newCells: number[];
  /** Those of the later side whose country had no row of that year before. */
  readonly joined: number[];
}

/** The cells of each total; reported figures before forecasts, then by currency and year. */
function groupedByTotal({ codes }: Matched, before: Cells, after: Cells): readonly Group[] {
  const [currencies, years] = [codes.has('fx') ? codes.size('fx') : 1, codes.size('year')];
  const groups = new Map<number, Group>();
  const groupOf = (cells: Cells, cell: number) => {
    const fx = cells.fx[cell] as number;
    const year = cells.year[cell] as number;
    const forecast = cells.forecast[cell] === 1;
    const name = (Number(forecast) * currencies + fx) * years + year;
    let group = groups.get(name);
    if (group === undefined) {
      group = { fx, year, forecast, oldCells: [], newCells: [], joined: [] };
      groups.set(name, group);
    }
    return group;
  };
  const countryYearsBefore = new Set<number>();
  for (let cell = 0; cell < before.count; cell += 1) {
    groupOf(before, cell).oldCells.push(cell);
    countryYearsBefore.add((before.country[cell] as number) * years + (before.year[cell] as number));
  }
  for (let cell = 0; cell < after.count && before !== after; cell += 1) {
    const group = groupOf(after, cell);
    group.newCells.push(cell);
    if (!countryYearsBefore.has((after.country[cell] as number) * years + (after.year[cell] as number)))
      group.joined.push(cell);
  }
  return [...groups].sort(([a], [b]) => a - b).map(([, group]) => group);
}

/** The sum of some cells; null when none has a value. */
function totalOf(cells: Cells, metric: number, summed: readonly number[]): number | null {
  // Kahan summation as in `Sums`, without its arrays.
  let [total, lost] = [Number.NaN, 0];
  for (const cell of summed) {
    const value = cells.sum(metric, cell);
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

type CellsOfTotal = readonly [all: Cells, ofTotal: readonly number[]];

/** The country whose part of a total changed most; the first of equals, null when none changed. */
function moverOf(
  { codes }: Matched,
  metric: number,
  [before, oldCells]: CellsOfTotal,
  [after, newCells]: CellsOfTotal,
): Mover | null {
  const moved = new Map<number, number>();
  const add = (cells: Cells, cell: number, sign: 1 | -1) => {
    const value = cells.sum(metric, cell);
    const country = cells.country[cell] as number;
    if (!Number.isNaN(value)) moved.set(country, (moved.get(country) ?? 0) + sign * value);
  };
  for (const cell of oldCells) add(before, cell, -1);
  for (const cell of newCells) add(after, cell, 1);
  let [mover, by] = [-1, 0];
  for (const [country, value] of moved) {
    const isFurther = Math.abs(value) > Math.abs(by);
    if (isFurther || (value !== 0 && Math.abs(value) === Math.abs(by) && country < mover))
      [mover, by] = [country, value];
  }
  return mover < 0 ? null : { country: String(codes.valueOf('country', mover)), by };
}

/** A smaller move of a country's total of a year is not reported. */
const LEAST_MOVE = 0.1;

/** The cells that a country's move consists of. */
interface Moves {
  readonly country: number;
  count: number;
  sum: number;
  largest: number;
  /** The cell that moved most: its index before and after. */
  old: number;
  fresh: number;
}

/** Countries whose totals of closed years moved by 10 % or more. A first report is no move. */
export function countryMovesOf(matched: Matched, before: Cells, after: Cells): readonly CountryMove[] {
  const { codes, metrics, years } = matched;
  const closed = codes.flags('year', (year) => years.isClosed(Number(year)));
  return additiveIndexes(matched).flatMap((m) => {
    const byCountry = new Map<number, Moves>();
    for (let old = 0; old < before.count; old += 1) {
      const year = before.year[old] as number;
      if (before.forecast[old] === 1 || closed[year] !== true) continue;
      const country = before.country[old] as number;
      const fresh = after.at(country, before.fx[old] as number, year, false);
      const moved = Math.abs(after.sum(m, fresh) / before.sum(m, old) - 1);
      if (!Number.isFinite(moved)) continue;
      let moves = byCountry.get(country);
      if (moves === undefined) {
        moves = { country, count: 0, sum: 0, largest: -1, old, fresh };
        byCountry.set(country, moves);
      }
      moves.count += 1;
      moves.sum += moved;
      if (moved <= moves.largest) continue;
      moves.largest = moved;
      moves.old = old;
      moves.fresh = fresh;
    }
    return [...byCountry.values()]
      .filter(({ largest }) => largest >= LEAST_MOVE)
      .sort((a, b) => b.sum / b.count - a.sum / a.count || a.country - b.country)
      .map(({ country, count, sum, largest, old, fresh }) => ({
        metric: metrics[m] ?? '',
        country: String(codes.valueOf('country', country)),
        mean: sum / count,
        largest,
        year: Number(codes.valueOf('year', before.year[old] as number)),
        fx: codes.has('fx') ? String(codes.valueOf('fx', before.fx[old] as number)) : null,
        before: before.sum(m, old),
        after: after.sum(m, fresh),
      }));
  });
}

/** The indexes of the metrics that add up, in the order of the catalog. */
export const additiveIndexes = ({ codes, metrics }: Matched): readonly number[] =>
  metrics.flatMap((metric, i) => (datasetOf(codes.dataset).metrics[metric]?.addsUp === true ? [i] : []));
