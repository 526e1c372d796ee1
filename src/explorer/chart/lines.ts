// Draws lines or stacked areas over years: gaps as gaps, forecasts set apart, labels at the ends of the lines.

import type { NamedBreak } from '../model/chart.ts';
import { logTickFormat, tickFormat } from '../model/format.ts';
import { type Series, valueAt } from '../model/series.ts';
import { linearTicks, logTicks, yearTicks } from '../model/ticks.ts';
import { addBreakLabels } from './breakLabels.ts';
import { addLabels, LABEL_SIZE, type LineLabel } from './lineLabels.ts';
import { breakMarks, forecastMarks, lineMarks, stackMarks } from './lineMarks.ts';
import { axisX, axisY, gridY, ruleY, svgOf } from './plot.ts';
import { addText, markYear } from './svgParts.ts';
import { textWidth } from './textWidth.ts';

export interface LineOptions {
  readonly width: number;
  readonly height: number;
  readonly isStacked: boolean;
  readonly isLog: boolean;
  readonly breaks: readonly NamedBreak[];
  readonly colour: (series: Series) => string;
  readonly label: (series: Series) => string;
  /** `isShort`: the chart has no room for a sentence. */
  readonly breakLabel: (one: NamedBreak, isShort: boolean) => string;
  readonly forecastLabel: string;
  /** The unit of the y axis, written above it. */
  readonly unit: string;
  /** The range of the y axis; null: the range of the values. */
  readonly domain: readonly [number, number] | null;
  /** A small chart is one of several: it has no labels at its lines and no unit. */
  readonly isSmall: boolean;
}

export interface Drawn {
  readonly svg: SVGSVGElement;
  readonly xOf: (year: number) => number;
  readonly yearAt: (x: number, y: number) => number;
  /** The name of the series at a place, within reach of a pointer; null where there is none. */
  readonly nameAt: (x: number, y: number) => string | null;
  /** Shows which year is read out; null shows none. */
  readonly mark: (year: number | null) => void;
}

/** Below this width, in pixels, labels are smaller and shorter. */
export const NARROW = 520;

/** Room right of the chart for the year beside the slider, in pixels. */
const YEAR_ROOM = 56;

/** How far a pointer may be from a line, in pixels, and still point at it. */
const REACH = 28;

export function drawLines(series: readonly Series[], options: LineOptions): Drawn {
  const { width, height, isStacked, isLog, isSmall } = options;
  const years = series[0]?.points.map(({ year }) => year) ?? [];
  const first = years[0] ?? 0;
  const last = years.at(-1) ?? 1;
  const labels = isSmall ? [] : series.map(options.label);
  const isNarrow = width < NARROW;
  const labelSize = isNarrow ? 11.5 : LABEL_SIZE;
  const widest = Math.max(0, ...labels.map((text) => textWidth(text, labelSize)));
  const labelled = Math.min(widest + 14, width * (isNarrow ? 0.34 : 0.24));
  const marginRight = isSmall ? 10 : Math.max(YEAR_ROOM, labelled);
  const [low, high] = options.domain ?? domainOf(series, isStacked, isLog);
  const ticks = isLog
    ? logTicks(low, high, isSmall ? 4 : 8)
    : linearTicks(low, high, isSmall ? 3 : Math.round(height / 75));
  const format = isLog ? logTickFormat : tickFormat(ticks);
  const tickSize = isSmall || isNarrow ? 11 : 12.5;
  const marginLeft = Math.max(28, ...ticks.map((tick) => textWidth(format(tick), tickSize) + 8));
  const marginTop = isSmall ? 8 : 46;
  const marginBottom = 26;
  const made = svgOf({
    width,
    height,
    marginLeft,
    marginRight,
    marginTop,
    marginBottom,
    x: { type: 'linear', domain: first === last ? [first - 1, last + 1] : [first, last], label: null },
    y: { type: isLog ? 'log' : 'linear', domain: [low, high], label: null },
    marks: [
      ...forecastMarks(series, options),
      gridY({ ticks, stroke: 'var(--grid)', strokeOpacity: 1 }),
      axisX({
        ticks: yearTicks(first, last, isSmall ? 2 : Math.floor((width - marginRight - marginLeft) / 52)),
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
  // Plot wraps a chart with an HTML legend in a figure; these charts have none.
  const svg = made as SVGSVGElement;
  const x = made.scale('x');
  const y = made.scale('y');
  const xOf = (year: number) => Number(x?.apply(year));
  const yOf = (value: number) => Number(y?.apply(value));
  const bottom = height - marginBottom;
  if (!isSmall) {
    const ends = endsOf(series, isStacked).map((line) => ({ ...line, y: yOf(line.value) }));
    addLabels(svg, ends, { ...options, marginRight, labelSize, top: marginTop, bottom: bottom - 4 });
    addText(svg, options.unit, { x: 0, y: 12, 'font-size': 12, fill: 'var(--quiet)' });
    const frame = { xOf, left: marginLeft, right: width - marginRight, top: marginTop };
    addBreakLabels(svg, { ...options, isShort: isNarrow }, frame);
  }
  const yearAt = (at: number) =>
    years.reduce((best, year) => (Math.abs(xOf(year) - at) < Math.abs(xOf(best) - at) ? year : best), first);
  return {
    svg,
    xOf,
    yearAt,
    nameAt(at, height) {
      if (isSmall) return series[0]?.name ?? null;
      const year = yearAt(at);
      return isStacked ? layerAt(series, year, height, yOf) : lineAt(series, year, height, yOf);
    },
    mark(year) {
      const points = series.flatMap((one) => {
        const value = year === null || isStacked ? null : valueAt(one, year);
        return value === null || (isLog && value <= 0)
          ? []
          : [{ y: yOf(value), colour: options.colour(one) }];
      });
      markYear(
        svg,
        year === null ? null : xOf(year),
        { top: isSmall ? marginTop : marginTop - 4, bottom },
        points,
      );
    },
  };
}

/** The range of the y axis, with a little room above the highest value. Zero is part of it, except on a logarithmic axis. */
export function domainOf(series: readonly Series[], isStacked: boolean, isLog: boolean): [number, number] {
  const values = series.flatMap(({ points }) =>
    points.flatMap(({ value }) => (value === null ? [] : [value])),
  );
  if (values.length === 0) return [0, 1];
  const low = Math.min(...values);
  if (isLog) return [low, Math.max(...values)];
  const tops = isStacked ? (series[0]?.points ?? []).map(({ year }) => heightAt(series, year)) : values;
  const [least, most] = [Math.min(0, low), Math.max(0, ...tops)];
  const room = 0.03 * (most - least);
  if (room === 0) return [0, 1];
  return [least < 0 ? least - room : 0, most > 0 ? most + room : 0];
}

const heightAt = (series: readonly Series[], year: number): number =>
  series.reduce((sum, one) => sum + (valueAt(one, year) ?? 0), 0);

/** Where each label belongs: at the last value of a line, or in the middle of a layer. */
function endsOf(series: readonly Series[], isStacked: boolean): (Omit<LineLabel, 'y'> & { value: number })[] {
  const last = series[0]?.points.at(-1)?.year ?? 0;
  return series.flatMap((one, index) => {
    const below = heightAt(series.slice(index + 1), last);
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
    return distance <= REACH ? [{ name: one.name, distance }] : [];
  });
  return near.sort((a, b) => a.distance - b.distance)[0]?.name ?? null;
}

/** The first series is the uppermost layer. */
function layerAt(
  series: readonly Series[],
  year: number,
  y: number,
  yOf: (value: number) => number,
): string | null {
  const found = series.find((one, index) => {
    const below = heightAt(series.slice(index + 1), year);
    return y <= yOf(below) && y >= yOf(below + (valueAt(one, year) ?? 0));
  });
  return found?.name ?? null;
}
