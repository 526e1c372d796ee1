// Draws one year as bars, in the order given, with the values at their ends.

import { type Series, valueAt } from '../model/series.ts';
import type { Drawing } from './drawing.ts';
import { axisY, barX, plotSvg, ruleX, text } from './plot.ts';
import { shortenToFit } from './shortenToFit.ts';
import { addText } from './svgElements.ts';
import { textWidth } from './textWidth.ts';

export interface BarOptions {
  readonly width: number;
  readonly year: number;
  readonly colour: (series: Series) => string;
  readonly label: (series: Series) => string;
  readonly value: (value: number) => string;
  /** The unit of the values, which is written above the bars. */
  readonly unit: string;
}

/** Draws a bar for each series. Pointing at a bar marks no year, because there is only one. */
export function drawBars(series: readonly Series[], options: BarOptions): Drawing {
  const { width, year, label, unit } = options;
  const bars = series.map((one) => ({ one, name: one.name, size: valueAt(one, year) }));
  const labelWidth = Math.max(0, ...series.map((one) => textWidth(label(one), FONT_SIZE)));
  const marginLeft = Math.min(labelWidth + LABEL_GAP, width * 0.4);
  const svg = plotOf(bars, options, marginLeft) as SVGSVGElement;
  addText(svg, unit, { x: marginLeft, y: 12, 'font-size': 12, fill: 'var(--quiet)' });
  return {
    svg,
    xOf: () => marginLeft,
    yearAt: () => year,
    seriesNameAt: (_, y) => (y < TOP ? null : (bars[Math.floor((y - TOP) / BAR_HEIGHT)]?.name ?? null)),
    markYear: () => {},
  };
}

// Lengths are in pixels.
const BAR_HEIGHT = 32;
const FONT_SIZE = 13;
const LABEL_GAP = 14;

/** The room above the bars, for the unit. */
const TOP = 22;

interface Bar {
  readonly one: Series;
  readonly name: string;
  /** The value; null when the series has none in this year. */
  readonly size: number | null;
}

/** Draws the bars with their labels and values. The unit is added later, because Plot cannot place it. */
function plotOf(
  bars: readonly Bar[],
  { width, colour, label, value }: BarOptions,
  marginLeft: number,
): ReturnType<typeof plotSvg> {
  const valueText = ({ size }: Bar) => (size === null ? '–' : value(size));
  const texts = shortenToFit(
    bars.map(({ one }) => label(one)),
    marginLeft - LABEL_GAP,
  );
  const labels = new Map(bars.map(({ name }, i) => [name, texts[i] ?? name]));
  const sizes = bars.map(({ size }) => size ?? 0);
  const low = Math.min(0, ...sizes);
  const high = Math.max(low < 0 ? 0 : Number.MIN_VALUE, ...sizes);
  return plotSvg({
    width,
    height: bars.length * BAR_HEIGHT + TOP + 4,
    marginLeft,
    marginRight: Math.max(0, ...bars.map((bar) => textWidth(valueText(bar), FONT_SIZE))) + 16,
    marginTop: TOP,
    marginBottom: 4,
    x: { axis: null, domain: [low, high] },
    y: { domain: bars.map(({ name }) => name), padding: 0.28, round: false, label: null },
    marks: [
      axisY({
        tickFormat: (name: string) => labels.get(name) ?? name,
        tickSize: 0,
        fontSize: FONT_SIZE,
        color: 'var(--ink)',
      }),
      barX(bars, {
        x: ({ size }: Bar) => size ?? 0,
        y: 'name',
        fill: ({ one }: Bar) => colour(one),
        rx: 1,
      }),
      text(bars, {
        x: ({ size }: Bar) => Math.max(0, size ?? 0),
        y: 'name',
        text: valueText,
        textAnchor: 'start',
        dx: 6,
        fontSize: FONT_SIZE,
        fill: 'var(--ink)',
      }),
      ruleX([0], { stroke: 'var(--axis)' }),
    ],
  });
}
