// Makes the marks of a line chart or a stack: tints of forecasts, lines of breaks, and lines or layers of series.

import { forecastRange, hasForecastIn, type Point, type Series, yearsIn } from '../model/series.ts';
import type { LineOptions } from './lineLayout.ts';
import { areaY, dot, line, type Markish, rect, ruleX, text } from './plot.ts';
import { seriesClass } from './svgElements.ts';

/** A tint behind the years whose values are mostly forecasts. */
export function forecastMarks(series: readonly Series[], { isSmall, forecastLabel }: LineOptions): Markish[] {
  const tinted = forecastRange(series);
  if (tinted === null) return [];
  const { x1 } = tinted;
  const tint = rect([tinted], { x1: 'x1', x2: 'x2', fill: 'var(--forecast)', clip: true });
  if (isSmall) return [tint];
  const label = text([x1], {
    x: (year: number) => year,
    frameAnchor: 'top',
    text: () => forecastLabel,
    textAnchor: 'start',
    dx: 6,
    dy: -14,
    fontSize: 12,
    fill: 'var(--quiet)',
  });
  return [tint, label];
}

/** A dotted vertical line at each break. `breakLabels.ts` adds its label. */
export const breakMarks = ({ breaks }: LineOptions): Markish[] =>
  breaks.length === 0 ? [] : [ruleX(breaks, { x: 'year', stroke: 'var(--quiet)', strokeDasharray: '2,3' })];

/** The lines of all series. The first series is drawn last, over the others. */
export const lineMarks = (series: readonly Series[], options: LineOptions): Markish[] =>
  series.flatMap((one, index) => oneLine(one, seriesClass(index), options)).toReversed();

function oneLine(series: Series, className: string, { colour, isLog, isSmall }: LineOptions): Markish[] {
  const stroke = colour(series);
  const strokeWidth = series.kind === 'other' ? 1.5 : isSmall ? 1.75 : 2.25;
  const drawable = (value: number | null) => (isLog && value !== null && value <= 0 ? null : value);
  const points = series.points.map((point) => ({ ...point, value: drawable(point.value) }));
  const { solid, dashed } = solidAndDashed(points);
  const common = { x: 'year', y: 'value', stroke, strokeWidth, strokeLinejoin: 'round', className } as const;
  return [
    line(solid, common),
    line(dashed, { ...common, strokeDasharray: '4,4', strokeLinecap: 'butt' }),
    dot(lonePoints(points), { x: 'year', y: 'value', fill: stroke, r: 3.5, className }),
  ];
}

type LinePoint = Pick<Point, 'year' | 'value' | 'forecastShare'>;

/**
 * Divides a line into solid parts, between reported points, and dashed parts, to and from forecasts. Reported points
 * beside forecasts are in both, so that there is no gap between the parts.
 */
function solidAndDashed(points: readonly LinePoint[]): { solid: LinePoint[]; dashed: LinePoint[] } {
  const none = (point: LinePoint) => ({ ...point, value: null });
  const isDashed = (point: LinePoint | undefined) => (point?.forecastShare ?? 0) > 0 && point?.value !== null;
  return {
    solid: points.map((point) => (isDashed(point) ? none(point) : point)),
    dashed: points.map((point, i) =>
      [point, points[i - 1], points[i + 1]].some(isDashed) ? point : none(point),
    ),
  };
}

/** The points without neighbours. They are drawn as dots, because a line through one point is invisible. */
const lonePoints = (points: readonly LinePoint[]): LinePoint[] =>
  points.filter(
    ({ value }, i) =>
      value !== null && (points[i - 1]?.value ?? null) === null && (points[i + 1]?.value ?? null) === null,
  );

interface LayerPoint {
  readonly year: number;
  readonly value: number | null;
  readonly series: Series;
}

/** The layers of a stack. From the last reported year on, they are paler. */
export function stackMarks(series: readonly Series[], { colour }: LineOptions): Markish[] {
  const years = yearsIn(series);
  const start = years.findIndex((year) => hasForecastIn(series, year));
  const end = start < 0 ? years.length : start;
  const parts = [
    { partYears: years.slice(0, end), fillOpacity: 0.92 },
    { partYears: years.slice(Math.max(0, end - 1)), fillOpacity: 0.5 },
  ];
  return parts
    .filter(({ partYears }) => partYears.length > 1 || (partYears.length === 1 && years.length === 1))
    .map(({ partYears, fillOpacity }) => {
      const points = series.flatMap((one) =>
        one.points
          .filter(({ year }) => partYears.includes(year))
          .map(({ year, value }): LayerPoint => ({ year, value, series: one })),
      );
      return areaY(points, {
        x: 'year',
        y: 'value',
        z: (point: LayerPoint) => point.series.name,
        fill: (point: LayerPoint) => colour(point.series),
        order: series.map(({ name }) => name).toReversed(),
        stroke: 'var(--paper)',
        strokeWidth: 1,
        fillOpacity,
      });
    });
}
