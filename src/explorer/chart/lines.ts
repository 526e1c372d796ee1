// Draws lines or stacked areas over years. Missing values are gaps, and forecasts look different.

import { type Series, valueAt } from '../model/series.ts';
import { addBreakLabels } from './breakLabels.ts';
import type { Drawing } from './drawing.ts';
import { addLineLabels, type LineLabel } from './lineLabels.ts';
import { type Layout, type LineOptions, layoutOf, MARGIN_BOTTOM, stackedValueAt } from './lineLayout.ts';
import { breakMarks, forecastMarks, lineMarks, stackMarks } from './lineMarks.ts';
import { axisX, axisY, gridY, plotSvg, ruleY } from './plot.ts';
import { addText, markYear } from './svgElements.ts';

/** How far a pointer may be away from a line and still point at it, in pixels. */
const POINTER_REACH = 28;

/** Draws one chart. A small chart gets neither unit nor labels. */
export function drawLines(series: readonly Series[], options: LineOptions): Drawing {
  const { isStacked, isLog, isSmall } = options;
  const layout = layoutOf(series, options);
  const plot = plotOf(series, options, layout);
  // Plot returns an HTML `figure` only for a chart with a legend, which these charts do not have.
  const svg = plot as SVGSVGElement;
  const x = plot.scale('x');
  const y = plot.scale('y');
  const scales: Scales = { xOf: (year) => Number(x?.apply(year)), yOf: (value) => Number(y?.apply(value)) };
  const { xOf, yOf } = scales;
  if (!isSmall) addTexts(svg, series, { ...options, ...layout, ...scales });
  const { years, marginTop, bottom } = layout;
  const yearAt = (pointerX: number) =>
    years.reduce(
      (best, year) => (Math.abs(xOf(year) - pointerX) < Math.abs(xOf(best) - pointerX) ? year : best),
      layout.first,
    );
  return {
    svg,
    xOf,
    yearAt,
    seriesNameAt(pointerX, pointerY) {
      if (isSmall) return series[0]?.name ?? null;
      const year = yearAt(pointerX);
      return isStacked ? layerAt(series, year, pointerY, yOf) : lineAt(series, year, pointerY, yOf);
    },
    markYear(year) {
      const points = series.flatMap((one) => {
        const value = year === null || isStacked ? null : valueAt(one, year);
        return value === null || (isLog && value <= 0)
          ? []
          : [{ y: yOf(value), colour: options.colour(one) }];
      });
      const rule = { top: isSmall ? marginTop : marginTop - 4, bottom };
      markYear(svg, year === null ? null : xOf(year), rule, points);
    },
  };
}

interface Scales {
  readonly xOf: (year: number) => number;
  readonly yOf: (value: number) => number;
}

/** Draws the axes and the marks. Texts that Plot cannot place are added later. */
function plotOf(series: readonly Series[], options: LineOptions, layout: Layout): ReturnType<typeof plotSvg> {
  const { width, height, isStacked, isLog } = options;
  const { first, last, domain, ticks, format, tickSize, marginLeft, marginRight, marginTop } = layout;
  return plotSvg({
    width,
    height,
    marginLeft,
    marginRight,
    marginTop,
    marginBottom: MARGIN_BOTTOM,
    x: { type: 'linear', domain: first === last ? [first - 1, last + 1] : [first, last], label: null },
    y: { type: isLog ? 'log' : 'linear', domain, label: null },
    marks: [
      ...forecastMarks(series, options),
      gridY({ ticks, stroke: 'var(--grid)', strokeOpacity: 1 }),
      axisX({
        ticks: layout.yearTicks,
        tickFormat: String,
        tickSize: 4,
        fontSize: tickSize,
        color: 'var(--quiet)',
      }),
      axisY({ ticks, tickFormat: format, tickSize: 0, fontSize: tickSize, color: 'var(--quiet)' }),
      ...(isLog ? [] : [ruleY([0], { stroke: 'var(--axis)' })]),
      ...breakMarks(options),
      ...(isStacked ? stackMarks(series, options) : lineMarks(series, options)),
    ],
  });
}

/** Adds the unit, a label at the end of each line, and a label at each break. */
function addTexts(
  svg: SVGSVGElement,
  series: readonly Series[],
  options: LineOptions & Layout & Scales,
): void {
  const { width, isStacked, marginLeft, marginRight, marginTop, bottom, xOf, yOf } = options;
  const ends = endsOf(series, isStacked).map((line) => ({ ...line, y: yOf(line.value) }));
  addLineLabels(svg, ends, { ...options, top: marginTop, bottom: bottom - 4 });
  addText(svg, options.unit, { x: 0, y: 12, 'font-size': 12, fill: 'var(--quiet)' });
  const frame = { xOf, left: marginLeft, right: width - marginRight, top: marginTop };
  addBreakLabels(svg, options, frame);
}

/** The value at which each label is placed: the last value of a line, or the middle of a layer. */
function endsOf(series: readonly Series[], isStacked: boolean): (Omit<LineLabel, 'y'> & { value: number })[] {
  const last = series[0]?.points.at(-1)?.year ?? 0;
  return series.flatMap((one, index) => {
    const below = stackedValueAt(series.slice(index + 1), last);
    const value = isStacked
      ? below + (valueAt(one, last) ?? 0) / 2
      : (one.points.findLast((point) => point.value !== null)?.value ?? null);
    return value === null ? [] : [{ series: one, index, value }];
  });
}

function lineAt(
  series: readonly Series[],
  year: number,
  y: number,
  yOf: (value: number) => number,
): string | null {
  const near = series.flatMap((one) => {
    const value = valueAt(one, year);
    const distance = value === null ? Infinity : Math.abs(yOf(value) - y);
    return distance <= POINTER_REACH ? [{ name: one.name, distance }] : [];
  });
  return near.sort((a, b) => a.distance - b.distance)[0]?.name ?? null;
}

/** The name of the layer at a point. The first series is the uppermost layer. */
function layerAt(
  series: readonly Series[],
  year: number,
  y: number,
  yOf: (value: number) => number,
): string | null {
  const found = series.find((one, index) => {
    const below = stackedValueAt(series.slice(index + 1), year);
    return y <= yOf(below) && y >= yOf(below + (valueAt(one, year) ?? 0));
  });
  return found?.name ?? null;
}
