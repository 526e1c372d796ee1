// Turns rows of the API into series. A series has a point for every year: its value and the share of forecasts in it.

import type { Row, TotalRow } from '../api/responseTypes.ts';
import { FORECAST } from './facts.ts';
import { isWithin, type Years } from './selection.ts';

export interface Point {
  readonly year: number;
  /** The value; null when it is missing. A missing value is not zero. */
  readonly value: number | null;
  /** The share of the value that is a forecast, from 0 to 1. */
  readonly forecastShare: number;
  /** The number of rows that the value is made of. */
  readonly rowCount: number;
}

export interface Series {
  /** Differs from the names of all other series: the value of the dimension, or '' for a single series of all rows. */
  readonly name: string;
  /**
   * `value`: one value of the dimension. `other`: the sum of the values without a series of their own. `all`: the sum of
   * all rows.
   */
  readonly kind: 'value' | 'other' | 'all';
  /** How many values of the dimension it sums. It is more than 1 only for `other`. */
  readonly memberCount: number;
  /** A point for each year of the chart, ascending. */
  readonly points: readonly Point[];
}

/** The several values of one point of a series, which must not be added. */
export interface AmbiguousPoint {
  readonly year: number;
  readonly name: string;
  /** The dimensions in which the rows differ, with their values. */
  readonly valuesByDimension: Readonly<Record<string, readonly string[]>>;
}

interface Cell {
  readonly name: string;
  readonly year: number;
  readonly value: number | null;
  readonly rows: number;
}

/** All years from the first to the last one, including years without rows, which are gaps in a chart. */
export const yearRange = (years: readonly number[]): number[] => {
  const [first, last] = [years[0] ?? 0, years.at(-1) ?? -1];
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
};

/** Makes series from sums. `forecasts` has the same sums, but only over forecast rows. */
export function summedSeries(
  rows: readonly TotalRow[],
  forecasts: readonly TotalRow[],
  { by, metric, years }: { by: string | null; metric: string; years: readonly number[] },
): Series[] {
  const cellOf = ({ dimensions, values, rows_summed }: TotalRow): Cell => ({
    name: by === null ? '' : String(dimensions[by]),
    year: Number(dimensions.year),
    value: values[metric] ?? null,
    rows: rows_summed,
  });
  const forecast = new Map(forecasts.map(cellOf).map((cell) => [idOf(cell), cell]));
  const shareOf = (cell: Cell) => {
    const part = forecast.get(idOf(cell));
    if (part === undefined) return 0;
    const share = part.value === null || cell.value === null ? Number.NaN : part.value / cell.value;
    // If values have both signs, the forecasts may exceed the sum or have the other sign. The share is then the share of
    // forecast rows among all rows.
    return share >= 0 && share <= 1 ? share : part.rows / cell.rows;
  };
  return seriesOf(rows.map(cellOf), shareOf, years, by === null ? 'all' : 'value');
}

/**
 * Makes series from plain rows, for metrics that do not add up. If a point has several rows, gives this
 * point and no series.
 */
export function plainSeries(
  rows: readonly Row[],
  { by, metric, years }: { by: string | null; metric: string; years: readonly number[] },
): { series: Series[]; ambiguousPoint: AmbiguousPoint | null } {
  const found = new Map<string, Cell>();
  const forecast = new Set<string>();
  for (const row of rows) {
    const value = row.values[metric] ?? null;
    const name = by === null ? '' : String(row.dimensions[by]);
    const cell: Cell = { name, year: Number(row.dimensions.year), value, rows: 1 };
    if (found.has(idOf(cell)))
      return { series: [], ambiguousPoint: ambiguousPointOf(cell, rowsOfPoint(rows, cell, by)) };
    found.set(idOf(cell), cell);
    if (row.dimensions.temporal === FORECAST) forecast.add(idOf(cell));
  }
  const shareOf = (cell: Cell) => (forecast.has(idOf(cell)) ? 1 : 0);
  return {
    series: seriesOf([...found.values()], shareOf, years, by === null ? 'all' : 'value'),
    ambiguousPoint: null,
  };
}

const idOf = ({ name, year }: { name: string; year: number }): string => `${year} ${name}`;

const rowsOfPoint = (rows: readonly Row[], { name, year }: Cell, by: string | null): readonly Row[] =>
  rows.filter(
    ({ dimensions }) => Number(dimensions.year) === year && (by === null || String(dimensions[by]) === name),
  );

function ambiguousPointOf({ name, year }: Cell, rows: readonly Row[]): AmbiguousPoint {
  const names = Object.keys(rows[0]?.dimensions ?? {});
  const differing = names.flatMap((dimension) => {
    const values = [...new Set(rows.map(({ dimensions }) => String(dimensions[dimension])))];
    return values.length > 1 ? [[dimension, values] as const] : [];
  });
  return { name, year, valuesByDimension: Object.fromEntries(differing) };
}

/** Makes a series for each name, in the order of the cells, with a point for every year. */
function seriesOf(
  cells: readonly Cell[],
  shareOf: (cell: Cell) => number,
  years: readonly number[],
  kind: Series['kind'],
): Series[] {
  const byName = new Map<string, Map<number, Cell>>();
  for (const cell of cells) {
    const ofName = byName.get(cell.name) ?? new Map<number, Cell>();
    byName.set(cell.name, ofName.set(cell.year, cell));
  }
  return [...byName].map(([name, ofName]) => ({
    name,
    kind,
    memberCount: 1,
    points: years.map((year) => {
      const cell = ofName.get(year);
      return cell === undefined
        ? { year, value: null, forecastShare: 0, rowCount: 0 }
        : { year, value: cell.value, forecastShare: shareOf(cell), rowCount: cell.rows };
    }),
  }));
}

/** The series with only the points of a period. The period null has all years. */
export const withinYears = (series: Series, period: Years | null): Series => ({
  ...series,
  points: series.points.filter(({ year }) => isWithin(year, period)),
});

/** The value of a year; null when it is missing, or the series does not have the year. */
export const valueAt = (series: Series, year: number): number | null =>
  series.points.find((point) => point.year === year)?.value ?? null;

/** Whether some value of a year is a forecast, at least in part. */
export const hasForecastIn = (series: readonly Series[], year: number): boolean =>
  series.some(({ points }) => points.some((point) => point.year === year && point.forecastShare > 0));

/** The years of a chart. All series of a chart have the same years. */
export const yearsIn = (series: readonly Series[]): readonly number[] =>
  series[0]?.points.map(({ year }) => year) ?? [];

/** Whether some value is a forecast, at least in part. */
export const hasForecasts = (series: readonly Series[]): boolean =>
  series.some(({ points }) => points.some(({ forecastShare }) => forecastShare > 0));

/** Whether some value is missing between others, so that a line is broken. */
export const hasGaps = (series: readonly Series[]): boolean =>
  series.some(({ points }) => /v-+v/.test(points.map(({ value }) => (value === null ? '-' : 'v')).join('')));

/** The last year without forecasts, for rankings and sentences; null when there is none. */
export function lastReportedYear(series: readonly Series[]): number | null {
  const hasValue = (year: number) => series.some((one) => valueAt(one, year) !== null);
  return yearsIn(series).findLast((year) => hasValue(year) && !hasForecastIn(series, year)) ?? null;
}

/**
 * The series sorted by their values in a year, the largest first. Then come series without a value, and last the series
 * `other`.
 */
export function sortedByValue(series: readonly Series[], year: number): Series[] {
  const isOther = ({ kind }: Series) => Number(kind === 'other');
  const sizeOf = (one: Series) => valueAt(one, year) ?? -Infinity;
  return [...series].sort((a, b) => isOther(a) - isOther(b) || sizeOf(b) - sizeOf(a));
}

/** A year in which the number of rows changes a lot, usually because countries begin or end. */
export interface CoverageBreak {
  readonly year: number;
  /** The last year with rows before `year`. */
  readonly yearBefore: number;
}

/** The years in which the number of rows changes by more than a fifth of the larger number. */
export function coverageBreaks(series: readonly Series[]): CoverageBreak[] {
  const points = series[0]?.points ?? [];
  const yearsWithRows = points
    .map(({ year }, i) => ({
      year,
      rows: series.reduce((sum, one) => sum + (one.points[i]?.rowCount ?? 0), 0),
    }))
    .filter(({ rows }) => rows > 0);
  return yearsWithRows.flatMap(({ year, rows }, i) => {
    const before = yearsWithRows[i - 1];
    if (before === undefined || Math.abs(rows - before.rows) <= 0.2 * Math.max(before.rows, rows)) return [];
    return [{ year, yearBefore: before.year }];
  });
}

/** Whether every series has a value in every year. */
export const hasAllValues = (series: readonly Series[]): boolean =>
  series.length > 0 && series.every(({ points }) => points.every(({ value }) => value !== null));

/** Whether some value is below zero, so that layers cannot be stacked. */
export const hasNegativeValue = ({ points }: Series): boolean =>
  points.some(({ value }) => value !== null && value < 0);

/** Whether no year of a series has a value. */
export const isWithoutValues = ({ points }: Series): boolean => points.every(({ value }) => value === null);

/** The tinted part of a chart. It begins half a year before the first year whose values are mostly forecasts. */
export function forecastRange(series: readonly Series[]): { x1: number; x2: number } | null {
  const first = series[0]?.points[0]?.year ?? 0;
  const last = series[0]?.points.at(-1)?.year ?? 0;
  const start = forecastStart(series);
  if (start === null || start > last || first === last) return null;
  return { x1: Math.max(first, start - 0.5), x2: last };
}

/**
 * The first year after the last reported one whose values are mostly forecasts; null when there is none. A year counts as
 * reported unless forecasts are more than half of the sum of its absolute values. A year without values counts as
 * neither.
 */
function forecastStart(series: readonly Series[]): number | null {
  const points = series[0]?.points ?? [];
  const kinds = points.map((_, i) => {
    const sizes = series.flatMap(({ points }) => {
      const { value = null, forecastShare = 0 } = points[i] ?? {};
      return value === null ? [] : [{ all: Math.abs(value), part: Math.abs(value) * forecastShare }];
    });
    if (sizes.length === 0) return 'blank';
    const sum = (name: 'all' | 'part') => sizes.reduce((total, size) => total + size[name], 0);
    return sum('part') > 0.5 * sum('all') ? 'forecast' : 'reported';
  });
  const start = kinds.indexOf('forecast', kinds.lastIndexOf('reported') + 1);
  return points[start]?.year ?? null;
}
