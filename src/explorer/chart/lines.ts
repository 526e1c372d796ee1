// Draws lines or stacked areas of years: gaps as gaps, forecasts dashed, labels at the ends of the lines.

import type { NamedBreak } from '../model/chart.ts';
import { tick } from '../model/format.ts';
import type { Point, Series } from '../model/series.ts';
import { logTicks, yearTicks } from '../model/ticks.ts';
import { addLabels, LABEL_SIZE } from './lineLabels.ts';
import {
  areaY,
  axisX,
  axisY,
  dot,
  gridY,
  line,
  type Markish,
  rect,
  ruleX,
  ruleY,
  svgOf,
  text,
} from './plot.ts';
import { textWidth } from './textWidth.ts';

export interface LineOptions {
  readonly width: number;
  readonly height: number;
  readonly isStacked: boolean;
  readonly isLog: boolean;
  readonly breaks: readonly NamedBreak[];
  readonly colour: (series: Series) => string;
  readonly label: (series: Series) => string;
  readonly breakLabel: (one: NamedBreak) => string;
  readonly forecastLabel: string;
  /** The values that the y axis must include; null for those of the series. */
  readonly domain: readonly [number, number] | null;
  /** Small charts have no labels at their lines. */
  readonly isSmall: boolean;
}

export interface Drawn {
  readonly svg: SVGSVGElement;
  readonly xOf: (year: number) => number;
  readonly yearAt: (x: number) => number;
}

interface Spot {
  readonly year: number;
  readonly value: number | null;
  readonly series: Series;
}

export function drawLines(series: readonly Series[], options: LineOptions): Drawn {
  const { width, height, isStacked, isLog, isSmall } = options;
  const years = series[0]?.points.map(({ year }) => year) ?? [];
  const first = years[0] ?? 0;
  const last = years.at(-1) ?? 1;
  const labels = isSmall ? [] : series.map(options.label);
  const isNarrow = width < 520;
  const labelSize = isNarrow ? 11.5 : LABEL_SIZE;
  const widest = Math.max(0, ...labels.map((text) => textWidth(text, labelSize)));
  const marginRight = isSmall ? 10 : Math.min(widest + 14, width * (isNarrow ? 0.34 : 0.24));
  const values = series.flatMap(({ points }) =>
    points.flatMap(({ value }) => (value === null ? [] : [value])),
  );
  const [low, high] = options.domain ?? domainOf(series, values, isStacked, isLog);
  const ticks = isLog ? logTicks(low, high, isSmall ? 4 : 8) : isSmall ? 3 : Math.round(height / 75);
  const span = last - first;
  const svg = svgOf({
    width,
    height,
    marginLeft: isSmall ? 44 : 54,
    marginRight,
    marginTop: isSmall ? 8 : 26,
    marginBottom: 26,
    x: { type: 'linear', domain: span === 0 ? [first - 1, last + 1] : [first, last], label: null },
    y: { type: isLog ? 'log' : 'linear', domain: [low, high], label: null, nice: !isLog },
    marks: [
      ...forecastGround(series, first, last, options),
      gridY({ ticks, stroke: 'var(--grid)', strokeOpacity: 1 }),
      axisX({
        ticks: yearTicks(first, last, isSmall ? 2 : Math.floor((width - marginRight - 54) / 52)),
        tickFormat: String,
        tickSize: 4,
        fontSize: isSmall ? 11 : 12.5,
        color: 'var(--quiet)',
      }),
      axisY({ ticks, tickFormat: tick, tickSize: 0, fontSize: isSmall ? 11 : 12.5, color: 'var(--quiet)' }),
      ...(low < 0 || !isLog ? [ruleY([0], { stroke: 'var(--axis)' })] : []),
      ...breakMarks(options),
      ...(isStacked
        ? stackMarks(series, options)
        : series.toReversed().flatMap((one) => lineMarks(one, options))),
    ],
  });
  const x = svg.scale('x');
  const y = svg.scale('y');
  const xOf = (year: number) => Number(x?.apply(year));
  const yOf = (value: number) => Number(y?.apply(value));
  if (svg instanceof SVGSVGElement && !isSmall)
    addLabels(svg, series, { ...options, marginRight, labelSize, yOf, top: 26, bottom: height - 30 });
  const yearAt = (at: number) =>
    years.reduce((best, year) => (Math.abs(xOf(year) - at) < Math.abs(xOf(best) - at) ? year : best), first);
  return { svg: svg as SVGSVGElement, xOf, yearAt };
}

export function domainOf(
  series: readonly Series[],
  values: readonly number[],
  isStacked: boolean,
  isLog: boolean,
): [number, number] {
  if (values.length === 0) return [0, 1];
  const low = Math.min(...values);
  if (isLog) return [low, Math.max(...values)];
  const tops = isStacked
    ? (series[0]?.points ?? []).map((_, i) =>
        series.reduce((sum, { points }) => sum + (points[i]?.value ?? 0), 0),
      )
    : values;
  const high = Math.max(...tops);
  return low === 0 && high === 0 ? [0, 1] : [Math.min(0, low), Math.max(0, high)];
}

/** A tint behind the years that are mostly forecast. */
function forecastGround(
  series: readonly Series[],
  first: number,
  last: number,
  options: LineOptions,
): Markish[] {
  const start = forecastStart(series);
  if (start === null || start > last || first === last) return [];
  const x1 = Math.max(first, start - 0.5);
  return [
    rect([{ x1, x2: last }], { x1: 'x1', x2: 'x2', fill: 'var(--forecast)', clip: true }),
    ...(options.isSmall
      ? []
      : [
          text([x1], {
            x: (at: number) => at,
            frameAnchor: 'top',
            text: () => options.forecastLabel,
            textAnchor: 'start',
            dx: 6,
            dy: -18,
            fontSize: 12,
            fill: 'var(--quiet)',
          }),
        ]),
  ];
}

/** The first year from which on more than half is forecast. */
export function forecastStart(series: readonly Series[]): number | null {
  const points = series[0]?.points ?? [];
  const isMostlyForecast = points.map((_, i) => {
    const all = series.reduce((sum, one) => sum + Math.abs(one.points[i]?.value ?? 0), 0);
    const part = series.reduce(
      (sum, one) => sum + Math.abs(one.points[i]?.value ?? 0) * (one.points[i]?.forecast ?? 0),
      0,
    );
    return all > 0 && part / all > 0.5;
  });
  const last = isMostlyForecast.lastIndexOf(false);
  return points[last + 1]?.year ?? null;
}

function breakMarks({ breaks, breakLabel, isSmall, width }: LineOptions): Markish[] {
  if (breaks.length === 0) return [];
  return [
    ruleX(breaks, { x: 'year', stroke: 'var(--quiet)', strokeDasharray: '2,3' }),
    ...(isSmall
      ? []
      : [
          text(breaks, {
            x: 'year',
            frameAnchor: 'top',
            text: breakLabel,
            textAnchor: 'end',
            lineWidth: width < 520 ? 8 : 14,
            lineAnchor: 'top',
            dx: -5,
            dy: 2,
            fontSize: 12,
            fill: 'var(--quiet)',
            stroke: 'var(--paper)',
            strokeWidth: 4,
          }),
        ]),
  ];
}

function lineMarks(series: Series, { colour, isLog, isSmall }: LineOptions): Markish[] {
  const stroke = colour(series);
  const strokeWidth = series.kind === 'other' ? 1.5 : isSmall ? 1.75 : 2.25;
  const drawable = (value: number | null) => (isLog && value !== null && value <= 0 ? null : value);
  const points = series.points.map((point) => ({ ...point, value: drawable(point.value) }));
  const { solid, dashed } = strokes(points);
  const common = { x: 'year', y: 'value', stroke, strokeWidth, strokeLinejoin: 'round' } as const;
  return [
    line(solid, common),
    line(dashed, { ...common, strokeDasharray: '4,4', strokeLinecap: 'butt' }),
    dot(lonePoints(points), { x: 'year', y: 'value', fill: stroke, r: 3.5 }),
  ];
}

type Plain = Pick<Point, 'year' | 'value' | 'forecast'>;

/** The reported part of a line, and the part that leads to points with a forecast: the last reported point is in both. */
export function strokes(points: readonly Plain[]): { solid: Plain[]; dashed: Plain[] } {
  const none = (point: Plain) => ({ ...point, value: null });
  const isDashed = (point: Plain | undefined) => (point?.forecast ?? 0) > 0 && point?.value !== null;
  return {
    solid: points.map((point) => (isDashed(point) ? none(point) : point)),
    dashed: points.map((point, i) => (isDashed(point) || isDashed(points[i + 1]) ? point : none(point))),
  };
}

/** Points without a neighbour: a line through one point is invisible. */
export const lonePoints = (points: readonly Plain[]): Plain[] =>
  points.filter(
    ({ value }, i) =>
      value !== null && (points[i - 1]?.value ?? null) === null && (points[i + 1]?.value ?? null) === null,
  );

function stackMarks(series: readonly Series[], { colour }: LineOptions): Markish[] {
  const spots = series.flatMap((one) =>
    one.points.map(({ year, value }): Spot => ({ year, value, series: one })),
  );
  return [
    areaY(spots, {
      x: 'year',
      y: 'value',
      z: (spot: Spot) => spot.series.name,
      fill: (spot: Spot) => colour(spot.series),
      order: series.map(({ name }) => name).toReversed(),
      stroke: 'var(--paper)',
      strokeWidth: 1,
      fillOpacity: 0.92,
    }),
  ];
}
