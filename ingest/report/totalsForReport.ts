// Prepares totals for a report: finds the one that moved most, and makes titles and the points of charts.

import { groupBy } from '../../src/basics/lists.ts';
import { relativeChange } from '../compare/revision.ts';
import type { Total } from '../compare/totalTypes.ts';

/**
 * The total that moved most; null when none moved. Totals of forecasts count only when no total of reported figures moved.
 */
export function mostMoved(totals: readonly Total[]): Total | null {
  const moved = totals.filter(({ relative }) => Math.abs(relative ?? 0) >= ROUNDING);
  const reported = moved.filter(({ forecast }) => !forecast);
  const size = (total: Total | null) => Math.abs(total?.relative ?? 0);
  return (reported.length > 0 ? reported : moved).reduce<Total | null>(
    (most, total) => (size(total) > size(most) ? total : most),
    null,
  );
}

/** Two sums of the same figures may differ by this share, because the order of adding changes the rounding errors. */
const ROUNDING = 1e-8;

/** How far a total moved, for sorting. A total that is new or gone comes before all others. */
export function totalMoveSize({
  before,
  after,
  relative,
}: Pick<Total, 'before' | 'after' | 'relative'>): number {
  if (before === after) return 0;
  return relative === null ? Number.MAX_VALUE : Math.abs(relative);
}

/** The title of a total: `ggr in GBP`, `gdp_usd`. */
export const titleOf = ({ metric, fx }: Pick<Total, 'metric' | 'fx'>): string =>
  fx === null ? metric : `${metric} in ${fx}`;

/** The year of a total with its kind: `2024`, `2023 closed`, `2026 forecast`. */
export function yearTitle({ year, forecast, closed }: Pick<Total, 'year' | 'forecast' | 'closed'>): string {
  if (forecast) return `${year} forecast`;
  return closed ? `${year} closed` : String(year);
}

/** The total of a year, including forecasts. */
export interface YearPoint {
  readonly year: number;
  readonly before: number | null;
  readonly after: number | null;
  /** The part of `after` from countries that had no row of the year in the earlier snapshot. */
  readonly joined: number;
  /** (after − before) ÷ |before|; null when one of the two is missing or `before` is 0. */
  readonly relative: number | null;
  /** The share of the total that is a forecast, from 0 to 1. */
  readonly forecast: number;
}

/** The points of a chart: for each year the sum of reported figures and forecasts, in ascending order of years. */
export function pointsOf(totals: readonly Total[]): YearPoint[] {
  const years = groupBy(totals, ({ year }) => year);
  return [...years.entries()]
    .sort(([a], [b]) => a - b)
    .map(([year, ofYear]) => {
      const before = ofYear.reduce((sum: number | null, total) => add(sum, total.before), null);
      const after = ofYear.reduce((sum: number | null, total) => add(sum, total.after), null);
      const joined = ofYear.reduce((sum, total) => sum + total.joined, 0);
      return {
        year,
        before,
        after,
        joined,
        relative: relativeChange(before, after),
        forecast: forecastShare(ofYear),
      };
    });
}

/**
 * The share of forecasts in the totals of a year, as it is now. A year whose totals are all gone has the share that it had.
 */
function forecastShare(totals: readonly Total[]): number {
  const isGone = totals.every(({ after }) => after === null);
  let [forecasts, reported] = [0, 0];
  for (const { forecast, before, after, arrived } of totals) {
    const value = (isGone ? before : after) ?? 0;
    if (forecast) forecasts += Math.abs(value - arrived);
    reported += Math.abs(forecast ? arrived : value);
  }
  const share = forecasts === 0 ? 0 : forecasts / (forecasts + reported);
  // When every forecast became reported, rounding may leave a difference.
  return share < ROUNDING ? 0 : share;
}

/** The sum of two totals, where a missing one counts as 0; null when both are missing. */
function add(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return one + other;
}
