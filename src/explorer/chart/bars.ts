// Draws one year as bars, in the order given, with the values at their ends.

import { type Series, valueAt } from '../model/series.ts';
import { cut } from './lineLabels.ts';
import type { Drawn } from './lines.ts';
import { axisY, barX, ruleX, svgOf, text } from './plot.ts';
import { addText } from './svgParts.ts';
import { textWidth } from './textWidth.ts';

export interface BarOptions {
  readonly width: number;
  readonly year: number;
  readonly colour: (series: Series) => string;
  readonly label: (series: Series) => string;
  readonly value: (value: number) => string;
  /** The unit of the values, written above the bars. */
  readonly unit: string;
}

export function drawBars(
  series: readonly Series[],
  { width, year, colour, label, value, unit }: BarOptions,
): Drawn {
  const bars = series.map((one) => ({ one, name: one.name, size: valueAt(one, year) }));
  const names = Math.max(0, ...series.map((one) => textWidth(label(one), 13)));
  const marginLeft = Math.min(names + 14, width * 0.4);
  const ends = Math.max(0, ...bars.map(({ size }) => textWidth(size === null ? '–' : value(size), 13)));
  const low = Math.min(0, ...bars.map(({ size }) => size ?? 0));
  const high = Math.max(low < 0 ? 0 : Number.MIN_VALUE, ...bars.map(({ size }) => size ?? 0));
  const made = svgOf({
    width,
    height: bars.length * BAR_HEIGHT + TOP + 4,
    marginLeft,
    marginRight: ends + 16,
    marginTop: TOP,
    marginBottom: 4,
    x: { axis: null, domain: [low, high] },
    y: { domain: bars.map(({ name }) => name), padding: 0.28, round: false, label: null },
    marks: [
      axisY({
        tickFormat: (name: string) => {
          const one = series.find((candidate) => candidate.name === name);
          return one === undefined ? name : cut(label(one), marginLeft - 14);
        },
        tickSize: 0,
        fontSize: 13,
        color: 'var(--ink)',
      }),
      barX(bars, {
        x: (bar: { size: number | null }) => bar.size ?? 0,
        y: 'name',
        fill: (bar: { one: Series }) => colour(bar.one),
        rx: 1,
      }),
      text(bars, {
        x: (bar: { size: number | null }) => Math.max(0, bar.size ?? 0),
        y: 'name',
        text: (bar: { size: number | null }) => (bar.size === null ? '–' : value(bar.size)),
        textAnchor: 'start',
        dx: 6,
        fontSize: 13,
        fill: 'var(--ink)',
      }),
      ruleX([0], { stroke: 'var(--axis)' }),
    ],
  });
  const svg = made as SVGSVGElement;
  addText(svg, unit, { x: marginLeft, y: 12, 'font-size': 12, fill: 'var(--quiet)' });
  return {
    svg,
    xOf: () => marginLeft,
    yearAt: () => year,
    nameAt: (_, y) => (y < TOP ? null : (bars[Math.floor((y - TOP) / BAR_HEIGHT)]?.name ?? null)),
    mark: () => {},
  };
}

const BAR_HEIGHT = 32;

/** Room for the unit. */
const TOP = 22;
