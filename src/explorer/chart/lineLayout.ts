// Computes the layout of a line chart: the ranges and ticks of its axes, and the margins that the labels need.

import type { NamedBreak } from '../model/chartData.ts';
import { logTickFormat, tickFormat } from '../model/numberFormats.ts';
import { type Series, valueAt, yearsIn } from '../model/series.ts';
import { linearTicks, logTicks, yearTicks } from '../model/ticks.ts';
import { textWidth } from './textWidth.ts';

export interface LineOptions {
  readonly width: number;
  readonly height: number;
  readonly isStacked: boolean;
  readonly isLog: boolean;
  readonly breaks: readonly NamedBreak[];
  readonly colour: (series: Series) => string;
  readonly label: (series: Series) => string;
  /** Gives the label of a break. `isShort` is true when the chart has no room for a sentence. */
  readonly breakLabel: (one: NamedBreak, isShort: boolean) => string;
  readonly forecastLabel: string;
  /** The unit of the y axis, which is written above it. */
  readonly unit: string;
  /** The range of the y axis; null for the range of the values. */
  readonly domain: readonly [number, number] | null;
  /** Whether the chart is one of several small charts. These have no unit and no labels at their lines. */
  readonly isSmall: boolean;
}

/** The layout of a chart. Lengths are in pixels. */
export interface Layout {
  readonly years: readonly number[];
  readonly first: number;
  readonly last: number;
  readonly yearTicks: number[];
  /** The range of the y axis. */
  readonly domain: [number, number];
  readonly ticks: number[];
  readonly format: (tick: number) => string;
  readonly tickSize: number;
  readonly labelSize: number;
  readonly isNarrow: boolean;
  readonly marginLeft: number;
  readonly marginRight: number;
  readonly marginTop: number;
  /** The lower end of the y axis. */
  readonly bottom: number;
}

/** The usual font size of labels, in pixels. */
export const LABEL_SIZE = 13;

/** Charts of a smaller width, in pixels, have smaller and shorter labels. */
export const NARROW_WIDTH = 520;

/** The least margin to the right of the lines, in pixels. Below it stands the year, at the end of the slider. */
const YEAR_ROOM = 56;

export const MARGIN_BOTTOM = 26;

/** The layout of one chart. If `options.domain` is not null, the y axis has this range and not that of the values. */
export function layoutOf(series: readonly Series[], options: LineOptions): Layout {
  const { width, height, isStacked, isLog, isSmall } = options;
  const years = yearsIn(series);
  const first = years[0] ?? 0;
  const last = years.at(-1) ?? 1;
  const domain = options.domain ?? valueRange(series, { isStacked, isLog });
  const ticks = domain === NO_VALUES ? [] : ticksOf(domain, { isLog, isSmall, height });
  const format = isLog && domain[1] >= 10 * domain[0] ? logTickFormat : tickFormat(ticks);
  const isNarrow = width < NARROW_WIDTH;
  const tickSize = isSmall || isNarrow ? 11 : 12.5;
  const labelSize = isNarrow ? 11.5 : LABEL_SIZE;
  const marginLeft = Math.max(28, ...ticks.map((tick) => textWidth(format(tick), tickSize) + 8));
  const marginRight = isSmall
    ? textWidth('2030', tickSize) / 2 + 2
    : Math.max(YEAR_ROOM, labelWidth(series, options, labelSize));
  const mostYears = isSmall ? 2 : Math.floor((width - marginRight - marginLeft) / 52);
  return {
    years,
    first,
    last,
    yearTicks: yearTicks(first, last, mostYears),
    domain: [...domain],
    ticks,
    format,
    tickSize,
    labelSize,
    isNarrow,
    marginLeft,
    marginRight,
    marginTop: isSmall ? 8 : 46,
    bottom: height - MARGIN_BOTTOM,
  };
}

/**
 * The range of an axis when there are no values. An axis without values has no ticks, because their numbers would be
 * invented.
 */
const NO_VALUES: [number, number] = [0, 1];

const ticksOf = (
  domain: readonly [number, number],
  { isLog, isSmall, height }: Pick<LineOptions, 'isLog' | 'isSmall' | 'height'>,
): number[] =>
  isLog
    ? logTicks(...domain, isSmall ? 4 : 8)
    : linearTicks(...domain, isSmall ? 3 : Math.round(height / 75));

/** The width of the longest label at the end of a line, limited to a part of the chart's width. */
function labelWidth(series: readonly Series[], { width, label }: LineOptions, labelSize: number): number {
  const widest = Math.max(0, ...series.map((one) => textWidth(label(one), labelSize)));
  return Math.min(widest + 14, width * (width < NARROW_WIDTH ? 0.34 : 0.24));
}

/**
 * The range of the y axis. Unless the axis is logarithmic, it contains zero, and has a little room beyond the values.
 */
export function valueRange(
  series: readonly Series[],
  { isStacked, isLog }: Pick<LineOptions, 'isStacked' | 'isLog'>,
): [number, number] {
  const values = series.flatMap(({ points }) =>
    points.flatMap(({ value }) => (value === null ? [] : [value])),
  );
  if (values.length === 0) return NO_VALUES;
  const low = Math.min(...values);
  if (isLog) return [low, Math.max(...values)];
  const tops = isStacked ? (series[0]?.points ?? []).map(({ year }) => stackedValueAt(series, year)) : values;
  const [least, most] = [Math.min(0, low), Math.max(0, ...tops)];
  const room = 0.03 * (most - least);
  if (room === 0) return [0, 1];
  return [least < 0 ? least - room : 0, most > 0 ? most + room : 0];
}

/** The sum of the series in a year. */
export const stackedValueAt = (series: readonly Series[], year: number): number =>
  series.reduce((sum, one) => sum + (valueAt(one, year) ?? 0), 0);
